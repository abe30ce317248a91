/**
 * Breaks lines that are too wide at spaces. What follows stands under the text above it: under the second column where a
 * line has two, else under the first word.
 */
export function wrap(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, width))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  const column = /^ *\S+(?: \S+)* {2,}(?=\S)/.exec(line)?.[0].length ?? 0;
  // A second column with hardly any space is harder to read than none.
  const indent = column > 0 && column <= width / 2 ? column : line.length - line.trimStart().length;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(" ", width);
    const space = at > indent ? at : rest.indexOf(" ", width);
    if (space === -1) break;
    lines.push(rest.slice(0, space).trimEnd());
    rest = `${" ".repeat(indent)}${rest.slice(space + 1)}`;
  }
  return [...lines, rest].join("\n");
}
