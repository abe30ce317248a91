import type { TestWield } from "../testing/testing.ts";
import { main } from "./main.ts";
import type { Io } from "./terminal.ts";

/** Runs a command line in this process, with a pipe where the terminal would be. */
export async function runCli(
  place: Pick<TestWield, "root" | "env">,
  args: string[],
  input = "",
  terminal: Partial<Io> = {},
): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const io: Io = {
    out: (text) => {
      said.out += text.endsWith("\n") ? text : `${text}\n`;
    },
    write: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text.endsWith("\n") ? text : `${text}\n`;
    },
    input: async () => input,
    interactive: false,
    terminal: false,
    colour: false,
    columns: Number.POSITIVE_INFINITY,
    cwd: place.root,
    env: place.env,
    signal: new AbortController().signal,
    ...terminal,
  };
  return { code: await main(args, io), ...said };
}
