import type { AgentOptions } from "../app/agent-options.ts";
import type { Wield } from "../app/wield.ts";
import { printEnding, printProblems } from "./ask.ts";
import { type Beginning, between, runChat, suggestionsFor, type Work } from "./chat-loop.ts";
import { ChatPermissions } from "./chat-permissions.ts";
import { type Command, commonOptions, exit, type Given } from "./command.ts";
import { LiveInput } from "./live-input.ts";
import { notify } from "./notify.ts";
import { askInTerminal, elicitInTerminal, openWield } from "./open.ts";
import {
  effortFrom,
  exitCodes,
  exitCodesText,
  limitsFrom,
  modeFrom,
  modeOption,
  profileFrom,
  profileOption,
  resumeOptions,
  runOptions,
  testDrivenOption,
} from "./run-options.ts";
import { watchRun } from "./run-view.ts";
import { RunningCalls } from "./running-calls.ts";
import type { Io } from "./terminal.ts";
import { folderWithWorktree, worktreeOption } from "./worktree-option.ts";

const { json: _, ...options } = runOptions;

export const chat: Command = {
  name: "chat",
  summary: "Chat with a model in the terminal",
  usage: "[message]",
  details: `A message that you write while the model works is queued and reaches it before its next step; arrow up withdraws it. Esc stops the model: its changes stay, and unsent messages return to the input; /continue goes on with it. Arrow up recalls earlier messages. A line that ends with \\ continues on the next; pasted text is one message. / and @ open a menu of commands and files; Tab takes the first. A line that begins with ! runs in the shell, in the sandbox (outside with the setting execution.shell); Esc stops it. Shift+Tab changes the permission mode. /help lists the commands: rewind, undo, compact, cost, model, mode, profile and more. Your own are Markdown files in ~/.config/wield/commands, and in .wield/commands of a trusted folder; those of other programs (.claude/commands, .opencode/command, .cursor/commands, ~/.codex/prompts) are found, too. /agents lists agents that tasks can be given to by name. When a question or a long run waits for you, the terminal's bell rings (WIELD_NOTIFY=off silences it).
In a pipe, every line is one message.
${exitCodesText}`,
  options: {
    ...resumeOptions,
    ...profileOption,
    ...modeOption,
    ...testDrivenOption,
    ...worktreeOption,
    ...options,
    ...commonOptions,
  },
  examples: [
    { command: "wield chat", note: "start a new conversation" },
    { command: `wield chat "What does this project do?"`, note: "start with this message" },
    { command: "wield chat --continue", note: "continue the newest conversation" },
    { command: "wield chat --worktree fix", note: "work in a git worktree, on the branch wield/fix" },
  ],
  async run(given, io) {
    let folder: string | undefined = await folderWithWorktree(given, io);
    const session = given.value("resume") ?? (given.flag("continue") ? "latest" : undefined);
    let begins = { ...(session !== undefined && { session }), message: given.args.join(" ").trim() };
    let code: number = exit.ok;
    // A chat that moves to a worktree or back goes on there.
    while (folder !== undefined) {
      const ended: { code: number; next?: string } = await chatIn(folder, begins, given, io);
      code = ended.code;
      folder = ended.next;
      begins = { message: "" };
    }
    return code;
  },
};

async function chatIn(
  folder: string,
  { session, message }: { session?: string; message: string },
  given: Given,
  io: Io,
): Promise<{ code: number; next?: string }> {
  const work: Work = { stop: new AbortController() };
  const permissions = new ChatPermissions();
  const running = new RunningCalls();
  const liveInput = new LiveInput({
    suggest: suggestionsFor(() => wield),
    onInterrupt: () => work.stop.abort(),
    ...{ permissions, running, io },
  });
  const wield = await openWield(given, io, undefined, {
    ask: between(liveInput, (asks, signal) => {
      const [first] = asks;
      notify(`Wield asks: ${first?.title ?? ""}`, io);
      return askInTerminal(io)(asks, signal);
    }),
    elicit: between(liveInput, elicitInTerminal),
    folder,
  });
  try {
    const model = given.value("model");
    const common: AgentOptions = {
      limits: limitsFrom(given),
      ...(model !== undefined && { model }),
      ...(given.flag("test-driven") && { testDriven: true }),
      ...effortFrom(given),
    };
    const first = {
      ...common,
      ...profileFrom(given),
      ...modeFrom(given),
      ...(session !== undefined && { session }),
    };
    return io.interactive
      ? await runChat(wield, { common, first, message, liveInput, running, work, permissions }, io)
      : { code: await answerLines(wield, { first, message }, io) };
  } finally {
    await wield.close();
  }
}

async function answerLines(
  wield: Wield,
  { first, message }: Pick<Beginning, "first" | "message">,
  io: Io,
): Promise<number> {
  const stopWatching = watchRun(wield, io, false);
  const agent = await wield.agent(first);
  printProblems(wield, io);
  let code: number = exit.ok;
  const lines = [message, ...(await io.input()).split(/\r?\n/)];
  for (const line of lines.filter((text) => text.trim() !== "")) {
    const result = await agent.send(line, io.signal);
    printEnding(result, io);
    code = exitCodes[result.stop];
    if (result.stop === "aborted") break;
  }
  stopWatching();
  return code;
}
