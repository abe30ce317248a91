import { typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Declaration, FileSyntax } from "./syntax.ts";

/** One line of a file's outline. */
export interface OutlineLine {
  name: string;
  kind: string;
  signature: string;
  line: number;
  endLine: number;
  /** How deep it is indented. */
  level: number;
}

/**
 * A file's declarations as a reader wants them: methods under their type wherever they stand, constructors too; plain
 * fields and enum members on one line; runs of constants as a block; what is inside functions left out.
 */
export function outlineOf(syntax: FileSyntax): OutlineLine[] {
  const { declarations } = syntax;
  const children = new Map<number, Declaration[]>();
  const put = (parent: number, declaration: Declaration) =>
    children.set(parent, [...(children.get(parent) ?? []), declaration]);
  for (const declaration of declarations) put(home(declaration, declarations, syntax.language), declaration);

  const lines: OutlineLine[] = [];
  const show = (declaration: Declaration, level: number) => {
    const { name, kind, signature, line, endLine } = declaration;
    lines.push({ name, kind, signature, line, endLine, level });
    if (kind === "func" || kind === "method" || kind === "var" || kind === "field") return;
    showAll(children.get(declarations.indexOf(declaration)) ?? [], level + 1, kind);
  };
  const showAll = (all: Declaration[], level: number, within?: string) => {
    for (let i = 0; i < all.length; ) {
      const run = runFrom(all, i, within);
      const [first] = run;
      if (!first) break;
      if (run.length === 1) show(first, level);
      else lines.push(folded(run, level, within));
      i += run.length;
    }
  };
  showAll(children.get(-1) ?? [], 0);
  return lines;
}

/** Where a declaration is shown: in what it stands in; a method elsewhere, and a constructor, under its type. */
function home(declaration: Declaration, all: readonly Declaration[], language: string): number {
  if (declaration.parent >= 0) return declaration.parent;
  const owner = declaration.owner?.split(".").at(-1);
  const isMaker =
    declaration.kind === "func" && (languageNamed(language)?.makerName?.test(declaration.name) ?? false);
  const type = owner ?? (isMaker ? /\)\s*\(?\*?(\w+)/.exec(declaration.signature)?.[1] : undefined);
  return type === undefined
    ? -1
    : all.findIndex((d) => d.name === type && typeKinds.has(d.kind) && d !== declaration);
}

/** Fields of a class, members of an enum and constants of a block, as many as stand together. */
function runFrom(all: readonly Declaration[], from: number, within: string | undefined): Declaration[] {
  const first = all[from];
  if (!first) return [];
  const foldable = (d: Declaration) =>
    d.kind === first.kind &&
    ((within !== undefined &&
      within !== "interface" &&
      within !== "module" &&
      (d.kind === "field" || (within === "enum" && d.kind === "const"))) ||
      isBare(d));
  let end = from;
  while (end < all.length && foldable(all[end] as Declaration)) end++;
  return all.slice(from, Math.max(from + 1, end));
}

/** A constant that is only its name and value, as in a Go block. */
const isBare = ({ kind, name, signature }: Declaration) =>
  (kind === "const" || kind === "var") && signature.startsWith(name) && !/[({]/.test(signature);

function folded(run: Declaration[], level: number, within: string | undefined): OutlineLine {
  const first = run[0] as Declaration;
  const last = run.at(-1) as Declaration;
  const names = run.map((d) => d.name);
  const shown = names.slice(0, 12).join(", ");
  const label = first.kind === "field" ? "fields" : within === "enum" ? "members" : first.kind;
  const more = names.length > 12 ? `, … ${names.length - 12} more` : "";
  return {
    name: first.name,
    kind: first.kind,
    signature: `${label}: ${shown}${more}`,
    line: first.line,
    endLine: last.endLine,
    level,
  };
}
