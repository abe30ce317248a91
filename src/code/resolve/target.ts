import { posix } from "node:path";
import { type Kind, typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { qualifiedName } from "../syntax/syntax.ts";
import { type Definition, findDefinitions, findExact, targetOf, withoutHeads } from "./definitions.ts";
import type { Operation } from "./graph-operations.ts";

/** The declarations that a name means: one thing, or several of which one must be asked for. */
export type Target = { target: Definition; all: Definition[] } | { candidates: Definition[] };

/** What a name means for an operation. Overloads, prototypes and reopened types are one thing. */
export async function chooseTarget(
  project: Project,
  symbol: string,
  { operation, kind }: { operation: Operation; kind?: Kind | undefined },
  mayRead: (path: string) => boolean,
): Promise<Target | undefined> {
  const all = (await findExact(project, symbol, kind)).filter(({ file }) => mayRead(file));
  const fitting = all.filter(({ declaration: { kind: own } }) =>
    fits(operation, typeKinds.has(own), own === "func" || own === "method" || own === "macro"),
  );
  const usable = fitting.length > 0 ? fitting : all;
  if (usable.length === 0) {
    const similar = await findDefinitions(project, symbol);
    const near = similar.filter(({ file }) => mayRead(file)).slice(0, 10);
    return near.length > 0 ? { candidates: near } : undefined;
  }
  const bodies = withoutHeads(usable);
  const things = Map.groupBy(bodies, thingOf);
  const [first] = things.values();
  if (things.size > 1 || !first?.[0])
    return { candidates: [...things.values()].flatMap((same) => same[0] ?? []) };
  const heads = usable.filter((d) => !bodies.includes(d));
  return { target: first[0], all: [...first, ...heads] };
}

/** The kind must be said, too, where one file has several things of one name. */
export function needsKind(candidate: Definition, candidates: readonly Definition[]): boolean {
  return candidates.some((other) => other !== candidate && targetOf(other) === targetOf(candidate));
}

/** Declarations with the same key are one thing. */
function thingOf({ file, declaration, syntax }: Definition): string {
  const title = `${qualifiedName(declaration)} ${typeKinds.has(declaration.kind) ? "type" : declaration.kind}`;
  const language = languageNamed(syntax.language);
  if (language?.packageIs === "folder") return `${posix.dirname(file)} ${title}`;
  if (language?.packageIs === "declared") return `${syntax.package ?? posix.dirname(file)} ${title}`;
  const isReopened =
    (language?.scoping === "everything" || language?.scoping === "namespaced") &&
    typeKinds.has(declaration.kind);
  return isReopened ? `${syntax.package ?? ""} ${title}` : `${file} ${title}`;
}

function fits(operation: Operation, isType: boolean, isFunction: boolean): boolean {
  if (operation === "callees") return isFunction;
  if (operation === "methods" || operation === "inheritors") return isType;
  return operation === "implementations" ? isType || isFunction : true;
}
