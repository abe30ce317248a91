import type { RunResult } from "../agent/agent.ts";
import type { AgentOptions } from "../app/agent-options.ts";
import type { Wield } from "../app/wield.ts";
import { visibleLine } from "../text/visible.ts";
import { printProcessesEnd } from "./chat-processes.ts";
import { type Command, commonOptions, type Given, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import {
  effortFrom,
  exitCodes,
  exitCodesText,
  limitsFrom,
  modeFrom,
  modeOption,
  modesText,
  profileFrom,
  profileOption,
  resumeOptions,
  runOptions,
  testDrivenOption,
  unapprovedCode,
} from "./run-options.ts";
import { watchRun } from "./run-view.ts";
import { type Io, painter } from "./terminal.ts";
import { folderWithWorktree, worktreeOption } from "./worktree-option.ts";

export const ask: Command = {
  name: "ask",
  summary: "Ask a model one question or give it one task",
  usage: "<question>",
  details: `The answer streams to standard output, tool calls to standard error. Without a key or a running Ollama, the built-in offline model is used; it answers only a few kinds of questions.
'-' stands for standard input, so that the question can include piped text.
With --continue or --resume and no question, an interrupted run continues.
${modesText}
${exitCodesText}`,
  options: {
    ...resumeOptions,
    ...profileOption,
    ...modeOption,
    ...testDrivenOption,
    ...worktreeOption,
    ...runOptions,
    ...commonOptions,
  },
  examples: [
    { command: `wield ask "Read package.json and tell me the project name"`, note: "ask one question" },
    { command: `wield ask "Find all TODO comments" --json`, note: "print every event as a line of JSON" },
    { command: `wield ask --continue "And who wrote them?"`, note: "continue the newest session" },
    { command: `wield ask --profile assistant "Write an offer as a document"`, note: "work in another way" },
    { command: `wield ask --mode edits "Fix the failing test"`, note: "change files without asking" },
    {
      command: `wield ask --worktree fix --mode edits "Fix the failing test"`,
      note: "work in a git worktree of its own",
    },
    { command: `git diff | wield ask "Review this change:" -`, note: "ask about piped input" },
  ],
  run: (given, io) =>
    runOnce(given, io, {
      ...profileFrom(given),
      ...modeFrom(given),
      ...(given.flag("test-driven") && { testDriven: true }),
    }),
};

const askExample = 'wield ask "Find all TODO comments"';
const exploreExample = 'wield explore "Where is the configuration read?"';

/** One run of an agent in the terminal: a question, or the continuation of an earlier session. */
export async function runOnce(given: Given, io: Io, options: AgentOptions): Promise<number> {
  const session = given.value("resume") ?? (given.flag("continue") ? "latest" : undefined);
  const question = await questionFrom(
    given,
    io,
    session === undefined,
    options.profile === "explore" ? exploreExample : askExample,
  );
  return inTerminal(given, io, async (wield, common) => {
    const agent = await wield.agent({ ...common, ...options, ...(session !== undefined && { session }) });
    printProblems(wield, io);
    return question === "" ? agent.resume(io.signal) : agent.send(question, io.signal);
  });
}

/** Shows a run, reports how it ended, and returns the exit code. */
export async function inTerminal(
  given: Given,
  io: Io,
  run: (wield: Wield, options: AgentOptions) => Promise<RunResult>,
): Promise<number> {
  const json = given.flag("json");
  // JSON output is for a program: no questions in between.
  const wield = await openWield(given, json ? { ...io, interactive: false } : io, undefined, {
    keepUnanswered: true,
    folder: await folderWithWorktree(given, io),
  });
  const stopWatching = watchRun(wield, io, json);
  let unapproved = 0;
  wield.on((event) => {
    if (event.type === "call-end" && event.error?.code === "APPROVAL_REQUIRED") unapproved++;
  });
  try {
    const model = given.value("model");
    const mayContinue = io.interactive && !json ? continueAsker : undefined;
    const result = await run(wield, {
      limits: limitsFrom(given),
      ...effortFrom(given),
      ...(model !== undefined && { model }),
      ...(mayContinue && { mayContinue }),
    });
    if (!json) printEnding(result, io);
    printProcessesEnd(wield, io);
    if (result.stop !== "done" || unapproved === 0) return exitCodes[result.stop];
    if (!json)
      io.err(
        `${unapproved} ${unapproved === 1 ? "call needed approval and was" : "calls needed approval and were"} not made. ${unapproved === 1 ? "It stays" : "They stay"} open: wield approvals shows and answers what is open.`,
      );
    return unapprovedCode;
  } finally {
    stopWatching();
    await wield.close();
  }
}

/** The words of the command line, then standard input if '-' is given or there are no words. */
export async function questionFrom(
  given: Given,
  io: Io,
  needed: boolean,
  example = askExample,
): Promise<string> {
  const words = given.args.filter((word) => word !== "-").join(" ");
  const wantsInput = given.args.includes("-") || (words.trim() === "" && needed && !io.interactive);
  const question = `${words}\n\n${wantsInput ? await io.input() : ""}`.trim();
  if (question !== "" || !needed) return question;
  throw new UsageError(`What is the question? For example: ${example}`);
}

/** Problems with added tools and notes; the run continues without them. */
export function printProblems(wield: Wield, io: Io): void {
  for (const problem of wield.tools.problems()) io.err(painter(io)("yellow", visibleLine(problem)));
}

export async function continueAsker(why: string, signal: AbortSignal): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message: `${why} Continue?`, signal })) === true;
}

export function printEnding(result: RunResult, io: Io): void {
  const paint = painter(io);
  const { stop, message, session, usage, steps, costUsd } = result;
  if (stop !== "done") {
    const how = stop === "aborted" ? "Stopped." : visibleLine(message ?? stop);
    io.err(paint("yellow", `${sentence(how)} Continue with: wield ask --resume ${session}`));
  } else if (message) io.err(paint("yellow", message));
  const cost = !costUsd ? "" : `, $${costUsd.toFixed(4)}`;
  const { inputTokens, outputTokens } = usage;
  io.err(
    paint(
      "dim",
      `${steps} ${steps === 1 ? "step" : "steps"}, ${inputTokens} tokens in, ${outputTokens} out${cost} · session ${session}`,
    ),
  );
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
