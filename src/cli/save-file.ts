import type { Wield } from "../app/wield.ts";
import { exit } from "./command.ts";
import { tell } from "./outcome.ts";
import type { Io } from "./terminal.ts";

/** The tool that saves; a command that calls `saveFile` opens Wield with it. */
export const savingTools = ["write_file"] as const;

/** Writes a file into the folder as `write_file` does: replacing one is asked first, and it can be undone. */
export async function saveFile(wield: Wield, path: string, bytes: Uint8Array, io: Io): Promise<number> {
  const content = Buffer.from(bytes).toString("base64");
  const outcome = await wield.call(
    "write_file",
    { path, content, encoding: "base64", createDirs: true },
    { byPerson: true },
  );
  if (outcome.result.ok) io.out(`Saved ${path}`);
  else tell(outcome, io);
  return outcome.result.ok ? exit.ok : exit.failed;
}
