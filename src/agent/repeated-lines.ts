// Lines of code that the model has in front of it are not sent twice: tools that show numbered lines often meet the same
// function, since readers ask several questions about one place at once.

/** Tools whose results are numbered lines below the name of their file. */
const showsLines: ReadonlySet<string> = new Set(["search_code", "batch_read", "definition"]);

/** Fewer lines than this are sent again: a reference to them costs as much. */
const worthLeavingOut = 5;

interface Result {
  tool: string;
  text: string;
}

/** The result's text without the numbered lines that earlier results have with equal number and text. */
export function withoutRepeatedLines({ tool, text }: Result, earlier: readonly Result[]): string {
  if (!showsLines.has(tool)) return text;
  const shown = earlier.filter((one) => one.tool === tool).map((one) => one.text);
  return withoutKnownLines(tool === "search_code" ? withoutKnownPlaces(text, shown) : text, earlier);
}

/** A list of places without those that an earlier search has named. */
function withoutKnownPlaces(text: string, earlier: readonly string[]): string {
  const known = new Set(earlier.flatMap((one) => placesOf(one).map(({ place }) => place)));
  const repeated = new Set(
    placesOf(text)
      .filter(({ place }) => known.has(place))
      .map(({ index }) => index),
  );
  if (repeated.size === 0) return text;
  const lines = text.split("\n");
  const kept = lines.filter((line, index) => {
    const isEmptied = repeated.has(index + 1) && !isPlaceKept(lines, repeated, index + 1);
    return !repeated.has(index) && !(isEmptied && /^\S/.test(line));
  });
  return [...kept, `${repeated.size} more ${repeated.size === 1 ? "place" : "places"}: listed above`].join(
    "\n",
  );
}

/** Whether one of the places from here to the next file stays. */
function isPlaceKept(lines: readonly string[], repeated: ReadonlySet<number>, from: number): boolean {
  for (let index = from; /^ \d/.test(lines[index] ?? ""); index++) if (!repeated.has(index)) return true;
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

function withoutKnownLines(text: string, earlier: readonly Result[]): string {
  const known = new Set<string>();
  for (const one of earlier)
    if (showsLines.has(one.tool)) for (const { key } of numberedLines(one.text)) if (key) known.add(key);
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
