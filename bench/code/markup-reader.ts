// Elements of JSX in code that is read without a parser: what stands between them is text.

/** What the reader of code does for the reader of elements; each moves on in the source. */
export interface MarkupPlace {
  readonly source: string;
  at(): number;
  keep(count: number): void;
  blank(count: number): void;
  /** Code up to a closing brace, which is kept. */
  readCode(): void;
  skipComment(): boolean;
}

const opening = /^<(?:>|([A-Za-z][\w.:-]*)(?=[\s/><]))/;
const typeParameters = /^<[A-Za-z]\w*\s*(?:,|=|\bextends\b)/;
/** What stands before a value. */
const beforeValue = /(?:[(,=?:&|{[]|=>|\b(?:return|default|else)|^)\s*$/;

/** Whether an element seems to begin here: a `<` where a value is expected. */
export function mayBeElement(source: string, at: number): boolean {
  const rest = source.slice(at, at + 200);
  return (
    opening.test(rest) &&
    !typeParameters.test(rest) &&
    beforeValue.test(source.slice(Math.max(0, at - 300), at))
  );
}

/** Reads one element with all that it holds; false when it is none after all. */
export function readElement(place: MarkupPlace): boolean {
  const open = opening.exec(place.source.slice(place.at(), place.at() + 200));
  if (!open) return false;
  place.keep(open[0].length);
  const end = open[1] === undefined ? "open" : readAttributes(place);
  return end === "closed" || (end === "open" && readChildren(place, open[1] ?? ""));
}

function readAttributes(place: MarkupPlace): "open" | "closed" | undefined {
  let depth = 0;
  while (place.at() < place.source.length) {
    const sign = place.source[place.at()] ?? "";
    if (sign === '"' || sign === "'") {
      const end = place.source.indexOf(sign, place.at() + 1);
      if (end < 0) return undefined;
      place.blank(end + 1 - place.at());
    } else if (sign === "{") readBraces(place);
    else if (place.source.startsWith("/>", place.at())) {
      place.keep(2);
      return "closed";
    } else if (sign === ">" && depth === 0) {
      place.keep(1);
      return "open";
    } else if (!place.skipComment()) {
      // Type arguments: `<List<Item> items={…}>`.
      if (sign === "<") depth++;
      if (sign === ">") depth--;
      if (/[;()]/.test(sign)) return undefined;
      place.keep(1);
    }
  }
  return undefined;
}

function readChildren(place: MarkupPlace, name: string): boolean {
  while (place.at() < place.source.length) {
    const rest = place.source.slice(place.at(), place.at() + name.length + 40);
    const close = /^<\/\s*([\w.:-]*)\s*>/.exec(rest);
    if (close) {
      place.keep(close[0].length);
      return close[1] === name;
    }
    if (rest.startsWith("{")) readBraces(place);
    else if (!rest.startsWith("<")) place.blank(1);
    else if (!readElement(place)) return false;
  }
  return false;
}

function readBraces(place: MarkupPlace): void {
  place.keep(1);
  place.readCode();
  place.keep(1);
}
