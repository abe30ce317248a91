// What an answer about a declaration cannot find by its name.
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { calledByBareSuper } from "./bare-super.ts";
import { isConstructor } from "./declared.ts";
import type { Definition } from "./definitions.ts";

/** How some are called without their names. */
export async function caveatOnCalls(
  project: Project,
  definitions: readonly Definition[],
  mayRead: (path: string) => boolean,
): Promise<string | undefined> {
  const bySuper = await calledByBareSuper(project, definitions, mayRead);
  return [callsWithoutName(definitions), bySuper].filter(Boolean).join(" ") || undefined;
}

/** That something is also called without its name: `a + b` for `plus`. */
export function callsWithoutName(definitions: readonly Definition[]): string | undefined {
  const ways = new Set(definitions.flatMap((d) => waysWithoutName(d)));
  return ways.size > 0 ? `Calls by operators (${[...ways].join(", ")}) are not found by name.` : undefined;
}

function waysWithoutName({ declaration: { kind, name, signature }, syntax }: Definition): string[] {
  if (kind !== "method" && kind !== "func") return [];
  const calls = languageNamed(syntax.language)?.callsWithoutName ?? [];
  return calls.flatMap(({ names, signed, as }) =>
    names.test(name) && (signed?.test(signature) ?? true) ? [as] : [],
  );
}

/** That functions without a name may implement an interface of one method, or be that method. */
export async function lambdasMayImplement(
  project: Project,
  definitions: readonly Definition[],
): Promise<string | undefined> {
  for (const d of definitions) if (await hasOneMethod(project, typeOf(d))) return lambdasText;
  return undefined;
}

const lambdasText = "Lambdas and method references are not counted.";

function typeOf({ declaration, ...rest }: Definition): Definition {
  const around = rest.syntax.declarations[declaration.parent];
  const isHead = declaration.kind === "method" && declaration.bodiless === true;
  return isHead && around ? { ...rest, declaration: around } : { ...rest, declaration };
}

async function hasOneMethod(project: Project, type: Definition): Promise<boolean> {
  const { declaration, syntax, file } = type;
  const style = languageNamed(syntax.language)?.lambdasImplement;
  if (style === undefined || declaration.kind !== "interface") return false;
  const index = syntax.declarations.indexOf(declaration);
  const heads = syntax.declarations.filter(
    (d) => d.parent === index && d.bodiless && !isConstructor({ ...type, declaration: d }),
  );
  const inherits = syntax.inherits.some(({ child, alias }) => child === declaration.name && !alias);
  if (new Set(heads.map(({ name }) => name)).size !== 1 && !(heads.length === 0 && inherits)) return false;
  if (style === "any interface") return true;
  const source = await project.source(file).catch(() => "");
  const from = source.lastIndexOf("\n", declaration.nameStart) + 1;
  return style.test(source.slice(from, declaration.nameStart));
}
