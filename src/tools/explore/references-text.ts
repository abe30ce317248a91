// How the uses of a symbol are told to the model.
import type { Rendering } from "../../tool/tool.ts";
import { listLimits } from "./list-limits.ts";
import { fileOrder } from "./match-collector.ts";
import { readMatchCursor } from "./match-cursor.ts";
import {
  beyondPage,
  counted,
  cut,
  headingsOf,
  type ListedPlace,
  placeList,
  sectionOf,
} from "./place-list.ts";
import type { ReferencesValue } from "./references-value.ts";
import { gaps, leftText, othersText, sureText } from "./sorted-answer.ts";

type Reference = ReferencesValue["references"][number];

export function referencesText(value: ReferencesValue, symbol: string, cursor?: string): Rendering {
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
  const places = placesOf(value.references);
  // Where the page before ended; what has changed since then is shown from the start.
  const after = cursor === undefined ? undefined : readMatchCursor(cursor);
  const start = after
    ? places.findIndex(({ file, line }) => file === after.file && line === after.line) + 1
    : 0;
  const page = places.slice(start);
  const doubtful = value.references.some(({ byName }) => byName)
    ? ["? = possible: nothing proves or excludes it"]
    : [];
  return placeList({
    places: page,
    head: [headOf(value, symbol, left)],
    headings: headingsOf(places),
    rest: (shown, budget) => [...beyondPage(page, shown, budget), ...doubtful, ...notes],
  });
}

const onlyPossible = "Only possible (?)";

/** Uses as places: one for each line; those in tests, and very many possible ones, behind the others. */
function placesOf(references: readonly Reference[]): ListedPlace[] {
  const compareFiles = fileOrder();
  const isVague = references.filter(({ byName }) => byName).length > listLimits.possible;
  const lines = Map.groupBy(references, ({ file, line }) => `${line} ${file}`);
  const places = [...lines.values()].flatMap((all): ListedPlace[] => {
    const [first] = all;
    if (!first) return [];
    const { file, line, text, statement, within, kind, binding } = first;
    const isPossible = all.some(({ byName }) => byName);
    const isPlain = kind !== "import" || statement !== undefined || startsAsImport.test(text);
    const section = sectionOf(file) ?? (isVague && isPossible ? onlyPossible : undefined);
    const isImport = kind === "import";
    const place = {
      file,
      line,
      within,
      isImport,
      isPossible,
      section,
      text: `${isPlain ? "" : "import: "}${text}`,
    };
    return [
      {
        ...place,
        note: `${statement ? ` (${statement})` : ""}${moreText(all)}`,
        ...(binding && { binding }),
      },
    ];
  });
  const order = (section?: string) => (section === undefined ? 0 : section === onlyPossible ? 1 : 2);
  return places.sort(
    (a, b) => order(a.section) - order(b.section) || compareFiles(a.file, b.file) || a.line - b.line,
  );
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
    return `defined ${place}: ${cut(signature, longestSignature)}`;
  });
  const more = definitions.length - shownDefinitions;
  return [...lines, ...(more > 0 ? [`and at ${counted(more, "further place")}`] : [])];
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
