import type { Agent, RunResult } from "../agent/agent.ts";
import type { AgentOptions } from "../app/agents.ts";
import type { Wield } from "../app/wield.ts";
import type { WieldEvent } from "../events/events.ts";
import { nearestNames } from "../text/nearest.ts";
import { visibleLine } from "../text/visible.ts";
import { continueAsker, tellEnding, tellProblems } from "./ask.ts";
import { chatView, meter } from "./chat-view.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { type KeyWatch, watchKeys } from "./keys.ts";
import { elicitInTerminal, openWield } from "./open.ts";
import { describe } from "./outcome.ts";
import { promptMessage } from "./prompt.ts";
import { exitCodes, exitCodesText, limitsFrom, runOptions, testDrivenOption } from "./run-options.ts";
import { watchRun } from "./run-view.ts";
import { type Io, painter } from "./terminal.ts";

const { json: _, ...options } = runOptions;

export const chat: Command = {
  name: "chat",
  summary: "Talk with a model that uses the tools",
  usage: "[message]",
  details: `Esc stops the model; what it did stays, and the conversation goes on. Arrow up brings earlier questions back. A line that ends with \\ goes on in the next; a pasted text is one message. After an @, Tab completes a path.
In a pipe every line is one message.
${exitCodesText}`,
  options: {
    continue: { short: "c", help: "Go on with the newest session of this folder" },
    resume: { value: "ID", help: "Go on with this session" },
    ...testDrivenOption,
    ...options,
    ...commonOptions,
  },
  examples: [
    { command: "wield chat", note: "a new conversation" },
    { command: `wield chat "What does this project do?"`, note: "begins with this" },
    { command: "wield chat --continue", note: "go on where you were" },
  ],
  async run(given, io) {
    const work: Work = { stop: new AbortController() };
    const keys = watchKeys(process.stdin, () => work.stop.abort());
    const wield = await openWield(given, io, undefined, between(keys, elicitInTerminal));
    try {
      const session = given.value("resume") ?? (given.flag("continue") ? "latest" : undefined);
      const model = given.value("model");
      const common: AgentOptions = {
        limits: limitsFrom(given),
        ...(model !== undefined && { model }),
        ...(given.flag("test-driven") && { testDriven: true }),
      };
      const first = { ...common, ...(session !== undefined && { session }) };
      const message = given.args.join(" ").trim();
      return await (io.interactive
        ? converse(wield, { common, first, message, keys, work }, io)
        : answerLines(wield, { first, message }, io));
    } finally {
      wield.close();
    }
  },
};

/** What Esc stops. */
interface Work {
  stop: AbortController;
}

async function answerLines(
  wield: Wield,
  { first, message }: Pick<Conversing, "first" | "message">,
  io: Io,
): Promise<number> {
  const stopWatching = watchRun(wield, io, false);
  const agent = await wield.agent(first);
  tellProblems(wield, io);
  let code: number = exit.ok;
  const lines = [message, ...(await io.input()).split("\n")];
  for (const line of lines.filter((text) => text.trim() !== "")) {
    const result = await agent.send(line, io.signal);
    tellEnding(result, io);
    code = exitCodes[result.stop];
    if (result.stop === "aborted") break;
  }
  stopWatching();
  return code;
}

interface Conversing {
  common: AgentOptions;
  first: AgentOptions;
  /** Said on the command line, before anything is typed. */
  message: string;
  keys: KeyWatch;
  work: Work;
}

