// Lines of code that the model has in front of it are not sent twice: tools that show numbered lines often meet the same
// function, since readers ask several questions about one place at once.

/** Tools whose results are numbered lines below the name of their file. */
const showsLines: ReadonlySet<string> = new Set(["search_code", "batch_read", "definition"]);

/** Fewer lines than this are sent again: a reference to them costs as much. */
const worthLeavingOut = 4;
/** The same for single lines, which are named together. */
const worthNaming = 2;

interface Result {
  tool: string;
  text: string;
}

/** The result's text without the numbered lines that earlier results have with equal number and text. */
export function withoutRepeatedLines({ tool, text }: Result, earlier: readonly Result[]): string {
  if (tool === "grep") return withoutKnownMatches(text, earlier);
  if (!showsLines.has(tool)) return text;
  const shown = earlier.filter((one) => one.tool === tool).map((one) => one.text);
  return withoutKnownLines(tool === "search_code" ? withoutKnownPlaces(text, shown) : text, earlier);
}

/** A list of places without those that an earlier search has named, which are named at the end. */
function withoutKnownPlaces(text: string, earlier: readonly string[]): string {
  const known = new Set(earlier.flatMap((one) => placesOf(one).map(({ place }) => place)));
  const lines = text.split("\n");
  const places = placesOf(text).filter(({ place }) => known.has(place));
  if (places.length === 0) return text;
  const repeated = new Set<number>();
  for (const { index } of places) {
    repeated.add(index);
    // Its best lines and what it calls stand below it.
    for (let below = index + 1; isOfPlace(lines[below]); below++) repeated.add(below);
  }
  const kept = lines.filter((line, index) => {
    const isEmptied = repeated.has(index + 1) && !isPlaceKept(lines, repeated, index + 1);
    return !repeated.has(index) && !(isEmptied && /^\S/.test(line));
  });
  const named = places.map(({ place }) => place.replace(" ", ":")).join(", ");
  return [...kept, `listed above: ${named}`].join("\n");
}

const isOfPlace = (line = "") => /^ {2}(?:→|\d+:) /.test(line);

/** Whether one of the places from here to the next file stays. */
function isPlaceKept(lines: readonly string[], repeated: ReadonlySet<number>, from: number): boolean {
  for (let index = from; /^ /.test(lines[index] ?? ""); index++) if (!repeated.has(index)) return true;
  return false;
}

/** ` 12 name (8)` below the name of a file. */
function placesOf(text: string): { index: number; place: string }[] {
  let file = "";
  return text.split("\n").flatMap((line, index) => {
    const [, place] = /^ (\d+ \S+) \(\d+\)/.exec(line) ?? [];
    if (place === undefined) file = /^\S+$/.test(line) ? line : file;
    return place === undefined ? [] : [{ index, place: `${file} ${place}` }];
  });
}

/** Matching lines, ` 12: [name] text` below the name of a file, without those that were read before. */
function withoutKnownMatches(text: string, earlier: readonly Result[]): string {
  const known = knownLines(earlier);
  if (known.isEmpty) return text;
  const kept: string[] = [];
  let file = "";
  let repeated: { line: string; number: string }[] = [];
  const flush = () => {
    if (repeated.length >= worthNaming)
      kept.push(`  ${repeated.map(({ number }) => number).join(", ")}: shown above`);
    else kept.push(...repeated.map(({ line }) => line));
    repeated = [];
  };
  for (const line of text.split("\n")) {
    const [, number = "", code = ""] = /^ {2}(\d+): (?:\[\S+\] )?(.*)$/.exec(line) ?? [];
    if (number !== "" && known.hasText({ file, number, code: code.trim() })) {
      repeated.push({ line, number });
      continue;
    }
    flush();
    kept.push(line);
    if (number === "") file = /^(\S+)(?: \((?:\w+ )?\d+ of \d+\))?$/.exec(line)?.[1] ?? file;
  }
  flush();
  return kept.join("\n");
}

/** A numbered line of a file. */
interface Place {
  file: string;
  number: string;
  code: string;
}

/** Lines that were sent. */
class KnownLines {
  readonly #lines = new Set<string>();
  readonly #withoutIndentation = new Set<string>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  add(place: Place): void {
    this.#lines.add(keyOf(place));
    this.#withoutIndentation.add(keyOf({ ...place, code: place.code.trim() }));
  }

  has(place: Place): boolean {
    return this.#lines.has(keyOf(place));
  }

  /** For lists of places, which leave the indentation out. */
  hasText(place: Place): boolean {
    return this.#withoutIndentation.has(keyOf(place));
  }
}

const keyOf = ({ file, number, code }: Place) => `${file}\0${number}\0${code}`;

function knownLines(earlier: readonly Result[]): KnownLines {
  const known = new KnownLines();
  for (const { tool, text } of earlier)
    if (showsLines.has(tool)) for (const { place } of numberedLines(text)) if (place) known.add(place);
  return known;
}

/** Without what earlier results show, or this one further up. */
function withoutKnownLines(text: string, earlier: readonly Result[]): string {
  const known = knownLines(earlier);
  const kept: string[] = [];
  let repeated: { line: string; number: string }[] = [];
  const flush = () => {
    const [first] = repeated;
    const last = repeated.at(-1);
    if (first && last && repeated.length >= worthLeavingOut)
      kept.push(`… ${first.number}-${last.number} shown above`);
    else kept.push(...repeated.map(({ line }) => line));
    repeated = [];
  };
  for (const { line, place, number } of numberedLines(text)) {
    if (place && known.has(place)) repeated.push({ line, number });
    else {
      flush();
      kept.push(line);
      if (place) known.add(place);
    }
  }
  flush();
  return withoutEmptySections(kept).join("\n");
}

/** What nobody asked for and is shown above is not told again. */
const withoutEmptySections = (lines: readonly string[]): string[] => {
  const isEmpty = (at: number) =>
    /^== .*(?: \(called above.*\)|\] calls .*)$/.test(lines[at] ?? "") &&
    /^… \S+ shown above$/.test(lines[at + 1] ?? "") &&
    /^==|^$/.test(lines[at + 2] ?? "");
  return lines.filter((_, at) => !isEmpty(at) && !(at > 0 && isEmpty(at - 1)));
};

interface NumberedLine {
  line: string;
  number: string;
  /** Missing where a line is none of a file. */
  place?: Place;
}

/** A heading names the file of the numbered lines that follow: `== a.ts name`, `a.ts:3-9 name`, `Location: a.ts:3-9`. */
function* numberedLines(text: string): Iterable<NumberedLine> {
  let file: string | undefined;
  for (const line of text.split("\n")) {
    const [, number = "", code = ""] = /^(\d+)\t(.*)$/.exec(line) ?? [];
    if (number !== "") {
      yield { line, number, ...(file !== undefined && { place: { file, number, code } }) };
      continue;
    }
    const heading = /^== (\S+)|^(?:\s*Location: )?(\S+):\d+(?:-\d+)?(?: |$)/.exec(line);
    if (heading) file = heading[1] ?? heading[2];
    yield { line, number };
  }
}
