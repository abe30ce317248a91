/** Of a longer line, only what stands next to a place is told. */
const longestLine = 2_000;

/** The line around an offset, without the space around it; a generated file may have everything in one. */
export function lineAt(source: string, offset: number): string {
  const near = source.slice(Math.max(0, offset - longestLine), offset);
  const before = near.slice(near.lastIndexOf("\n") + 1);
  const behind = source.slice(offset, offset + longestLine);
  const end = behind.indexOf("\n");
  const after = end < 0 ? behind : behind.slice(0, end);
  return before.length < longestLine ? (before + after).trim() : `…${before.slice(-100)}${after}`.trim();
}