async function converse(
  wield: Wield,
  { common, first, message, keys, work }: Conversing,
  io: Io,
): Promise<number> {
  const paint = painter(io);
  const asking = { ...common, mayContinue: between(keys, continueAsker) };
  let agent = await wield.agent({ ...first, mayContinue: asking.mayContinue });
  tellProblems(wield, io);
  const context = { used: 0, budget: 1 };
  wield.on(chatView(io));
  wield.on(keysRestWhileAsked(keys));
  wield.on((event) => {
    if (event.type === "step-end")
      Object.assign(context, { used: event.context, budget: event.contextBudget });
  });
  io.out(
    `${paint(["inverse", "bold"], " wield ")} ${visibleLine(wield.workspace.root)}  ${paint("dim", `${agent.model}, /help for commands`)}`,
  );
  const history = earlierQuestions(wield);
  const show = async (run: (signal: AbortSignal) => Promise<RunResult>) => {
    work.stop = new AbortController();
    keys.start();
    const result = await run(work.stop.signal).finally(keys.stop);
    io.out(endingLine(result, context, io));
  };
  if (agent.unfinished) {
    io.out(paint("yellow", "Going on with the interrupted run."));
    await show((signal) => agent.resume(signal));
  }
  if (message !== "") {
    history.push(message);
    await show((signal) => agent.send(message, signal));
  }
  for (;;) {
    const text = await promptMessage(history, (wanted) => wield.findPaths(wanted), io);
    if (text === undefined || text === "/exit") break;
    if (text === "") continue;
    if (text === "/new") agent = await wield.agent(asking);
    else if (text.startsWith("/")) await command(text, wield, agent, io);
    else await show((signal) => agent.send(text, signal));
  }
  io.out(paint("dim", `Go on later with: wield chat --resume ${agent.session}`));
  return exit.ok;
}

const commands = ["/undo", "/redo", "/changes", "/new", "/exit", "/help"];
const help = `/undo      take the last change back        /redo      make it again
/changes   what was changed                 /new       a new session
/exit      leave (also Ctrl+D)              Esc        stop the model
@src/<Tab> names a file                     \\ at the end goes on in the next line`;

/** What the person does without the model. */
async function command(text: string, wield: Wield, agent: Agent, io: Io): Promise<void> {
  if (text === "/undo" || text === "/redo") {
    const outcome = await wield.call(text.slice(1), {});
    io.out(describe(outcome, io));
    if (outcome.result.ok) agent.tell(`The person used ${text}. ${outcome.text}`);
  } else if (text === "/changes") {
    const changes = await wield.changes({ limit: 10 });
    const lines = changes.map(({ id, state, description }) => `${id}  ${state}  ${visibleLine(description)}`);
    io.out(lines.length > 0 ? lines.join("\n") : "No changes yet.");
  } else if (text === "/help") io.out(help);
  else {
    const [near] = nearestNames(text, commands);
    io.out(`There is no ${visibleLine(text)}.${near ? ` Did you mean ${near}?` : ""}\n${help}`);
  }
}

/** The person's words in the newest sessions of this folder, oldest first. */
function earlierQuestions(wield: Wield): string[] {
  return wield
    .sessions(3)
    .reverse()
    .flatMap(({ id }) => wield.store.entries(id))
    .flatMap(({ data }) => {
      const { kind, text } = data as { kind: string; text?: string };
      return kind === "user" && text !== undefined ? [text.replaceAll("\n", " ")] : [];
    });
}

/** A question reads the keyboard itself; afterwards the watch goes on if there was one. */
function keysRestWhileAsked(keys: KeyWatch): (event: WieldEvent) => void {
  let open = 0;
  let watched = false;
  return (event) => {
    if (event.type === "approval-ask") {
      open++;
      watched = keys.stop() || watched;
    } else if (event.type === "approval-answer") {
      open--;
      if (open > 0) return;
      if (watched) keys.start();
      watched = false;
    } else if (event.type === "run-end") open = 0;
  };
}

function between<A extends unknown[], R>(
  keys: KeyWatch,
  ask: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return async (...args) => {
    const watched = keys.stop();
    return ask(...args).finally(() => {
      if (watched) keys.start();
    });
  };
}

function endingLine(result: RunResult, context: { used: number; budget: number }, io: Io): string {
  const paint = painter(io);
  const { stop, message, usage, costUsd } = result;
  const how =
    stop === "done" ? [] : [paint("yellow", stop === "aborted" ? "Stopped." : visibleLine(message ?? stop))];
  const cost = costUsd === undefined ? "" : ` · $${costUsd.toFixed(4)}`;
  const numbers = `${meter(context.used, context.budget)} · ${usage.inputTokens} in, ${usage.outputTokens} out${cost}`;
  return [...how, paint("dim", `─ ${numbers}`)].join("\n");
}
