import { pathKind } from "../../code/files/path-kind.ts";
import { typeKinds } from "../../code/languages/language.ts";
import type { Definition } from "../../code/resolve/definitions.ts";
import type { LineRange } from "../../code/search/shown-lines.ts";
import { codeLines, cutLine, leftOut, numbered } from "../../text/code-lines.ts";
import { splitLines } from "../../text/lines.ts";
import { visibleText } from "../../text/visible.ts";
import { readTextFile } from "../../workspace/text-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { longestNamed } from "./folded-parts.ts";

/** Of a longer function that nothing folds, only the first lines are shown. */
const firstLines = 50;
const headOfType = 20;
const mostMembers = 60;
const widestSignature = 120;

/**
 * The numbered lines of a declaration; those of a long function as `fold` leaves them, of a long type its first lines and the
 * members behind them by one line each.
 */
export async function bodyOf(
  { file, declaration, syntax }: Definition,
  workspace: Workspace,
  fold?: (lines: readonly string[]) => LineRange[],
): Promise<string | undefined> {
  const { startLine, endLine, kind } = declaration;
  const text = await readTextFile(workspace, file).then(
    (read) => read.text,
    () => undefined,
  );
  if (text === undefined) return undefined;
  const lines = splitLines(text).slice(startLine - 1, endLine);
  const isLong = lines.length > longestNamed;
  const at = syntax.declarations.indexOf(declaration);
  const members = typeKinds.has(kind)
    ? syntax.declarations.filter((one) => one.parent === at && one.kind !== "field")
    : [];
  if (!isLong || members.length === 0) {
    const unfolded = isLong && fold ? fold(lines) : undefined;
    const whole: LineRange = [1, isLong && !fold ? firstLines : lines.length];
    const ranges = unfolded && unfolded.length > 0 ? unfolded : [whole];
    const shown = codeLines(numbered(lines, startLine, ranges), { first: startLine, last: endLine });
    const left = shown.find((one) => one.text.startsWith("…"));
    return shown
      .map((one) => (one === left ? `${one.text}: batch_read "${file}:${one.number}-${endLine}"` : one.text))
      .join("\n");
  }
  const firstMember = members.find((one) => one.endLine > one.line)?.startLine ?? endLine + 1;
  const until = Math.max(startLine, Math.min(firstMember - 1, startLine + headOfType));
  const behind = members.filter((one) => one.startLine > until);
  return [
    ...codeLines(numbered(lines.slice(0, until - startLine + 1), startLine)).map((one) => one.text),
    `${leftOut(endLine - until)}; members:`,
    ...behind.slice(0, mostMembers).map(signatureLine),
    ...(behind.length > mostMembers ? [`… ${behind.length - mostMembers} more members`] : []),
  ].join("\n");
}

/** What is declared, by its lines and its signature: no line of the file. */
export const signatureLine = ({
  line,
  endLine,
  signature,
}: Pick<Definition["declaration"], "line" | "endLine" | "signature">) =>
  `${endLine > line ? `${line}-${endLine}` : line} ${cutLine(visibleText(signature), widestSignature)}`;

/** The intended declaration: the only one with exactly this name outside tests and examples, or the only one at all. */
export function mainOf(found: readonly Definition[]): Definition | undefined {
  const exact = found.filter(({ distance }) => distance === 0);
  const bodies = exact.filter(({ declaration }) => !declaration.bodiless);
  const sources = bodies.filter(({ file }) => pathKind(file) === "source");
  for (const some of [exact, bodies, sources]) if (some.length === 1) return some[0];
  return found.length === 1 ? found[0] : undefined;
}
