/**
 * Code for reading: indentation as one space for each level, from the shallowest line on. Deep code costs as little as
 * shallow code, and what belongs together is still to be seen.
 */
export function byDepth(lines: readonly string[]): string[] {
  const widths = lines.map((line) => (line.trim() === "" ? undefined : widthOf(line)));
  const filled = widths.filter((width) => width !== undefined);
  const least = Math.min(...filled);
  // The second and further lines of a block comment begin one space further right, which is no level.
  const steps = lines.flatMap((line, index) => {
    const step = (widths[index] ?? 0) - least;
    return step > 0 && !line.trimStart().startsWith("*") ? [step] : [];
  });
  const unit = Math.min(4, ...steps);
  return lines.map((line, index) => {
    const width = widths[index];
    return width === undefined ? "" : `${" ".repeat(Math.round((width - least) / unit))}${line.trim()}`;
  });
}

const tabWidth = 4;

function widthOf(line: string): number {
  let width = 0;
  for (const sign of line) {
    if (sign === "\t") width += tabWidth;
    else if (sign === " ") width++;
    else break;
  }
  return width;
}
