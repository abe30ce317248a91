// Lines of code that the model has in front of it are not sent twice: tools that show numbered lines often meet the same
// function, since readers ask several questions about one place at once.

/** Tools whose results are numbered lines below the name of their file. */
const showsLines: ReadonlySet<string> = new Set(["search_code", "batch_read", "definition"]);

/** Fewer lines than this are sent again: a reference to them costs as much. */
const worthLeavingOut = 5;
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

/** A list of places without those that an earlier search has named. */
function withoutKnownPlaces(text: string, earlier: readonly string[]): string {
  const known = new Set(earlier.flatMap((one) => placesOf(one).map(({ place }) => place)));
  const lines = text.split("\n");
  const places = placesOf(text).filter(({ place }) => known.has(place));
  if (places.length === 0) return text;
  // What a place calls stands in the line below it.
  const repeated = new Set(
    places.flatMap(({ index }) => (isOfCalls(lines[index + 1]) ? [index, index + 1] : [index])),
  );
  const kept = lines.filter((line, index) => {
    const isEmptied = repeated.has(index + 1) && !isPlaceKept(lines, repeated, index + 1);
    return !repeated.has(index) && !(isEmptied && /^\S/.test(line));
  });
  return kept.length > 0 ? kept.join("\n") : "Only places that are listed above.";
}

const isOfCalls = (line: string | undefined) => /^ {2}→ /.test(line ?? "");

/** Whether one of the places from here to the next file stays. */
function isPlaceKept(lines: readonly string[], repeated: ReadonlySet<number>, from: number): boolean {
  for (let index = from; /^ {1,2}[\d→]/.test(lines[index] ?? ""); index++)
    if (!repeated.has(index)) return true;
  return false;
}

/** ` 12 name (8): …` below the name of a file. */
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
  if (known.size === 0) return text;
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
    if (number !== "" && known.has(`${file}\0${number}\0${code.trim()}`)) {
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

/** File, number and text of every numbered line that was sent. */
const knownLines = (earlier: readonly Result[]): ReadonlySet<string> =>
  new Set(
    earlier
      .filter(({ tool }) => showsLines.has(tool))
      .flatMap(({ text }) => [...numberedLines(text)].flatMap(({ key }) => (key === undefined ? [] : [key]))),
  );

function withoutKnownLines(text: string, earlier: readonly Result[]): string {
  const known = knownLines(earlier);
  if (known.size === 0) return text;
  const kept: string[] = [];
  let repeated: { line: string; number: string }[] = [];
  const flush = () => {
    const [first] = repeated;
    const last = repeated.at(-1);
    if (first && last && repeated.length >= worthLeavingOut)
      kept.push(`${first.number}-${last.number}: shown above`);
    else kept.push(...repeated.map(({ line }) => line));
    repeated = [];
  };
  for (const { line, key, number } of numberedLines(text)) {
    if (key !== undefined && known.has(key)) repeated.push({ line, number });
    else {
      flush();
      kept.push(line);
    }
  }
  flush();
  return kept.join("\n");
}

interface NumberedLine {
  line: string;
  number: string;
  /** File, number and text; missing where a line is none of a file. */
  key?: string;
}

/** A heading names the file of the numbered lines that follow: `== a.ts name`, `a.ts:3-9 name`. */
function* numberedLines(text: string): Iterable<NumberedLine> {
  let file: string | undefined;
  for (const line of text.split("\n")) {
    const [, number = "", code = ""] = /^(\d+)\t(.*)$/.exec(line) ?? [];
    if (number !== "") {
      yield { line, number, ...(file !== undefined && { key: `${file}\0${number}\0${code.trim()}` }) };
      continue;
    }
    const heading = /^== (\S+)|^(\S+):\d+(?:-\d+)?(?: |$)/.exec(line);
    if (heading) file = heading[1] ?? heading[2];
    yield { line, number };
  }
}
