/** The position of a value in a JSON text, so that one part can be replaced without changing any other byte. */
export interface Span {
  start: number;
  end: number;
}

export interface ObjectSpans extends Span {
  /** The value of each member; for a repeated name, the last one. */
  members: Map<string, Span>;
}

/** The members of the object that begins at a position. The text must be valid JSON. */
export function objectAt(text: string, at: number): ObjectSpans {
  const members = new Map<string, Span>();
  let next = skipSpace(text, at + 1);
  while (text[next] !== "}") {
    const name = valueAt(text, next);
    const value = valueAt(text, skipSpace(text, skipSpace(text, name.end) + 1));
    members.set(JSON.parse(text.slice(name.start, name.end)) as string, value);
    next = skipSpace(text, value.end);
    if (text[next] === ",") next = skipSpace(text, next + 1);
  }
  return { start: at, end: next + 1, members };
}

/** The elements of the array that begins at a position. */
export function elementsAt(text: string, at: number): Span[] {
  const elements: Span[] = [];
  let next = skipSpace(text, at + 1);
  while (text[next] !== "]") {
    const value = valueAt(text, next);
    elements.push(value);
    next = skipSpace(text, value.end);
    if (text[next] === ",") next = skipSpace(text, next + 1);
  }
  return elements;
}

export function valueAt(text: string, from: number): Span {
  const start = skipSpace(text, from);
  const first = text[start];
  if (first === '"') return { start, end: endOfString(text, start) };
  if (first !== "{" && first !== "[") {
    const [word = ""] = /[^\s,\]}]*/y.exec(text.slice(start, start + 64)) ?? [];
    return { start, end: start + word.length };
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return { start, end: at + 1 };
  }
  return { start, end: text.length };
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (/[ \t\r\n]/.test(text[at] ?? "")) at++;
  return at;
}
