/** White space inside a line, in text where each character is a byte of UTF-8: ASCII, no-break, en to hair, narrow no-break, ideographic. */
export const gap = "(?:[ \\t\\v\\f]|\\xC2\\xA0|\\xE2\\x80[\\x80-\\x8A\\xAF]|\\xE3\\x80\\x80)";

const onlyGaps = new RegExp(`^${gap}*$`);
const leadingGap = new RegExp(`^${gap}*`);
const trailingGap = new RegExp(`(?<!${gap})${gap}*$`);

export function isBlank(line: string): boolean {
  return onlyGaps.test(line);
}

export function indentOf(line: string): string {
  return leadingGap.exec(line)?.[0] ?? "";
}

export function paddingOf(line: string): string {
  return trailingGap.exec(line)?.[0] ?? "";
}
