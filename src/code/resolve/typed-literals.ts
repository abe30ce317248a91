import { familyOfLanguage } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { enclosing, isQuiet } from "../syntax/syntax.ts";
import { closing, opening, stepAt } from "./brackets.ts";
import type { Definition } from "./definitions.ts";
import { lineAt } from "./line-text.ts";
import type { ModuleFiles } from "./module-files.ts";
import { placesOf } from "./occurrences.ts";
import { findReferences } from "./references.ts";

/** An object literal that is checked against a type: `const x: T = {…}`, `{…} satisfies T`. */
export interface TypedLiteral {
  file: string;
  /** What it is assigned to, or the function it stands in. */
  name: string;
  /** Line of the member that was asked for; without one, of the literal. */
  line: number;
  text: string;
  /** How it is tied to the type: `: T`, `satisfies T`. */
  tie: string;
}

/** The object literals of a TypeScript type that are checked against it; only those that have `member`, where one is given. */
export async function literalsOf(
  project: Project,
  modules: ModuleFiles,
  types: readonly Definition[],
  { member, mayRead }: { member?: string | undefined; mayRead: (path: string) => boolean },
): Promise<TypedLiteral[]> {
  const typed = types.filter(({ syntax }) => familyOfLanguage(syntax.language) === typeScript);
  if (typed.length === 0) return [];
  const { references } = await findReferences(project, modules, typed, { mayRead });
  const found: TypedLiteral[] = [];
  for (const { file, offset, length, certain, kind } of references) {
    if (!certain || kind === "import") continue;
    const parsed = await project.parsed(file);
    if (!parsed) continue;
    const { source, syntax } = parsed;
    const within = enclosing(syntax, offset)?.name;
    for (const braces of literalsAt(parsed, offset, length)) {
      const at = member === undefined ? braces.from : memberIn(parsed, braces, member);
      if (at === undefined) continue;
      found.push({
        file,
        name: braces.name ?? within ?? "an object",
        line: lineFinder(source)(at),
        text: lineAt(source, at),
        tie: `${braces.sign} ${source.slice(offset, offset + length)}`,
      });
    }
  }
  return found;
}

const typeScript = familyOfLanguage("TypeScript");

interface Braces {
  from: number;
  to: number;
  name: string | undefined;
  /** What stands before the type. */
  sign: ":" | "satisfies";
}

/** Of a variable, of the elements of one, or what a function returns. */
function literalsAt(file: ParsedFile, offset: number, length: number): Braces[] {
  const one = literalAround(file, offset, length);
  if (one) return [one];
  const end = offset + length;
  const after = file.source.slice(end, end + 200);
  const list = /^(?:<[^<>={}]*>)?(?:\[\]|>)\s*=\s*\[/.exec(after);
  if (list) return elementsOf(file, end + list[0].length - 1);
  const result = /^(?:<[^<>={}]*>)?>?\s*(?:=>\s*)?(\(?)\{/.exec(after);
  const isResult = /\)\s*:\s*(?:Promise<\s*|Readonly<\s*)?$/.test(
    file.source.slice(Math.max(0, offset - 40), offset),
  );
  if (!result || !isResult) return [];
  const from = end + result[0].length - 1;
  if (result[1] === "") return returnedIn(file, from);
  const to = closing(file, from);
  return to === undefined ? [] : [{ from, to, name: undefined, sign: ":" }];
}

/** The literals right inside of brackets. */
function elementsOf(file: ParsedFile, start: number): Braces[] {
  const end = closing(file, start) ?? start;
  const found: Braces[] = [];
  for (let i = start + 1; i < end; i++) {
    if (file.source[i] !== "{" || isQuiet(file.syntax, i)) continue;
    const to = closing(file, i);
    if (to === undefined) break;
    if (/[[,]\s*$/.test(file.source.slice(Math.max(start, i - 40), i)))
      found.push({ from: i, to, name: undefined, sign: ":" });
    i = to;
  }
  return found;
}

/** The literals that a function returns, without those of functions inside of it. */
function returnedIn(file: ParsedFile, start: number): Braces[] {
  const { source, syntax } = file;
  const end = closing(file, start);
  if (end === undefined) return [];
  const own = enclosing(syntax, start + 1);
  return [...source.slice(start, end).matchAll(/\breturn\s*\(?\s*\{/g)].flatMap(
    ({ index, 0: text }): Braces[] => {
      const at = start + index;
      const from = at + text.length - 1;
      const to = isQuiet(syntax, at) || enclosing(syntax, at) !== own ? undefined : closing(file, from);
      return to === undefined ? [] : [{ from, to, name: undefined, sign: ":" }];
    },
  );
}

function literalAround(file: ParsedFile, offset: number, length: number): Braces | undefined {
  const { source } = file;
  const assigned = /^(?:<[^<>={}]*>)?\s*=\s*\{/.exec(source.slice(offset + length, offset + length + 200));
  if (assigned) {
    const from = offset + length + assigned[0].length - 1;
    const name = /([\p{L}_$][\p{L}\p{N}_$]*)\s*[?!]?:\s*(?:Readonly<\s*)?$/u.exec(
      source.slice(Math.max(0, offset - 120), offset),
    )?.[1];
    const to = closing(file, from);
    return to === undefined ? undefined : { from, to, name, sign: ":" };
  }
  const before = /\}\s*(?:as const\s+)?satisfies\s+$/.exec(source.slice(Math.max(0, offset - 60), offset));
  if (!before) return undefined;
  const to = Math.max(0, offset - 60) + before.index;
  const from = opening(file, to);
  if (from === undefined) return undefined;
  const name = /([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*$/u.exec(source.slice(Math.max(0, from - 120), from))?.[1];
  return { from, to, name, sign: "satisfies" };
}

/** Where a literal has a key, method or shorthand of this name, right inside its braces. */
function memberIn(file: ParsedFile, { from, to }: Braces, member: string): number | undefined {
  const { source, syntax } = file;
  const places = new Set(placesOf(member, source.slice(from, to)).map((at) => at + from));
  let depth = 0;
  for (let i = from; i < to; i++) {
    depth += stepAt(file, i);
    if (depth !== 1 || !places.has(i) || isQuiet(syntax, i)) continue;
    const before = source.slice(Math.max(from, i - 40), i);
    const after = source.slice(i + member.length, i + member.length + 20);
    if (
      /[{,]\s*(?:async\s+|get\s+|\*\s*|\/\/[^\n]*\n\s*)*$/.test(before) &&
      /^\s*[:(,<]|^\s*$|^\s*\}/.test(after)
    )
      return i;
  }
  return undefined;
}
