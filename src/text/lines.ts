/** Lines as an editor counts them: \n, \r\n and a lone \r end a line; a final line ending opens no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
