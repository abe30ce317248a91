// The types of variables: as they are written, or as what makes their values returns.
import { posix } from "node:path";
import type { Language } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { enclosing } from "../syntax/syntax.ts";
import { type Declared, declarationsNamed, isType } from "./declared-types.ts";
import { agreed, type NamedType, namedIn, pathIn, unwrapped } from "./named-type.ts";
import { isNothing, valuesAt } from "./several-values.ts";
import { goesOn, isVague, spaceIn, typeInText, vagueless } from "./written-types.ts";

/** The type of the values that a variable may have at a place, where they have the same. */
export async function typeOfVariable(
  project: Project,
  file: ParsedFile,
  { name, offset, places, bound }: { name: string; offset: number; places: readonly number[]; bound: number },
): Promise<NamedType | undefined> {
  const { source, syntax } = file;
  const language = languageNamed(syntax.language);
  if (!language) return undefined;
  const typeAt = (at: number) => typeOfBinding(project, file, at, name, language);
  if (!language.dynamic || places.length < 2) return typeAt(bound);
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  const isOutside = enclosing(syntax, bound) !== enclosing(syntax, offset);
  const values = (isOutside ? sorted : valuesAt(source, sorted, offset)).filter(
    (at) => !isNothing(source.slice(at + name.length, at + name.length + 40)),
  );
  const types: (NamedType | undefined)[] = [];
  for (const at of values) types.push(await typeAt(at));
  return agreed(types);
}

