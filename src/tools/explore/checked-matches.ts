import { Failure } from "../../failure/failure.ts";
import { decodeText } from "../../text/decode.ts";
import type { Workspace } from "../../workspace/workspace.ts";

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
  const files = new Map<string, string[] | NotChecked | undefined>();
  for (const { file } of matches) if (!files.has(file)) files.set(file, await linesOf(file, workspace));
  return matches.flatMap((match) => {
    const lines = files.get(match.file);
    if (typeof lines === "string") return [{ ...match, text: notChecked[lines] }];
    const line = lines?.[match.line - 1];
    // A long line is cut, which may go through a letter.
    return line?.startsWith(match.text.replace(/\ufffd+$/, "")) ? [match] : [];
  });
}

async function linesOf(
  file: string,
  workspace: Pick<Workspace, "read">,
): Promise<string[] | NotChecked | undefined> {
  if (/\p{Cc}/u.test(file)) return "odd name";
  try {
    const { bytes } = await workspace.read(file, { maxBytes: maxCheckedBytes });
    return (decodeText(bytes) ?? bytes.toString()).split("\n");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code === "TOO_LARGE" ? "too large" : undefined;
  }
}
