/** Lines as an editor counts them: \n, \r\n and a lone \r end a line; a final line ending opens no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** `  12  text`, numbers aligned to the widest. A line over `maxWidth` is cut, and says by how much. */
export function numberLines(lines: readonly string[], first: number, maxWidth = 2000): string[] {
  const width = String(first + lines.length - 1).length;
  return lines.map((line, index) => {
    const text =
      line.length > maxWidth ? `${line.slice(0, maxWidth)}… (+${line.length - maxWidth} characters)` : line;
    return `${String(first + index).padStart(width)}  ${text}`;
  });
}
