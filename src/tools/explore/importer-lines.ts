import { languageNamed, languageOf } from "../../code/languages/languages.ts";
import { visibleText } from "../../text/visible.ts";
import type { Rendering } from "../../tool/tool.ts";
import { counted, pageOf } from "./place-list.ts";

/** An import of a module, or the lines of a file that name it by a whole path. */
export interface ImporterValue {
  file: string;
  line: number;
  statement: string;
  within?: string | undefined;
  inline?: number[] | undefined;
  /** What is written fits several files. */
  isPossible?: boolean | undefined;
}

/** `2 files import a.rs, all found: 2 imports, 3 inline paths; the 4 files that could name it were checked`. */
export function importersHead(
  importers: readonly ImporterValue[],
  of: string | undefined,
  looked: number | undefined,
): string {
  const files = new Set(importers.map(({ file }) => file)).size;
  const head = `${files} ${files === 1 ? "file imports" : "files import"} ${of}`;
  return looked === undefined ? head : `${head}, all found: ${formsOf(importers)}; ${checkedText(looked)}`;
}

/** Said where nothing is left open. */
export const checkedText = (looked: number) =>
  looked === 1
    ? "the 1 file that could name it was checked"
    : `the ${looked} files that could name it were checked`;

/** How often each form occurs, of the forms that the language has. */
function formsOf(importers: readonly ImporterValue[]): string {
  const lines = importers.flatMap(({ inline = [] }) => inline).length;
  const imports = counted(importers.filter(({ inline }) => inline === undefined).length, "import");
  const language = languageNamed(languageOf(importers[0]?.file ?? "")?.name ?? "");
  const { importStyle, packageIs } = language ?? {};
  if (importStyle === "rust" || importStyle === "name" || packageIs === "declared")
    return `${imports}, ${lines === 0 ? "no inline path" : `${counted(lines, "line")} with an inline path`}`;
  const isDynamic = importStyle === "python" || language?.family === "script";
  return isDynamic ? `${imports}, dynamic ones included` : imports;
}

/** From so many on, imports that read the same have their text once. */
const fewestAlike = 3;

/** `a.ts:3  [load] import …`, or the text and below it the places that have it. */
export const importerLines = (importers: readonly ImporterValue[]) => importerBlocks(importers).flat();

/** The importers in pages. */
export function importerList(
  importers: readonly ImporterValue[],
  head: string,
  notes: readonly string[],
  cursor: string | undefined,
): Rendering {
  return pageOf(importerBlocks(importers), [head], notes, cursor);
}

function importerBlocks(importers: readonly ImporterValue[]): string[][] {
  const keyOf = ({ statement, inline }: ImporterValue) => (inline ? undefined : statement);
  const alike = Map.groupBy(importers, keyOf);
  return importers.flatMap((one) => {
    const same = alike.get(keyOf(one)) ?? [];
    if (keyOf(one) === undefined || same.length < fewestAlike)
      return [[`${placeOf(one)} ${visibleText(one.statement)}`]];
    if (same[0] !== one) return [];
    const places = same.map((each) => `  ${placeOf(each).trimEnd()}`);
    return places.map((place, at) => (at === 0 ? [visibleText(one.statement), place] : [place]));
  });
}

function placeOf({ file, line, within, inline, isPossible }: ImporterValue): string {
  const lines = `${inline?.join(",") ?? line}${isPossible ? "?" : ""}`;
  return `${file}:${lines} ${within ? ` [${within}]` : ""}${inline ? " inline:" : ""}`;
}
