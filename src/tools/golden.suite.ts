import { expect } from "vitest";

/** A call as the model writes it, and the text that it reads. */
export interface GoldenCall {
  input: object;
  text: string;
}

const sizes = ["nothing", "usual", "very much"];

/** Compares what a model reads from a tool, at three sizes, with the text in `golden/`. */
export async function expectGolden(tool: string, calls: readonly GoldenCall[]): Promise<void> {
  const texts = calls.map(({ input, text }, index) => {
    const shown = JSON.stringify(input);
    const head = shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
    return steady(`━━ ${sizes[index]}: ${tool}(${head})\n${text}\n`);
  });
  await expect(texts.join("\n")).toMatchFileSnapshot(`golden/${tool}.txt`);
}

/** Without what differs from run to run: ids, hashes, times and durations. */
function steady(text: string): string {
  return text
    .replace(/\b[0-9a-f]{40}\b/g, "…hash…")
    .replace(/\b[0-9a-f]{9}\b/g, "…hash…")
    .replace(/(change |Stashed as )[0-9a-f]{8,9}\b/g, "$1…id…")
    .replace(/\b([cdghpst]_)(?!none|0000)[\w-]{6,}/g, "$1…")
    .replace(/(Undid|Redid|Undone|Redone|undone|redone|undo) [0-9a-f]{8}/g, "$1 …id…")
    .replace(/_logs\/\S+/g, "_logs/…")
    .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z?| \d\d:\d\d)?/g, "…date…")
    .replace(/\b\d+(\.\d+)? ?m?s\b/g, "…time…");
}
