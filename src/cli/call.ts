import { discoveryTools } from "../discovery/switches.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import type { CallOutcome } from "../runtime/runtime.ts";
import { builtinNames } from "../toolsets/toolsets.ts";
import { printProcessesEnd } from "./chat-processes.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { elicitInTerminal, openWield } from "./open.ts";
import { describe, tell } from "./outcome.ts";
import { exitCodes } from "./run-options.ts";
import type { Io } from "./terminal.ts";
import { fullPage } from "./tool-page.ts";
import { WaitingLine } from "./waiting-line.ts";

export const call: Command = {
  name: "call",
  summary: "Call one tool",
  usage: "<tool> [json]",
  completes: [{ lookup: "tool" }],
  details:
    "The input is one JSON object: the second argument, or standard input if it is missing or '-'.\nPrints the text that a model would read, or with --json the result {ok, value | error}.\nExit codes: 0 success, 1 the tool failed, 2 wrong usage, 130 stopped with Ctrl+C.",
  options: {
    json: { help: "Print the result as JSON" },
    yes: { short: "y", help: "Approve every request; rules that deny still apply" },
    ...commonOptions,
  },
  examples: [
    { command: `wield call read_file '{"path": "package.json"}'`, note: "read a file" },
    { command: `wield call search_files '{"pattern": "TODO"}' --json`, note: "print the structured result" },
    {
      command: `echo '{"path": "notes.md", "content": "hi"}' | wield call write_file`,
      note: "pipe the input",
    },
  ],
  async helpFor(given, io) {
    const [tool] = given.args;
    if (tool === undefined) return undefined;
    const wield = await openWield(given, io, builtinNames.includes(tool) ? [tool] : undefined);
    try {
      if (!wield.tools.registry.get(tool)) await wield.tools.ready();
      const known = wield.tools.registry.get(tool);
      return known && fullPage(known, io);
    } finally {
      await wield.close();
    }
  },
  async run(given, io) {
    const [tool, json, ...more] = given.args;
    if (tool === undefined)
      throw new UsageError(
        'Which tool? For example: wield call read_file \'{"path": "README.md"}\'. List them with: wield tools',
      );
    if (more.length > 0) throw new UsageError("The input is one JSON object. Put it in single quotes.");
    const input = parseInput(json === undefined || json === "-" ? await readInput(json, io) : json);
    // A known tool is loaded alone. Suggestions for an unknown name, and tool search, need all of them.
    const alone = builtinNames.includes(tool) && !discoveryTools.has(tool);
    const waiting = new WaitingLine(tool, io);
    const elicit: Elicit = (...question) => waiting.rest(() => elicitInTerminal(...question));
    const wield = await openWield(given, io, alone ? [tool] : undefined, { elicit });
    wield.on((event) => waiting.follow(event));
    try {
      const outcome = await wield.callAny(tool, input, { signal: io.signal, byPerson: true });
      waiting.end();
      const json = given.flag("json") && JSON.stringify(outcome.result, null, io.colour ? 2 : undefined);
      // As the model would get it, with the code of a failure.
      tell(outcome, io, json || describe(outcome, io, outcome.text));
      printProcessesEnd(wield, io);
      return exitCode(outcome);
    } finally {
      waiting.end();
      await wield.close();
    }
  },
};

/** Without an argument or a pipe, an empty object: `wield call git_status` just works. */
async function readInput(given: string | undefined, io: Io): Promise<string> {
  if (given === undefined && io.interactive) return "{}";
  const text = await io.input();
  return text.trim() === "" ? "{}" : text;
}

function parseInput(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `The input is not valid JSON: ${(error as Error).message}. Put it in single quotes: '{"path": "README.md"}'`,
    );
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new UsageError(`The input must be a JSON object such as {"path": "README.md"}.`);
  }
  return value;
}

function exitCode({ result }: CallOutcome): number {
  if (result.ok) return exit.ok;
  // Input that does not match the schema is wrong usage; valid input that cannot be carried out is a failure.
  const { code, details } = result.error;
  if (code === "ABORTED") return exitCodes.aborted;
  const misfit = code === "INVALID_INPUT" && details?.["issues"] !== undefined;
  return misfit || code === "UNKNOWN_TOOL" ? exit.misused : exit.failed;
}
