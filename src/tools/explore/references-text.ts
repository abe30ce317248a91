// How the uses of a symbol are told to the model.
import { pathKind } from "../../code/files/path-kind.ts";
import { visibleText } from "../../text/visible.ts";
import type { Rendering } from "../../tool/tool.ts";
import { nameAround } from "./code-answers.ts";
import type { ReferencesValue } from "./references-value.ts";
import { gaps, leftText, othersText, sureText } from "./sorted-answer.ts";

/** More possible uses than this are listed by line number only. */
const listedPossible = 30;
/** Of more uses in tests than this, the lines are told without their text. */
const listedInTests = 25;

type Reference = ReferencesValue["references"][number];

export function referencesText(value: ReferencesValue, symbol: string): Rendering {
  const notes = [
    ...(value.caveat ? [value.caveat] : []),
    ...(value.sorted ? gaps(value.sorted) : []),
    ...(value.notice ? [value.notice] : []),
  ];
  if (value.definitions.length === 0) return undefinedText(value, symbol, notes);
  const left = value.sorted ? leftText(value.sorted) : [];
  if (value.references.length === 0) {
    const places = value.definitions.slice(0, shownDefinitions).map((d) => `${d.file}:${d.line}`);
    const more = value.definitions.length - places.length;
    const all = places.join(", ").concat(more > 0 ? ` and ${more} more` : "");
    const where = left.length > 0 ? " in the files looked at" : "";
    const elsewhere = value.sorted?.other ? ` ${otherPlaces(value.sorted, value.definitions)}` : "";
    return [`No references to ${symbol}${where} (defined at ${all}).${elsewhere}`, ...left, ...notes].join(
      "\n",
    );
  }
  const head = headOf(value, symbol, left);
  const groups = [...Map.groupBy(value.references, ({ file }) => file)];
  const possible = value.references.filter(({ byName }) => byName).length;
  const doubtful = possible > 0 ? ["? = possible: nothing proves or excludes it"] : [];
  const inTests = value.references.filter((one) => isTest(one.file) && one.kind !== "import").length;
  const told = (file: string, all: readonly Reference[]) =>
    inTests > listedInTests && isTest(file)
      ? [`${file}: ${lineNumbers(all)}`]
      : inFile(file, all, possible > listedPossible);
  return [
    [head, ...groups.flatMap(([file, all]) => told(file, all)), ...doubtful, ...notes].join("\n"),
    () =>
      [head, ...groups.map(([file, all]) => `${file}: ${bySymbol(all)}`), ...doubtful, ...notes].join("\n"),
    () => [head, ...groups.map(([file, all]) => `${file}: ${all.length}`), ...notes].join("\n"),
    () =>
      [head, `${groups.length} files; give path to see the uses below one directory.`, ...notes].join("\n"),
  ];
}

function undefinedText({ notParsed, holders }: ReferencesValue, symbol: string, notes: string[]): string {
  if (notParsed !== undefined)
    return `${notParsed} could not be parsed in time, so what it declares is not known. Ask again, or use grep.`;
  const used = holders ? `, but occurs in ${counted(holders, "file")} of code` : "";
  return [
    `"${symbol}" is not defined here${used}. Use grep to search for the text, or definition to find similar names.`,
    ...notes,
  ].join("\n");
}

/** How many there are and how sure that is; then the declaration. */
function headOf(
  { references, sorted, definitions, notice }: ReferencesValue,
  symbol: string,
  left: string[],
): string {
  const isImport = ({ kind }: Reference) => kind === "import";
  const imports = new Set(references.filter(isImport).map(({ file, line }) => `${file}:${line}`)).size;
  const uses = references.filter((one) => !isImport(one)).length;
  const files = new Set(references.map(({ file }) => file)).size;
  const isAll = sorted && !sorted.left && !sorted.unparsed && !notice;
  return [
    [
      `${counted(uses, "use")}${imports > 0 ? ` and ${counted(imports, "import")}` : ""} of ${symbol} in ${counted(files, "file")}`,
      ...(sorted && sorted.possible > 0 ? [`: ${sureText(sorted)}`] : []),
      ...(isAll ? ["; every occurrence in code is accounted for"] : []),
      ...(sorted && sorted.other > 0 ? [`. ${otherPlaces(sorted, definitions)}`] : []),
    ].join(""),
    ...declared(definitions, symbol),
    ...left,
  ].join("\n");
}

