import { resolve } from "node:path";
import { Writable } from "node:stream";
import { createWield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { type ResultForm, resultForms } from "../mcp/result-form.ts";
import { createMcp } from "../mcp/server.ts";
import { serveMcpStdio } from "../mcp/stdio.ts";
import { toolsets } from "../toolsets/toolsets.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { toolsetNamed } from "./toolset-option.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the tools to an MCP client over standard input and output",
  usage: "",
  details:
    "For Claude Code, Cursor, VS Code and other MCP clients; settings to paste are in docs/mcp.md. What needs approval is asked through the client where it can show a form, and otherwise fails with the rule that would allow it.",
  options: {
    toolset: {
      value: "NAME",
      help: `${Object.keys(toolsets).join(", ")} (default: workspace)`,
      completes: { known: Object.keys(toolsets) },
    },
    results: {
      value: "FORM",
      help: `${resultForms.join(", ")}: text for the model, with or without the whole value (default: auto, by client)`,
      completes: { known: resultForms },
    },
    ...commonOptions,
  },
  examples: [
    { command: "wield mcp", note: "the workspace tools on this folder" },
    { command: "wield mcp --toolset coding -w ~/project", note: "the coding tools on another one" },
  ],
  async run(given, io) {
    const results = resultFormNamed(given.value("results") ?? "auto");
    const wield = await createWield({
      tools: toolsetNamed(given.value("toolset") ?? "workspace"),
      workspace: resolve(io.cwd, given.value("workspace") ?? "."),
      env: io.env,
    });
    if (io.interactive)
      io.err(
        "This waits for an MCP client on standard input; a client starts it by itself: wield mcp --help. Ctrl+C stops it.",
      );
    const served = serveMcpStdio(createMcp(wield, results), process.stdin, ownStandardOutput(), io.err);
    const end = () => void served.close();
    io.signal.addEventListener("abort", end);
    process.once("SIGTERM", end);
    await served.closed;
    wield.close();
    return exit.ok;
  },
};

function resultFormNamed(name: string): ResultForm {
  const form = resultForms.find((known) => known === name);
  if (form) return form;
  throw new Failure(
    "INVALID_INPUT",
    `There is no form ${JSON.stringify(name)}. Results can be: ${resultForms.join(", ")}.`,
  );
}

/** Standard output belongs to the protocol: whatever else in this process writes there goes to standard error. */
function ownStandardOutput(): Writable {
  // A client that went away closes its ends: the transport notices, and must not be overtaken by a crash.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({ write: (chunk, _encoding, done) => void write(chunk, done) });
}
