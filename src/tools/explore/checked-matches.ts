import { Failure } from "../../failure/failure.ts";
import { isPlainText } from "../../text/encoding.ts";
import { textOfFile } from "../../workspace/text-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { maxColumns } from "./ripgrep-output.ts";

interface Match {
  file: string;
  line: number;
  text: string;
}

/** A larger file is not read again. */
const maxCheckedBytes = 64 * 1024 * 1024;
export const notChecked = {
  "too large": "(not shown: the file is too large to check that it is in the workspace)",
  "odd name": "(not shown: no tool opens a file with a control character in its name)",
};
type NotChecked = keyof typeof notChecked;

/**
 * The matches whose lines the workspace itself reads in that file. A search program opens files by path: while it runs, a
 * folder can be swapped for a link, and then it prints what is outside. What the jail does not find is left out.
 */
export async function checkedMatches<M extends Match>(
  matches: readonly M[],
  workspace: Pick<Workspace, "read">,
): Promise<M[]> {
  const byFile = Map.groupBy(matches, ({ file }) => file);
  const checked = new Map<string, ReadonlyMap<number, CheckedLine> | NotChecked>();
  for (const [file, found] of byFile) {
    const wanted = new Set(found.map(({ line }) => line));
    checked.set(file, await linesOf(file, wanted, workspace));
  }
  return matches.flatMap((match) => {
    const lines = checked.get(match.file);
    if (typeof lines === "string") return [{ ...match, text: notChecked[lines] }];
    const line = lines?.get(match.line);
    // A long line is cut, which may go through a letter.
    if (!line?.found.startsWith(match.text.replace(/\ufffd+$/, ""))) return [];
    return [
      line.shown === undefined
        ? match
        : { ...match, text: line.shown.replace(/\r$/, "").slice(0, maxColumns) },
    ];
  });
}

/** A line as the program prints it, and as it reads where it is not the same. */
interface CheckedLine {
  found: string;
  shown?: string | undefined;
}

/** The wanted lines of a file, by number from 1, as far as it has them; none when the jail does not open it. */
async function linesOf(
  file: string,
  wanted: ReadonlySet<number>,
  workspace: Pick<Workspace, "read">,
): Promise<ReadonlyMap<number, CheckedLine> | NotChecked> {
  if (/\p{Cc}/u.test(file)) return "odd name";
  try {
    const { bytes } = await workspace.read(file, { maxBytes: maxCheckedBytes });
    const found = linesOfUtf8(bytes, wanted);
    if (isPlainText(bytes)) return new Map([...found].map(([line, text]) => [line, { found: text }]));
    const { text, encoding } = await textOfFile(workspace, file, bytes);
    const lines = text.split("\n");
    const isWide = encoding.name.startsWith("utf-16");
    return new Map(
      [...wanted].flatMap((line): [number, CheckedLine][] => {
        const shown = lines[line - 1];
        if (shown === undefined) return [];
        return [[line, isWide ? { found: shown } : { found: found.get(line) ?? "", shown }]];
      }),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code === "TOO_LARGE" ? "too large" : new Map();
  }
}

/** Only the wanted lines are decoded: a bundle has megabytes of others. */
function linesOfUtf8(bytes: Buffer, wanted: ReadonlySet<number>): Map<number, string> {
  const found = new Map<number, string>();
  const last = Math.max(...wanted);
  let start = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  for (let line = 1; line <= last && start <= bytes.length; line++) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    if (wanted.has(line)) found.set(line, bytes.toString("utf8", start, end));
    start = end + 1;
  }
  return found;
}

const byteOrderMark = Buffer.from("\ufeff");