/** `Not counted: 4 that belong to Store.open`; of what has the same name elsewhere, only the file is told. */
function otherPlaces(
  sorted: NonNullable<ReferencesValue["sorted"]>,
  definitions: ReferencesValue["definitions"],
): string {
  const ending = `#${definitions[0]?.name ?? ""}`;
  const others = sorted.others.map(({ symbol, count }) => ({
    symbol: symbol.endsWith(ending) ? symbol.slice(0, -ending.length) : symbol,
    count,
  }));
  const [first, second] = others;
  const of = first && !second ? first.symbol : `others: ${othersText({ ...sorted, others })}`;
  return `Not counted: ${sorted.other} that ${sorted.other === 1 ? "belongs" : "belong"} to ${of}`;
}

const shownDefinitions = 3;
const longestSignature = 120;

function declared(definitions: ReferencesValue["definitions"], symbol: string): string[] {
  const lines = definitions.slice(0, shownDefinitions).map(({ file, line, signature }) => {
    // `src/a.ts#name` was asked for: the file need not be said again.
    const place = symbol.startsWith(`${file}#`) ? `in line ${line}` : `at ${file}:${line}`;
    return `defined ${place}: ${shortened(signature, longestSignature)}`;
  });
  const more = definitions.length - shownDefinitions;
  return [...lines, ...(more > 0 ? [`and at ${counted(more, "further place")}`] : [])];
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

const isTest = (file: string) => pathKind(file) === "test";

function shortened(text: string, most: number): string {
  return visibleText(text.length > most ? `${text.slice(0, most - 1)}…` : text);
}

/** Of one file; where there are very many possible uses, those by their lines alone. */
function inFile(file: string, uses: readonly Reference[], isVague: boolean): string[] {
  if (!isVague) return [file, ...withText(uses)];
  const sure = uses.filter(({ byName }) => !byName);
  const possible = uses.filter(({ byName }) => byName);
  const lines = possible.length > 0 ? `: ? ${bySymbol(possible)}` : "";
  return [`${file}${lines}`, ...withText(sure)];
}

const longestText = 120;
const longestBinding = 80;

/** One row for each line; `["]` stands for the name of the row before. */
function withText(uses: readonly Reference[]): string[] {
  let last: string | undefined;
  const bound = new Set<number>();
  return [...Map.groupBy(uses, ({ line }) => line).values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const { line, text, within, kind, binding } = first;
    const name = within === undefined ? "" : within === last ? ' ["]' : ` [${nameAround(within)}]`;
    last = within;
    const mark = all.some(({ byName }) => byName) ? "?" : "";
    const isPlain = kind !== "import" || startsAsImport.test(text);
    const shown = `${isPlain ? "" : "import: "}${shortened(text, kind === "import" ? 2 * longestText : longestText)}`;
    const row = `  ${line}${mark}${name} ${shown}${moreText(all)}`;
    if (!binding || bound.has(binding.line)) return [row];
    bound.add(binding.line);
    return [row, `    from ${binding.line}: ${shortened(binding.text, longestBinding)}`];
  });
}

const startsAsImport =
  /^(?:import|export|from|use|pub(?:\([^)]*\))? (?:use|mod)|mod|require|#include|using|const|let|var)\b|^#include/;

/** What else there is to say of the uses in one line. */
function moreText(all: readonly Reference[]): string {
  const { kind, reexport } = all[0] ?? {};
  if (reexport)
    return reexport.users === undefined
      ? " (re-export)"
      : ` (re-export, ${reexport.users === 0 ? "used by nothing here" : `used through it in ${counted(reexport.users, "file")}`})`;
  return all.length > 1 && kind !== "import" ? ` (${all.length} in this line)` : "";
}

/** `4, 7?, 12`. */
function lineNumbers(uses: readonly Reference[]): string {
  const lines = Map.groupBy(uses, ({ line }) => line);
  return [...lines].map(([line, all]) => `${line}${all.some(({ byName }) => byName) ? "?" : ""}`).join(", ");
}

function bySymbol(uses: readonly Reference[]): string {
  return [
    ...Map.groupBy(uses, (r) =>
      r.kind === "import" ? "import" : r.within ? nameAround(r.within) : "top level",
    ),
  ]
    .map(([within, all]) => `${within} ${all.map((r) => r.line).join(",")}`)
    .join("; ");
}
