import { Readable, Writable } from "node:stream";
import { type Command, commonOptions, exit } from "./command.ts";
import { ownStandardOutput } from "./own-standard-output.ts";

export const acp: Command = {
  name: "acp",
  summary: "Be an agent in an editor, by the Agent Client Protocol over standard input and output",
  usage: "",
  details:
    "For Zed, JetBrains IDEs, Neovim, Emacs and other clients of the protocol; docs/acp.md has settings to paste. The editor starts this command, opens sessions on its folders and shows answers, changes and approval requests.",
  options: {
    model: {
      value: "NAME",
      short: "m",
      help: "provider/model, or offline (default: the settings, then what is found)",
    },
    ...commonOptions,
  },
  examples: [{ command: "wield acp", note: "the command to enter in an editor's settings" }],
  async run(given, io) {
    const [{ ndJsonStream }, { serveAcp }] = await Promise.all([
      import("@agentclientprotocol/sdk"),
      import("../acp/acp.ts"),
    ]);
    if (io.interactive)
      io.err(
        "Waiting for an editor on standard input. Normally the editor starts this command: see wield acp --help. Ctrl+C stops it.",
      );
    const output = Writable.toWeb(ownStandardOutput()) as WritableStream<Uint8Array>;
    const input = Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>;
    const model = given.value("model");
    const end = new AbortController();
    io.signal.addEventListener("abort", () => end.abort());
    process.once("SIGTERM", () => end.abort());
    await serveAcp(
      ndJsonStream(output, input),
      { env: io.env, cwd: io.cwd, report: io.err, ...(model !== undefined && { model }) },
      end.signal,
    );
    return exit.ok;
  },
};
