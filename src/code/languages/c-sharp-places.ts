// What can stand at a place in C#, as the text around it tells.

/** Words that stand behind a value, and never behind the type of what is declared there. */
const behindValue =
  "is|as|and|or|switch|with|in|on|equals|into|by|select|where|orderby|join|let|from|group|ascending|descending|when";

const beforeType =
  /\b(?:new|as|stackalloc)\s+$|\b(?:typeof|default|sizeof)\s*\(\s*$|\b(?:(?:class|struct|record|interface)\s+\w+(?:\s*<[^<>]*>)?(?:\s*\([^()]*\))?|where\s+\w+)\s*:[^{};]*$/;
/** `Name value`, `Name<T>[] value`, `Name? value =`; `name ? a : b` is none. */
const behindType = new RegExp(
  `^(?:<[\\w\\s.,?[\\]<>]*>)?(?:\\[[\\s,]*\\])*(?:\\s+(?!(?:${behindValue})\\b)[@A-Za-z_]|\\?(?:\\[[\\s,]*\\])*\\??\\s+\\w+\\s*(?:[;=,){]|in\\b))`,
);
const typeArgument = /^\??(?:\[\])?(?:,\s*(?:[A-Z][\w.]*|int|long|double|bool|string|object)\??(?:\[\])?)*>/;
const beforeCast = /(?:[=(,;{}!&|?:+*/<>[-]|\b(?:return|await|throw))\s*\(\s*$/;
const behindCast = new RegExp(`^\\??\\)\\s*(?!(?:${behindValue})\\b)[\\w@"(]`);

/** `new Name(`, `Name value`, `(Name)value`, `List<Name>`. */
export function isTypePlace(before: string, after: string): boolean {
  if (/\.\s*$/.test(before)) return false;
  return (
    beforeType.test(before) ||
    behindType.test(after) ||
    (/\w<\s*$/.test(before) && typeArgument.test(after)) ||
    (beforeCast.test(before) && behindCast.test(after))
  );
}

/** Before a name in an attribute's brackets: a target, other attributes, a path. */
const inBrackets =
  /^\s*(?:\w+\s*:(?!:)\s*)?(?:[\w.:]+\s*(?:<[^<>]*>)?\s*(?:\((?:[^()]|\([^()]*\))*\))?\s*,\s*)*(?:\w+\s*(?:\.|::)\s*)*$/;

/** `[Name]`, `[assembly: Name(1), Other]` before a declaration, not behind a value. */
export function isAttribute(source: string, offset: number): boolean {
  const open = openBracket(source, offset);
  if (open === undefined || !inBrackets.test(source.slice(open + 1, offset))) return false;
  const before = source
    .slice(Math.max(0, open - 300), open)
    .replace(/(?:(?<=^|\s)\/\/.*|\/\*[^*]*\*\/)\s*$/, "")
    .trimEnd();
  const last = before.at(-1);
  if (last === undefined || /[{};]/.test(last) || /\n\s*#\w[^\n]*$/.test(before)) return true;
  if (last === "]") return endsAttributes(source, source.lastIndexOf("]", open - 1), open);
  // Behind a list of values an expression ends.
  return /[(,<]/.test(last) && /^[^[\]]*\]\s*[\w@[]/.test(source.slice(offset, offset + 300));
}

/** Whether a bracket that closes before another one opens is that of attributes: they begin a line. */
const endsAttributes = (source: string, close: number, open: number) =>
  source.slice(close, open).includes("\n") ||
  /^\s*\[/.test(source.slice(source.lastIndexOf("\n", close) + 1, close));

/** The `[` that is open at an offset, within a statement. */
function openBracket(source: string, offset: number): number | undefined {
  let depth = 0;
  for (let at = offset - 1; at >= Math.max(0, offset - 500); at--) {
    const sign = source[at] ?? "";
    if (sign === '"') at = source.lastIndexOf('"', at - 1);
    else if (sign === "]") depth++;
    else if (sign === "[" && depth-- === 0) return at;
    else if (/[{};]/.test(sign)) return undefined;
  }
  return undefined;
}
