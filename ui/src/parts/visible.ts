/**
 * Invisible characters that change what a reader sees, as in src/text/visible.ts: the page shares only types with the server.
 * Line breaks, tabs and the two emoji variation selectors stay.
 */
export const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB]|(?!\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/u;
const everywhere = new RegExp(hidden, "gu");

export function visible(text: string): string {
  return text.replace(everywhere, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** A value as JSON with invisible characters escaped. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(everywhere, (char) =>
    Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
