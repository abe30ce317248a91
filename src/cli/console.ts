import { autocomplete, box, intro, isCancel, log, outro, spinner } from "@clack/prompts";
import type { Wield } from "../app/wield.ts";
import type { CallOutcome } from "../runtime/runtime.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { fillForm } from "./form.ts";
import { openWield } from "./open.ts";
import { describe } from "./outcome.ts";
import { type Io, painter } from "./terminal.ts";

export const console: Command = {
  name: "console",
  summary: "Call tools interactively: choose one, fill in its fields, see the result",
  usage: "",
  details: "In a pipe, each line is one call: the tool's name, a space, its input as JSON.",
  options: {
    yes: { short: "y", help: "Approve every request; rules that deny still apply" },
    ...commonOptions,
  },
  examples: [
    { command: "wield console", note: "open the console for this folder" },
    { command: `echo 'list_files {"path": "."}' | wield console`, note: "pipe calls" },
  ],
  async run(given, io) {
    const wield = await openWield(given, io);
    try {
      return io.interactive ? await runChat(wield, io) : await readCalls(wield, io);
    } finally {
      await wield.close();
    }
  },
};

async function runChat(wield: Wield, io: Io): Promise<number> {
  const paint = painter(io);
  intro(paint(["inverse", "bold"], " wield "));
  log.message(
    [
      `${paint("bold", visibleLine(wield.workspace.root))}  ${paint("dim", wield.settings.trusted ? "trusted" : "not trusted")}`,
      `${wield.tools.list().length} tools. Changes to files are shown first and can be undone.`,
      paint("dim", "Type to filter, Enter to choose, Ctrl+C to quit. Other commands: wield --help"),
    ].join("\n"),
  );
  for (;;) {
    const tool = await chooseTool(wield.tools.list());
    if (!tool) break;
    log.message(paint("dim", visibleText(tool.description)));
    const input = await fillForm(tool);
    if (input === undefined) continue;
    showOutcome(await callWithSpinner(wield, tool, input, io), io);
  }
  outro("'wield changes' lists what was changed.");
  return exit.ok;
}

async function chooseTool(tools: readonly Tool[]): Promise<Tool | undefined> {
  const options = tools.map((tool) => ({
    value: tool,
    label: tool.name,
    hint: visibleLine(`${tool.category}: ${tool.title}`),
  }));
  const chosen = await autocomplete({
    message: "Which tool?",
    options,
    maxItems: 12,
    placeholder: "read_file, search, git …",
  });
  return isCancel(chosen) ? undefined : chosen;
}

/** The spinner pauses while a prompt is open: both write to the same lines. */
async function callWithSpinner(wield: Wield, tool: Tool, input: unknown, io: Io): Promise<CallOutcome> {
  const wait = spinner();
  let spinning = true;
  const rest = () => {
    if (spinning) wait.clear();
    spinning = false;
  };
  wait.start(visibleLine(tool.title));
  const off = wield.on((event) => {
    if (event.type === "approval-ask") rest();
    if (event.type === "call-progress" && spinning) wait.message(visibleLine(event.message));
  });
  try {
    return await wield.callAny(tool.name, input, { signal: io.signal, byPerson: true });
  } finally {
    off();
    rest();
  }
}

function showOutcome(outcome: CallOutcome, io: Io): void {
  const { record } = outcome.details;
  const title = `${outcome.tool} · ${record.durationMs.toFixed(0)} ms · ${record.tokensOut} tokens`;
  box(describe(outcome, io), title, { width: "auto", rounded: true, withGuide: false });
}

async function readCalls(wield: Wield, io: Io): Promise<number> {
  const lines = (await io.input()).split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) {
    io.err(
      "The console needs a terminal, or calls on standard input: one per line, the tool's name and its input as JSON.\nOther commands: wield --help",
    );
    return exit.ok;
  }
  let code: number = exit.ok;
  for (const line of lines) {
    const [, tool = "", json = ""] = /^(\S+)\s*(.*)$/.exec(line.trim()) ?? [];
    const outcome = await wield.callAny(tool, json === "" ? {} : json, { signal: io.signal });
    io.out(describe(outcome, io));
    if (!outcome.result.ok) code = exit.failed;
  }
  return code;
}
