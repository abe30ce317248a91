/** Columns that a text takes in a terminal: wide characters take two, combining marks and invisible ones none. */
export function cells(text: string): number {
  let width = 0;
  for (const char of text) width += cellsOf(char.codePointAt(0) ?? 0);
  return width;
}

function cellsOf(code: number): number {
  if (code < 0x300) return 1;
  if (isCombining(code)) return 0;
  return isWide(code) ? 2 : 1;
}

function isCombining(code: number): boolean {
  return code <= 0x36f || (code >= 0x200b && code <= 0x200f) || (code >= 0xfe00 && code <= 0xfe0f);
}

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}
