import { isComment } from "../../code/search/shown-lines.ts";

export interface NumberedLine {
  number: number;
  /** Of the last line that was joined with it, unless it is the next one. */
  last?: number;
  /** Indented by one space for each level. */
  line: string;
}

/** A joined line is no longer than this. */
const widest = 140;
/** Arguments, fields or elements that are joined with the line that opens their brackets. */
const mostValues = 12;

/**
 * Without a number and an indentation of its own, a line costs less: `if (x) {` is joined with its only statement, and a
 * call or a value that is written in several lines with these, where the result is not too long.
 */
export function joinedLines(lines: readonly NumberedLine[]): NumberedLine[] {
  const joined: NumberedLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const head = lines[at] as NumberedLine;
    const inside = insideOf(lines, at);
    const last = inside.at(-1)?.number ?? head.number;
    const next = lines[at + 1 + inside.length];
    const text = textOf(head, inside, next?.number !== last + 1);
    if (text === undefined) joined.push(head);
    else joined.push({ ...head, line: text, ...(last > head.number + 1 && { last }) });
    at += text === undefined ? 1 : 1 + inside.length;
  }
  return joined;
}

const depthOf = ({ line }: NumberedLine) => line.length - line.trimStart().length;

function insideOf(lines: readonly NumberedLine[], at: number): NumberedLine[] {
  const head = lines[at] as NumberedLine;
  const end = lines.findIndex((one, index) => index > at && depthOf(one) <= depthOf(head));
  return lines.slice(at + 1, end < 0 ? lines.length : end);
}

/** The joined line, or nothing where it would be hard to read. A value that is complete ends with its closing brackets. */
function textOf(head: NumberedLine, inside: readonly NumberedLine[], isClosed: boolean): string | undefined {
  const isValue = /[([]\s*$|[=(:,[]\s*[\w.<>&]*\{\s*$/.test(head.line);
  const isBlock = /[{:]\s*$|\b(?:then|do)\s*$/.test(head.line);
  const most = isValue ? mostValues : isBlock ? 1 : 0;
  if (inside.length === 0 || inside.length > most || isComment(head.line)) return undefined;
  const isFlat = inside.every(
    (one) => depthOf(one) === depthOf(head) + 1 && !isComment(one.line) && !/\s(?:\/\/|#)\s|…/.test(one.line),
  );
  const text = [head.line, ...inside.map(({ line }) => line.trim())].join(" ");
  if (!isFlat || text.length > widest) return undefined;
  return isValue && isClosed ? `${text.replace(/,$/, "")} ${closingOf(head.line)}` : text;
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** `})` for a line that ends with `({`. */
const closingOf = (line: string) =>
  [...(/[([{]+\s*$/.exec(line)?.[0].trim() ?? "")]
    .map((opener) => closers[opener])
    .reverse()
    .join("");