/** What is written around a binding; else what the function that makes the value returns. */
export async function typeOfBinding(
  project: Project,
  file: ParsedFile,
  at: number,
  name: string,
  language: Language,
): Promise<NamedType | undefined> {
  const { source } = file;
  const written = typeInText(source, at, name, language);
  if (written)
    return namedIn(file.path, language.packageIs === "folder" ? { ...written, file: file.path } : written);
  const after = source.slice(at + name.length, at + name.length + 200);
  const call =
    /^(?:\s*,\s*[\w$]+)*\s*:?=\s*(?:await\s+|try[?!]?\s+|\*|&)?(?:([\w$]+)(\.|::|->|:))?([\w$]+)\s*(?:::)?(?:<[^<>()]*>)?\(/.exec(
      after,
    );
  const isFirst = !/,\s*$/.test(source.slice(Math.max(0, at - 20), at));
  if (!call?.[3] || !isFirst || goesOn(source, at + name.length + call[0].length)) return undefined;
  // `auto copy = Store();`
  const isMade = language.typeHints.declarators && /^\p{Lu}/u.test(call[3]);
  if (isMade && (await isType(project, call[3], language))) return { name: call[3], rest: "" };
  return returned(project, file, { name: call[3], on: call[1], operator: call[2] }, language);
}

/** `new T(…).name`, `(new T(…)).name`, `T(…).name`, `make(…).name`. */
export async function madeBefore(
  project: Project,
  file: ParsedFile,
  end: number,
  language: Language,
): Promise<NamedType | undefined> {
  const { source } = file;
  if (source[end - 1] !== ")") return undefined;
  let depth = 0;
  let at = end - 1;
  for (const least = Math.max(0, end - 400); at >= least; at--) {
    if (source[at] === ")") depth++;
    else if (source[at] === "(" && --depth === 0) break;
  }
  if (depth !== 0) return undefined;
  const head = source.slice(Math.max(0, at - 80), at);
  const named = (found: RegExpExecArray, name: string) =>
    namedIn(file.path, { name, rest: "", ...pathIn(found, name) });
  const inside = /^\s*new\s+(?:\w+\.|\w*\\)*(\w+)\s*(?:\((?:[^()]|\([^()]*\))*\))?\s*$/.exec(
    source.slice(at + 1, end - 1),
  );
  if (inside?.[1] && !/[\w$>]$/.test(head)) return named(inside, inside[1]);
  const made = /\bnew\s+(?:\w+\.)*(\w+)\s*(?:<[^<>]*>)?$/.exec(head);
  if (made?.[1]) return named(made, made[1]);
  const call = /(?:([\w$]+)?(\.|::|->|:))?([\w$]+)\s*(?:::)?(?:<[^<>()]*>)?$/.exec(head);
  if (call?.[3] === "new" && call[1] && language.newMakesValues && (await isType(project, call[1], language)))
    return { name: call[1], rest: "" };
  if (!call?.[3] || call[3] === "new") return undefined;
  if (/^\p{Lu}/u.test(call[3]) && (await isType(project, call[3], language))) return named(call, call[3]);
  const path = pathIn(call, call[3]).path?.replace(/(?:\.|::)\w+$/, "");
  return returned(project, file, { name: call[3], on: call[1], operator: call[2], path }, language);
}

/** The type that all functions of this name say they return, of those that can be called on this. */
async function returned(
  project: Project,
  from: ParsedFile,
  {
    name,
    on,
    operator,
    path: onPath,
  }: { name: string; on: string | undefined; operator: string | undefined; path?: string | undefined },
  language: Language,
): Promise<NamedType | undefined> {
  const { returns } = language.typeHints;
  if (!returns) return undefined;
  // `reset(list)` is no method where a receiver cannot be left out.
  const mayBeMethod = on !== undefined || language.implicitReceiver === true;
  const named = await declarationsNamed(project, name, language);
  const isNear = (d: Declared) => language.packageIs !== "folder" || isOfPackage(d, on, from);
  const declared = named.filter((d) => d.kind !== "func" || isNear(d));
  // What a macro stands for is not read.
  if (declared.some((d) => d.kind === "macro")) return undefined;
  const isOfValue = language.typeHints.declarators === true && (operator === "." || operator === "->");
  const functions = declared.filter(
    (d) => (d.kind === "func" && !isOfValue) || (d.kind === "method" && (mayBeMethod || isOfValue)),
  );
  const owned = functions.filter((d) => on !== undefined && d.owner?.split(".").at(-1) === on);
  // `std::move` is no `move` of anything else.
  const isPath = language.typeHints.declarators === true && operator === "::";
  const meant = owned.length > 0 || isPath ? owned : functions;
  return agreed(
    meant.map(({ signature, owner, file }) => {
      const found = returns.exec(signature);
      if (!found?.[1] || isVague(found[1])) return undefined;
      const rest = signature.slice(found.index + found[0].length);
      // The name itself may be cut there.
      if (rest === "…") return undefined;
      const type = vagueless(unwrapped(found[1], rest, language), language);
      if (type && language.packageIs === "folder") return { ...type, ...spaceIn(found, language), file };
      if (!type) return undefined;
      const own = owner?.split(".").at(-1);
      const isOwn = isSelf(type.name);
      if (isOwn && own === undefined) return undefined;
      const { path } = type.holder === undefined ? pathIn(found, found[1]) : type;
      const whole = { ...type, name: isOwn && own !== undefined ? own : type.name, ...(path && { path }) };
      // `Type.make()` gives a value of the `Type` that is written there.
      const isOfOwner = own === on && whole.name === on && path === undefined;
      return isOfOwner
        ? namedIn(from.path, { ...whole, ...(onPath && { path: onPath }) })
        : namedIn(file, whole);
    }),
  );
}

/** Whether a function is the one that a file calls by its bare name, or behind the name of an imported package. */
function isOfPackage(
  { file, package: name = "" }: Declared,
  on: string | undefined,
  { path, syntax }: ParsedFile,
): boolean {
  if (on === undefined)
    return posix.dirname(file) === posix.dirname(path) || syntax.imports.some(({ wildcard }) => wildcard);
  const clause = syntax.imports.find(({ whole }) => whole === on);
  return clause !== undefined && (name === on || clause.module.split("/").includes(name));
}

export const isSelf = (word: string) => /^(?:this|self|cls|Self|super|parent|static|base)$/.test(word);
