// Lines of code that the model has in front of it are not sent twice: tools that show numbered lines often meet the same
// function, since readers ask several questions about one place at once.

/** Tools whose results are numbered lines below the name of their file. */
const showsLines: ReadonlySet<string> = new Set(["search_code", "batch_read", "definition"]);

/** Fewer lines than this are sent again: a reference to them costs as much. */
const worthLeavingOut = 4;
/** The same for single lines, which are named together. */
const worthNaming = 2;
/** A line is joined of no more than so many, blank and closing ones included. */
const mostJoined = 16;

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
  const named = places.map(({ place }) => place.replace(" ", ":")).join(", ");
  return [...kept, `listed above: ${named}`].join("\n");
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
    if (number !== "" && known.has({ file, number, code: code.trim() })) {
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

/** A numbered line of a file. Lines that were joined have the numbers of the first and the last: `3-5`. */
interface Place {
  file: string;
  number: string;
  code: string;
}

/** Lines that were sent. */
class KnownLines {
  readonly #texts = new Map<string, Set<string>>();

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  add({ file, number, code }: Place): void {
    const key = `${file}\0${firstOf(number)}`;
    this.#texts.set(key, (this.#texts.get(key) ?? new Set()).add(code));
  }

  /** Whether the line was sent, or all those that it was joined of. */
  has({ file, number, code }: Place): boolean {
    const first = firstOf(number);
    const textsAt = (line: number) => this.#texts.get(`${file}\0${line}`) ?? new Set();
    if (textsAt(first).has(code)) return true;
    let rest = code;
    for (let line = first; line <= first + mostJoined; line++) {
      const texts = textsAt(line);
      if (texts.has(rest)) return true;
      // Blank and closing lines are not sent.
      if (texts.size === 0 && line > first) continue;
      const after: string | undefined = [...texts].flatMap((text) => behind(rest, text) ?? [])[0];
      if (after === undefined) return false;
      if (/^[)\]}]+$/.test(after)) return true;
      rest = after;
    }
    return false;
  }
}

/** What follows one of the lines that were joined; the last comma of a value is left out there. */
function behind(joined: string, line: string): string | undefined {
  const start = line.replace(/,$/, "");
  const rest = joined.startsWith(start) ? joined.slice(start.length).replace(/^,/, "") : "";
  return rest.startsWith(" ") ? rest.slice(1) : undefined;
}

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
      kept.push(`${firstOf(first.number)}-${lastOf(last.number)}: shown above`);
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
  return kept.join("\n");
}

const firstOf = (number: string) => Number.parseInt(number, 10);
const lastOf = (number: string) => number.split("-").at(-1);

interface NumberedLine {
  line: string;
  number: string;
  /** Missing where a line is none of a file. */
  place?: Place;
}

/** A heading names the file of the numbered lines that follow: `== a.ts name`, `a.ts:3-9 name`. */
function* numberedLines(text: string): Iterable<NumberedLine> {
  let file: string | undefined;
  for (const line of text.split("\n")) {
    const [, number = "", code = ""] = /^(\d+(?:-\d+)?)\t(.*)$/.exec(line) ?? [];
    if (number !== "") {
      yield { line, number, ...(file !== undefined && { place: { file, number, code: code.trim() } }) };
      continue;
    }
    const heading = /^== (\S+)|^(\S+):\d+(?:-\d+)?(?: |$)/.exec(line);
    if (heading) file = heading[1] ?? heading[2];
    yield { line, number };
  }
}
