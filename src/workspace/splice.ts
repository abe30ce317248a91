import { diffArrays } from "diff";
import { Failure } from "../failure/failure.ts";
import { encodingWords } from "../text/encoding-names.ts";
import { lineNumbersAt } from "./line-table.ts";
import type { TextFile } from "./text-file.ts";

/** A part of a text that gives way to another. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

const maxEditLength = 2_000;
const wholeLine = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g;

/** Lines that both sides have stay as they are, and so does what changed lines begin and end with. */
export function splicesBetween(old: string, next: string, offset = 0): Splice[] {
  const [before, after] = [old, next].map((side) => [...(side.match(wholeLine) ?? [])]) as [
    string[],
    string[],
  ];
  const parts = diffArrays(before, after, { maxEditLength });
  const splices: Splice[] = [];
  let at = 0;
  let open: Splice | undefined;
  for (const { value, added, removed } of parts ?? [
    { value: [old], removed: true, added: false },
    { value: [next], removed: false, added: true },
  ]) {
    const text = value.join("");
    if (!added && !removed) {
      at += text.length;
      open = undefined;
      continue;
    }
    if (!open) {
      open = { start: at, end: at, text: "" };
      splices.push(open);
    }
    if (added) open.text += text;
    else {
      at += text.length;
      open.end = at;
    }
  }
  return splices.map((splice) => shifted(trimmed(old, splice), offset)).filter(isChange);
}

const isChange = ({ start, end, text }: Splice) => start !== end || text !== "";
const shifted = ({ start, end, text }: Splice, by: number) => ({ start: start + by, end: end + by, text });

function trimmed(text: string, { start, end, text: added }: Splice): Splice {
  let [from, to, head, tail] = [start, end, 0, added.length];
  while (from < to && head < tail && text[from] === added[head]) [from, head] = [from + 1, head + 1];
  if (splitsPair(text, from) || splitsPair(added, head)) [from, head] = [from - 1, head - 1];
  while (to > from && tail > head && text[to - 1] === added[tail - 1]) [to, tail] = [to - 1, tail - 1];
  if (splitsPair(text, to) || splitsPair(added, tail)) [to, tail] = [to + 1, tail + 1];
  return { start: from, end: to, text: added.slice(head, tail) };
}

/** Between the two halves of one character. */
function splitsPair(text: string, at: number): boolean {
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000;
}

export const splicedText = (text: string, splices: readonly Splice[]) => {
  let result = "";
  let from = 0;
  for (const { start, end, text: added } of splices) {
    result += text.slice(from, start) + added;
    from = end;
  }
  return result + text.slice(from);
};

/** The file with parts of its text replaced, in its encoding. All other bytes stay as they are, valid or not. */
export async function spliced<F extends TextFile>(file: F, splices: readonly Splice[]): Promise<F> {
  const { bytes, text, encoding } = file;
  const after = splicedText(text, splices);
  const isPlain = encoding.name === "utf-8" && encoding.others.length === 0 && !text.includes("\ufffd");
  const legacy = isPlain ? undefined : await import("../text/legacy-encoding.ts");
  const offsets = isPlain ? plainOffsets(file, splices) : await byteOffsets(file, splices);
  const parts: Uint8Array[] = [];
  let [from, grown] = [0, 0];
  splices.forEach(({ start, end, text: added }, i) => {
    const at = start + grown;
    const lineOf = (inside: number) => lineNumbersAt(after, [at + inside])[0] ?? 1;
    const made = legacy ? legacy.encode(added, encoding, lineOf) : Buffer.from(added);
    parts.push(bytes.subarray(from, offsets[2 * i]), made);
    from = offsets[2 * i + 1] ?? bytes.length;
    grown += added.length - (end - start);
  });
  const made = Buffer.concat([...parts, bytes.subarray(from)]);
  const mark = encoding.marked ? markLength(encoding.name) : 0;
  if (legacy && legacy.decode(made.subarray(mark), encoding.name) !== after) throw notApart(file);
  return { ...file, bytes: made, text: after };
}

const markLength = (name: string) => (name === "utf-8" ? 3 : 2);

function plainOffsets({ text, encoding }: TextFile, splices: readonly Splice[]): number[] {
  let [position, offset] = [0, encoding.marked ? markLength("utf-8") : 0];
  return splices
    .flatMap(({ start, end }) => [start, end])
    .map((at) => {
      offset += Buffer.byteLength(text.slice(position, at));
      position = at;
      return offset;
    });
}

/** Within a line, its bytes are decoded one after the other: what is invalid counts as the decoder counts it. */
async function byteOffsets(file: TextFile, splices: readonly Splice[]): Promise<number[]> {
  const { bytes, text, encoding } = file;
  const mark = encoding.marked ? markLength(encoding.name) : 0;
  const places = splices.flatMap(({ start, end }) => [start, end]);
  if (encoding.name.startsWith("utf-16")) return places.map((at) => mark + 2 * at);
  const { decoderOf } = await import("../text/legacy-encoding.ts");
  let [line, lineBytes] = [0, mark];
  return places.map((at) => {
    for (let next = text.indexOf("\n", line) + 1; next > 0 && next <= at; next = text.indexOf("\n", line) + 1)
      [line, lineBytes] = [next, bytes.indexOf(10, lineBytes) + 1];
    const decode = decoderOf(encoding.name);
    let [read, end] = [0, lineBytes];
    while (read < at - line && end < bytes.length) read += decode(bytes.subarray(end, ++end)).length;
    if (read !== at - line) throw notApart(file);
    return end;
  });
}

function notApart({ encoding }: TextFile): Failure {
  return new Failure(
    "INVALID_INPUT",
    `The change is beside bytes that are not valid in ${encodingWords(encoding)}, and could not be told apart from them. Change the whole line, or write the file as base64.`,
  );
}

/** The whole new content of an existing file: in its encoding, with its mark, and with the line breaks that it has. */
export async function rewritten<F extends TextFile>(file: F, content: string): Promise<F> {
  const next = content.replace(/^\ufeff/, "");
  return spliced(file, splicesBetween(file.text, withBreaksOf(file.text, next)));
}

/** Lines that stay keep their break, new ones get that of the line before. */
function withBreaksOf(text: string, next: string): string {
  const breaks = new Set(text.match(/\r\n|\n|\r/g));
  const [only] = breaks;
  if (only === undefined) return next;
  if (breaks.size === 1) return next.replace(/\r\n|\n|\r/g, only);
  const old = linesWithBreaks(text);
  const lines = linesWithBreaks(next);
  const same = diffArrays(
    old.map(([line]) => line),
    lines.map(([line]) => line),
    { maxEditLength },
  );
  const made: string[] = [];
  let [at, last] = [0, old[0]?.[1] || only];
  for (const { value, added, removed } of same ?? [
    { value: lines.map(([line]) => line), added: true, removed: false },
  ]) {
    for (const line of value) {
      if (!added) last = old[at++]?.[1] || last;
      if (!removed) made.push(line + (made.length === lines.length - 1 ? lines.at(-1)?.[1] && last : last));
    }
  }
  return made.join("");
}

function linesWithBreaks(text: string): [line: string, ending: string][] {
  return [...text.matchAll(/([^\r\n]*)(\r\n|\n|\r)|([^\r\n]+)$/g)].map(([, line, ending, rest]) => [
    line ?? rest ?? "",
    ending ?? "",
  ]);
}
