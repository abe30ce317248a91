/**
 * Characters that change what a reader sees without being seen: controls, ANSI escapes, line breaks that are none to
 * most, bidirectional overrides, zero-width, blank, variation and tag characters (all but the two that choose between text and emoji). Shown as `\u{…}`, so that a name or a page cannot dress up as something else.
 */
const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB]|(?!\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/gu;

/** For text of several lines: tabs and newlines stay. A carriage return before a newline is a line ending, not a trick. */
export function visibleText(text: string): string {
  return text.replace(hidden, (char, at: number) =>
    char === "\r" && text[at + 1] === "\n" ? char : escapeChar(char),
  );
}

/** For names and messages that must stay on one line. */
export function visibleLine(text: string): string {
  return text.replace(hidden, escapeChar).replace(/[\t\n]/g, escapeChar);
}

/** A line whose exact characters matter, as JSON that shows tabs and every space that is not the usual one. */
export function exactLine(text: string): string {
  const escaped = (char: string) =>
    char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
  return JSON.stringify(text)
    .replace(hidden, escaped)
    .replace(/(?! )\p{Zs}/gu, escaped);
}

function escapeChar(char: string): string {
  const short: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };
  return short[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
