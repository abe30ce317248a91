import { pathKind } from "../../code/files/path-kind.ts";
import { typeKinds } from "../../code/languages/language.ts";
import type { Definition } from "../../code/resolve/definitions.ts";
import { shownLines } from "../../code/search/shown-lines.ts";
import { readableText } from "../../text/decode.ts";
import { byDepth } from "../../text/depth.ts";
import { splitLines } from "../../text/lines.ts";
import { visibleText } from "../../text/visible.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { numberedRanges } from "./numbered-ranges.ts";

/** A declaration up to this length is shown completely; of a longer one, only the first lines. */
const longest = 90;
const firstLines = 50;
const mostMembers = 60;

/**
 * The numbered lines of a declaration; of a long type, its first lines and the members behind them by one line each.
 * `byDepth`: with one space for each level of indentation.
 */
export async function bodyOf(
  definition: Definition,
  workspace: Workspace,
  options: { byDepth?: boolean } = {},
): Promise<string | undefined> {
  const { file, declaration, syntax } = definition;
  const { startLine, endLine, kind } = declaration;
  const text = await workspace.read(file).then(
    ({ bytes }) => readableText(bytes)?.text,
    () => undefined,
  );
  if (text === undefined) return undefined;
  const lines = splitLines(text);
  const at = syntax.declarations.indexOf(declaration);
  const members = syntax.declarations.filter((one) => one.parent === at && one.kind !== "field");
  const isLong = endLine - startLine >= longest;
  const firstMember = members.find((one) => one.endLine > one.line)?.startLine ?? endLine;
  const head =
    typeKinds.has(kind) && members.length > 0 ? Math.min(firstMember - 1, startLine + 20) : endLine;
  const until = isLong ? Math.min(Math.max(startLine, head), startLine + firstLines - 1) : endLine;
  const ranges = shownLines(lines, [startLine, until], Number.POSITIVE_INFINITY);
  const asWritten = ranges.flatMap(([from, to]) => lines.slice(from - 1, to));
  const shown = options.byDepth ? byDepth(asWritten) : asWritten;
  const hasMembers = isLong && typeKinds.has(kind) && members.length > 0;
  const behind = members.filter((one) => one.startLine > until);
  const outline =
    hasMembers && behind.length > 0
      ? [
          "members:",
          ...behind.slice(0, mostMembers).map(memberLine),
          ...(behind.length > mostMembers ? [`… ${behind.length - mostMembers} more members`] : []),
        ]
      : [];
  const end = isLong && !hasMembers ? endLine : undefined;
  return visibleText([...numberedRanges(shown, ranges, { end }), ...outline].join("\n"));
}

function memberLine({ line, endLine, signature }: Definition["declaration"]): string {
  return `${endLine > line ? `${line}-${endLine}` : line} ${signature.slice(0, 120)}`;
}

/** The intended declaration: the only one with exactly this name outside tests and examples, or the only one at all. */
export function mainOf(found: readonly Definition[]): Definition | undefined {
  const exact = found.filter(({ distance }) => distance === 0);
  const bodies = exact.filter(({ declaration }) => !declaration.bodiless);
  const sources = bodies.filter(({ file }) => pathKind(file) === "source");
  for (const some of [exact, bodies, sources]) if (some.length === 1) return some[0];
  return found.length === 1 ? found[0] : undefined;
}
