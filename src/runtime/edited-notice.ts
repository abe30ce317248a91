import { diffTexts } from "../text/diff.ts";
import { canonicalJson } from "../text/digest.ts";

const maxCharacters = 6_000;
/** The most characters of common text that are shown around a difference. */
const maxSame = 40;

/** Whether two inputs mean different calls. */
export function differs(one: unknown, other: unknown): boolean {
  return one !== other && canonicalJson(one) !== canonicalJson(other);
}

/** Tells the model how the person edited its call before approving it: only the differences. */
export function editedNotice(proposed: Record<string, unknown>, final: Record<string, unknown>): string {
  const text = differences("", proposed, final).join("\n");
  const shown =
    text.length <= maxCharacters
      ? text
      : `${text.slice(0, maxCharacters)}\n… ${text.length - maxCharacters} more characters of their edits. Read the current content.`;
  return `The person edited this call before approving it (- yours, + theirs):\n${shown}`;
}

function differences(name: string, before: unknown, after: unknown): string[] {
  if (!differs(before ?? null, after ?? null)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(name, before, after);
  if (isRecord(before) && isRecord(after)) {
    const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...fields].flatMap((field) =>
      differences(name === "" ? field : `${name}.${field}`, before[field], after[field]),
    );
  }
  if (typeof before === "string" && typeof after === "string") {
    if (`${before}${after}`.includes("\n")) {
      return [`${name}:\n${withoutHeader(diffTexts(name, before, after).diff)}`];
    }
    const [yours, theirs] = partsThatDiffer(before, after);
    return [`${name}: ${JSON.stringify(yours)} → ${JSON.stringify(theirs)}`];
  }
  return [
    ...(before === undefined ? [] : [`- ${name}: ${canonicalJson(before)}`]),
    ...(after === undefined ? [] : [`+ ${name}: ${canonicalJson(after)}`]),
  ];
}

/** Equal items at the beginning and the end are omitted. */
function ofLists(name: string, before: readonly unknown[], after: readonly unknown[]): string[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && !differs(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && !differs(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const length = Math.max(before.length, after.length) - tail;
  return Array.from({ length: length - head }, (_, at) => head + at).flatMap((at) =>
    differences(
      `${name}[${at}]`,
      at < before.length - tail ? before[at] : undefined,
      at < after.length - tail ? after[at] : undefined,
    ),
  );
}

function partsThatDiffer(before: string, after: string): [string, string] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [from, to] = [Math.max(0, head - maxSame), Math.max(0, tail - maxSame)];
  const part = (text: string) =>
    `${from > 0 ? "…" : ""}${text.slice(from, text.length - to)}${to > 0 ? "…" : ""}`;
  return [part(before), part(after)];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutHeader(diff: string): string {
  return diff.split("\n").slice(2).join("\n").trimEnd();
}
