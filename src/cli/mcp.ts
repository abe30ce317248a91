import { resolve } from "node:path";
import { createWield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { type ResultForm, resultForms } from "../mcp/result-form.ts";
import { createMcp } from "../mcp/server.ts";
import { serveMcpStdio } from "../mcp/stdio.ts";
import { toolsets } from "../toolsets/toolsets.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { ownStandardOutput } from "./own-standard-output.ts";
import { toolsetNamed } from "./toolset-option.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the tools to an MCP client over standard input and output",
  usage: "",
  details:
    "For Claude Code, Cursor, VS Code and other MCP clients; docs/mcp.md has settings to paste. Approval requests appear in the client if it can show forms; otherwise the call fails and names the rule that would allow it.",
  options: {
    toolset: {
      value: "NAME",
      help: `${Object.keys(toolsets).join(", ")} (default: workspace)`,
      completes: { known: Object.keys(toolsets) },
    },
    results: {
      value: "FORM",
      help: `${resultForms.join(", ")}: the text for the model, with or without the structured value (default: auto, depends on the client)`,
      completes: { known: resultForms },
    },
    ...commonOptions,
  },
  examples: [
    { command: "wield mcp", note: "serve the workspace tools for this folder" },
    { command: "wield mcp --toolset coding -w ~/project", note: "serve the coding tools for another folder" },
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
        "Waiting for an MCP client on standard input. Normally the client starts this command: see wield mcp --help. Ctrl+C stops it.",
      );
    const served = serveMcpStdio(createMcp(wield, results), process.stdin, ownStandardOutput(), io.err);
    const end = () => void served.close();
    io.signal.addEventListener("abort", end);
    process.once("SIGTERM", end);
    await served.closed;
    await wield.close();
    return exit.ok;
  },
};

function resultFormNamed(name: string): ResultForm {
  const form = resultForms.find((known) => known === name);
  if (form) return form;
  throw new Failure(
    "INVALID_INPUT",
    `Unknown result form ${JSON.stringify(name)}. Use one of: ${resultForms.join(", ")}.`,
  );
}
