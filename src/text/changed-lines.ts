const maxLinesOfOne = 12;
const maxLineCharacters = 200;

/** What a unified diff brings, with the line numbers that it has now; where lines only went, after which line. */
export function changedLines(diff: string): string[] {
  const shown: string[] = [];
  let next = 1;
  let added: string[] = [];
  let removed = 0;
  const finish = () => {
    if (added.length > 0) shown.push(...numbered(added, next - added.length));
    else if (removed > 0)
      shown.push(`(${removed} ${removed === 1 ? "line" : "lines"} removed after line ${next - 1})`);
    added = [];
    removed = 0;
  };
  const body = diff.slice(Math.max(0, diff.search(/^@@ /m)));
  for (const line of body.split(/\r?\n/)) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      finish();
      // A hunk without new lines names the line before it.
      next = Number(hunk[1]) + (hunk[2] === "0" ? 1 : 0);
    } else if (line.startsWith("+")) {
      added.push(line.slice(1));
      next++;
    } else if (line.startsWith("-")) {
      removed++;
    } else if (line.startsWith(" ")) {
      finish();
      next++;
    }
  }
  finish();
  return shown;
}

/** Long runs by their ends: whoever wrote them knows the middle. */
function numbered(lines: readonly string[], first: number): string[] {
  const all = lines.map((line, at) => `${first + at}| ${shortened(line)}`);
  if (all.length <= maxLinesOfOne) return all;
  return [...all.slice(0, 4), `… ${all.length - 6} more lines`, ...all.slice(-2)];
}

function shortened(line: string): string {
  return line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}…` : line;
}
