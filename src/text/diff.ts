import { formatPatch, structuredPatch } from "diff";

export interface TextDiff {
  /** Unified, with three lines of context; empty when the sides are equal or too different to compare in time. */
  diff: string;
  added: number;
  removed: number;
}

/** A diff that always comes back soon: where comparing takes too long, only the counts of lines are given. */
export function diffTexts(path: string, before: string | null, after: string | null): TextDiff {
  const from = before === null ? "/dev/null" : `a/${path}`;
  const to = after === null ? "/dev/null" : `b/${path}`;
  const options = { context: 3, timeout: 500 };
  const patch = structuredPatch(from, to, before ?? "", after ?? "", "", "", options);
  if (!patch) return { diff: "", added: countLines(after), removed: countLines(before) };
  let added = 0;
  let removed = 0;
  for (const hunk of patch.hunks) {
    for (const line of hunk.lines) {
      if (line.startsWith("+")) added++;
      else if (line.startsWith("-")) removed++;
    }
  }
  if (added + removed === 0) return { diff: "", added, removed };
  return {
    diff: formatPatch(patch)
      .replace(/^=+\n/, "")
      .replaceAll(/^(---|\+\+\+) (.*)\t$/gm, "$1 $2"),
    added,
    removed,
  };
}

function countLines(text: string | null): number {
  return text ? text.split("\n").length : 0;
}

/** Added and removed lines of a unified diff. */
export function diffTotals(diff: string): { added: number; removed: number } {
  const body = diff.split("\n").filter((line) => !line.startsWith("+++") && !line.startsWith("---"));
  return {
    added: body.filter((line) => line.startsWith("+")).length,
    removed: body.filter((line) => line.startsWith("-")).length,
  };
}
