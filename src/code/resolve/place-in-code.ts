// What stands around a place in a file: an import, markup, a type's body, a namespace.
import { type Language, typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { ParsedFile } from "../project/project.ts";
import { enclosing } from "../syntax/syntax.ts";
import { localAt } from "./occurrences.ts";

/** `<html>` in markup is the element, whatever has its name; a component begins with a capital. */
export const isElement = (source: string, offset: number) =>
  /^[a-z]/.test(source.slice(offset, offset + 1)) &&
  /(?:^|[^\w$)\]])<\/?$/.test(source.slice(Math.max(0, offset - 3), offset));

export const importAt = ({ syntax }: ParsedFile, offset: number) =>
  syntax.imports.find((clause) => clause.start <= offset && offset < clause.end);

/** A local that holds no module. */
export function isVariable({ syntax }: ParsedFile, name: string, offset: number): boolean {
  const local = localAt(syntax, name, offset);
  const isModule = syntax.imports.some(
    ({ whole, start }) => whole === name && local && start > local[1] && start - local[1] < 200,
  );
  return local !== undefined && !isModule;
}

/** Whether a key is that of a pattern, which binds a name behind it: `{ key: name }`. */
export function isKeyOfPattern({ source, syntax }: ParsedFile, key: string, offset: number): boolean {
  const end = offset + key.length;
  const value = end + (/^\s*:\s*/.exec(source.slice(end, end + 100))?.[0].length ?? 0);
  return (
    value > end &&
    (syntax.locals.some(([, at]) => at === value) || syntax.declarations.some((d) => d.nameStart === value))
  );
}

/** In a type's body, not in one of its methods. */
export function isDirectlyIn({ source, syntax }: ParsedFile, offset: number): boolean {
  const around = syntax.declarations.findLast(
    (d) =>
      d.start <= offset && offset < d.end && d.kind !== "var" && d.kind !== "field" && d.kind !== "const",
  );
  if (!around || typeKinds.has(around.kind)) return around !== undefined;
  const parent = syntax.declarations[around.parent];
  return (
    languageNamed(syntax.language)?.headsAreOutside === true &&
    parent !== undefined &&
    typeKinds.has(parent.kind) &&
    offset < endOfHead(source, around.nameStart)
  );
}

/** Where the body of a function begins: behind the first colon outside of all brackets. */
function endOfHead(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const sign = source[at] ?? "";
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
    else if (sign === ":" && depth === 0) return at;
  }
  return source.length;
}

/** The types that a variable is tested for or converted to, in the function around a place and before it. */
export function testedTypes({ source, syntax }: ParsedFile, name: string, offset: number): string[] {
  const before = source.slice(enclosing(syntax, offset)?.start ?? 0, offset);
  if (!/^[\w$]+$/.test(name) || !before.includes(name)) return [];
  const variable = `(?<![\\w.])\\$?${name.replaceAll("$", "\\$")}`;
  const test = new RegExp(
    `${variable}\\)?\\s+(?:!?(?:instanceof|is)|as[?!]?)\\s+([\\w.\\\\:]+)|\\bisinstance\\(\\s*${variable}\\s*,\\s*([^)]*)`,
    "g",
  );
  return Array.from(before.matchAll(test), ([, one = "", several = ""]) =>
    (several || one).split(",").flatMap((type) => /(\w+)\W*$/.exec(type)?.[1] ?? []),
  ).flat();
}

/** The last part of the namespace before a name, where it is joined by a sign of its own; "" for no namespace. */
export function qualifierBefore(
  { source, syntax }: ParsedFile,
  language: Language,
  offset: number,
): string | undefined {
  const sign = language.namespaceSeparator;
  // A function that a text names is not looked for in the namespace around.
  if (language.methodTexts && /["']/.test(source[offset - 1] ?? "")) return "";
  if (sign === undefined || source[offset - 1] !== sign) return undefined;
  const [, isInner, name] = /(\\?)(\w*)\\$/.exec(source.slice(Math.max(0, offset - 80), offset)) ?? [];
  if (!name || isInner) return name;
  // `use App\Blocks as Parts;`, then `Parts\Name`.
  const imported = syntax.imports.flatMap(({ names = [] }) => names).find(([, alias]) => alias === name);
  return imported?.[0] ?? name;
}

/** Whether the language has only types where a name stands. */
export function isTypePlace(
  { file, language }: { file: ParsedFile; language: Language },
  name: string,
  offset: number,
): boolean {
  if (!language.isTypePlace) return false;
  const { source } = file;
  const end = offset + name.length;
  return language.isTypePlace(source.slice(Math.max(0, offset - 200), offset), source.slice(end, end + 100));
}
