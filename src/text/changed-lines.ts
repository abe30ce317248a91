const maxLinesOfOne = 8;
const maxRemoved = 4;
const maxLineCharacters = 200;

/**
 * What a unified diff changes, short: new lines with the numbers that they have now (`+12| text`), removed ones (`-| text`),
 * and one unchanged line on each side (` 11| text`).
 */
export function changedLines(diff: string): string[] {
  const shown: string[] = [];
  let next = 1;
  let before: string | undefined;
  let added: string[] = [];
  let removed: string[] = [];
  /** The unchanged line that was shown last: between two changes one is enough. */
  let shownContext = 0;
  const finish = (after: string | undefined) => {
    if (added.length === 0 && removed.length === 0) return;
    const first = next - added.length;
    if (before !== undefined && shownContext !== first - 1) shown.push(` ${first - 1}| ${shortened(before)}`);
    shown.push(...fewRemoved(removed), ...numbered(added, first));
    if (after !== undefined) {
      shown.push(` ${next}| ${shortened(after)}`);
      shownContext = next;
    }
    added = [];
    removed = [];
  };
  const body = diff.slice(Math.max(0, diff.search(/^@@ /m)));
  for (const line of body.split(/\r?\n/)) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      finish(undefined);
      before = undefined;
      // A hunk without new lines names the line before it.
      next = Number(hunk[1]) + (hunk[2] === "0" ? 1 : 0);
    } else if (line.startsWith("+")) {
      added.push(line.slice(1));
      next++;
    } else if (line.startsWith("-")) {
      removed.push(line.slice(1));
    } else if (line.startsWith(" ")) {
      finish(line.slice(1));
      before = line.slice(1);
      next++;
    }
  }
  finish(undefined);
  return shown;
}

/** Long runs are shown by their first and last lines: the author knows the middle. */
function numbered(lines: readonly string[], first: number): string[] {
  const all = lines.map((line, at) => `+${first + at}| ${shortened(line)}`);
  if (all.length <= maxLinesOfOne) return all;
  return [...all.slice(0, 1), `… ${all.length - 2} more lines`, ...all.slice(-1)];
}

function fewRemoved(lines: readonly string[]): string[] {
  const all = lines.map((line) => `-| ${shortened(line)}`);
  if (all.length <= maxRemoved) return all;
  return [...all.slice(0, 2), `-… ${all.length - 3} more lines`, ...all.slice(-1)];
}

function shortened(line: string): string {
  return line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}…` : line;
}
