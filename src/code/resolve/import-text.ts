import type { ParsedFile } from "../project/project.ts";
import type { Import } from "../syntax/syntax.ts";

/** An import of several lines on one: its beginning and end, and of what stands between only the part with the name. */
export function importText(
  { source }: ParsedFile,
  { start, end }: Import,
  offset: number,
): string | undefined {
  if (!source.slice(start, end).includes("\n")) return undefined;
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const before = source.slice(lineStart, offset);
  const after = source.slice(offset, end);
  const open = Math.max(before.lastIndexOf("{"), before.lastIndexOf("("));
  const close = after.search(/[})]/);
  if (open < 0 || close < 0) return onOneLine(source.slice(lineStart, end));
  const inside = before.slice(open + 1);
  const from = inside.lastIndexOf(",") + 1;
  const to = after.search(/[,})\n]/);
  const name = onOneLine(`${inside.slice(from)}${after.slice(0, to < 0 ? close : to)}`);
  const isFirst = from === 0;
  const isLast = !/[^\s,]/.test(after.slice(to, close));
  const items = `${isFirst ? "" : "… "}${name}${isLast ? "" : " …"}`;
  // Of a tree of imports, the other branches are left out.
  const head = before.slice(0, open).replace(/\{[^{}]*\}|[^{}\n]*,\s*(?=[^,{}]*$)/g, "");
  return onOneLine(`${head}${before[open]} ${items} ${after.slice(close)}`);
}

const longest = 160;

function onOneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
