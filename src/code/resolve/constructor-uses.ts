// Where the constructor of a class in a script is called, which never stands under its name: `new Type()`, `super()`.
import { familyOfLanguage } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { enclosing, isQuiet, qualifiedName } from "../syntax/syntax.ts";
import type { Bindings } from "./bindings.ts";
import { parentOf } from "./declared.ts";
import type { Definition } from "./definitions.ts";
import type { Reference } from "./reference.ts";
import { inheritorsOf } from "./relations.ts";

/** The classes of constructors, where nothing else is asked for. */
export function classesConstructed(asked: readonly Definition[]): Definition[] {
  const found = new Map<number | string, Definition>();
  for (const one of asked) {
    const type = parentOf(one);
    const isConstructor =
      one.declaration.name === "constructor" && familyOfLanguage(one.syntax.language) === "script";
    if (!isConstructor || type?.kind !== "class") return [];
    found.set(`${one.file}:${type.nameStart}`, { ...one, declaration: type });
  }
  return [...found.values()];
}

/** What is made through the constructors of some classes: these, and those below without one; and the classes below with one. */
export async function constructedThrough(
  project: Project,
  bindings: Bindings,
  classes: readonly Definition[],
): Promise<{ made: Definition[]; calling: Definition[] }> {
  const made = [...classes];
  const calling: Definition[] = [];
  for (const type of made)
    for (const { definition, depth } of await inheritorsOf(project, bindings, type)) {
      if (depth !== 1 || [...made, ...calling].some((one) => isSame(one, definition))) continue;
      (hasConstructor(definition) ? calling : made).push(definition);
    }
  return { made, calling };
}

const isSame = (one: Definition, other: Definition) =>
  one.file === other.file && one.declaration.nameStart === other.declaration.nameStart;

const hasConstructor = ({ declaration: { start, end }, syntax }: Definition) =>
  syntax.declarations.some(
    (d) =>
      d.name === "constructor" &&
      d.start > start &&
      d.end <= end &&
      syntax.declarations[d.parent]?.start === start,
  );

/** `super()` in a class. */
export async function superCalls(
  project: Project,
  { file, declaration: { start, end } }: Definition,
): Promise<Reference[]> {
  const parsed = await project.parsed(file);
  if (!parsed) return [];
  const { source, syntax } = parsed;
  const lineOf = lineFinder(source);
  const isInner = (at: number) =>
    syntax.declarations.some((d) => d.kind === "class" && d.start > start && d.start <= at && at < d.end);
  return [...source.slice(start, end).matchAll(/(?<![\w$.])super\s*\(/g)]
    .map(({ index }) => start + index)
    .filter((at) => !isQuiet(syntax, at) && !isInner(at))
    .map((offset) => {
      const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
      const lineEnd = source.indexOf("\n", offset);
      const around = enclosing(syntax, offset);
      return {
        file,
        line: lineOf(offset),
        column: offset - lineStart + 1,
        offset,
        length: "super".length,
        text: source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).trim(),
        kind: "call",
        certain: true,
        ...(around && { within: qualifiedName(around), withinLine: around.line }),
      };
    });
}
