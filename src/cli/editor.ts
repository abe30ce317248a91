import { basename } from "node:path";
import { Failure } from "../failure/failure.ts";
import { runInTerminal } from "../process/interactive.ts";
import { withTemporaryFile } from "../workspace/temporary-file.ts";
import type { Io } from "./terminal.ts";

/** Opens text in the person's editor and returns the edited text; undefined if nothing changed. */
export async function editInEditor(
  name: string,
  text: string,
  io: Pick<Io, "env">,
): Promise<string | undefined> {
  const [editor = "vi", ...args] = (io.env["VISUAL"] || io.env["EDITOR"] || "vi").split(" ");
  const edited = await withTemporaryFile(basename(name), text, async (file) => {
    const code = await runInTerminal(editor, [...args, file], io.env).catch(() => {
      throw new Failure(
        "UNAVAILABLE",
        `The editor ${editor} could not be started. Set $EDITOR to an installed editor.`,
      );
    });
    if (code !== 0)
      throw new Failure("ABORTED", `${editor} exited with code ${code}; your edit was not used.`);
  });
  return edited === text ? undefined : edited;
}
