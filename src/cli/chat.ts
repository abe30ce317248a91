import type { RunResult } from "../agent/agent.ts";
import type { AgentOptions } from "../app/agents.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { continueAsker, tellEnding, tellProblems } from "./ask.ts";
import { commandMenu, runChatCommand, runShellLine } from "./chat-commands.ts";
import { ChatPermissions, modeSentence } from "./chat-permissions.ts";
import { withResources } from "./chat-servers.ts";
import { chatView, meter } from "./chat-view.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import type { Conversing } from "./conversing.ts";
import { budgetText } from "./cost-text.ts";
import { LiveInput } from "./live-input.ts";
import { notify } from "./notify.ts";
import { askInTerminal, elicitInTerminal, openWield } from "./open.ts";
import { promptMessage } from "./prompt.ts";
import { history } from "./recap.ts";
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
import { type Suggest, suggestions } from "./suggestions.ts";
import { type Io, painter } from "./terminal.ts";
import { foundLines } from "./tools-servers.ts";

const { json: _, ...options } = runOptions;

export const chat: Command = {
  name: "chat",
  summary: "Chat with a model in the terminal",
  usage: "[message]",
  details: `A message that you write while the model works is queued and reaches it before its next step; arrow up withdraws it. Esc stops the model: its changes stay, and unsent messages return to the input. Arrow up recalls earlier messages. A line that ends with \\ continues on the next; pasted text is one message. / and @ open a menu of commands and files; Tab takes the first. A line that begins with ! runs in the shell, in the sandbox. Shift+Tab changes the permission mode. /help lists the commands: rewind, undo, compact, cost, model, mode, profile and more. Your own are Markdown files in ~/.config/wield/commands, and in .wield/commands of a trusted folder. When a question or a long run waits for you, the terminal's bell rings (WIELD_NOTIFY=off silences it).
In a pipe, every line is one message.
${exitCodesText}`,
  options: {
    ...resumeOptions,
    ...profileOption,
    ...modeOption,
    ...testDrivenOption,
    ...options,
    ...commonOptions,
  },
  examples: [
    { command: "wield chat", note: "start a new conversation" },
    { command: `wield chat "What does this project do?"`, note: "start with this message" },
    { command: "wield chat --continue", note: "continue the newest conversation" },
  ],
  async run(given, io) {
    const work: Work = { stop: new AbortController() };
    const permissions = new ChatPermissions();
    const liveInput = new LiveInput({
      suggest: suggestionsFor(() => wield),
      onInterrupt: () => work.stop.abort(),
      permissions,
      io,
    });
    const wield = await openWield(given, io, undefined, {
      ask: between(liveInput, (asks, signal) => {
        const [first] = asks;
        notify(`Wield asks: ${first?.title ?? ""}`, io);
        return askInTerminal(io)(asks, signal);
      }),
      elicit: between(liveInput, elicitInTerminal),
    });
    try {
      const session = given.value("resume") ?? (given.flag("continue") ? "latest" : undefined);
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
      const message = given.args.join(" ").trim();
      return await (io.interactive
        ? converse(wield, { common, first, message, liveInput, work, permissions }, io)
        : answerLines(wield, { first, message }, io));
    } finally {
      await wield.close();
    }
  },
};

const offlineText = `No model is set up: this is the built-in offline model, which is no language model. It reads, searches and explains where things are in this folder, and makes small edits ("Find all TODO comments", "Where is X defined?"). For a model: wield login, or start Ollama.`;

/** A person who waits longer than this may be elsewhere. */
const longRunMs = 10_000;

function suggestionsFor(wield: () => Wield): Suggest {
  return suggestions({
    commands: async () => commandMenu(await wield().commands()),
    findPaths: (wanted) => wield().findPaths(wanted),
  });
}

/** What Esc stops. */
interface Work {
  stop: AbortController;
}

async function answerLines(
  wield: Wield,
  { first, message }: Pick<Beginning, "first" | "message">,
  io: Io,
): Promise<number> {
  const stopWatching = watchRun(wield, io, false);
  const agent = await wield.agent(first);
  tellProblems(wield, io);
  let code: number = exit.ok;
  const lines = [message, ...(await io.input()).split(/\r?\n/)];
  for (const line of lines.filter((text) => text.trim() !== "")) {
    const result = await agent.send(line, io.signal);
    tellEnding(result, io);
    code = exitCodes[result.stop];
    if (result.stop === "aborted") break;
  }
  stopWatching();
  return code;
}

interface Beginning {
  common: AgentOptions;
  first: AgentOptions;
  /** The message from the command line. */
  message: string;
  liveInput: LiveInput;
  work: Work;
  permissions: ChatPermissions;
}

async function converse(
  wield: Wield,
  { common, first, message, liveInput, work, permissions }: Beginning,
  io: Io,
): Promise<number> {
  const paint = painter(io);
  // Node would print a warning at any moment, also over the input.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => {
    if (name === "Wield") io.out(paint("yellow", wrap(visibleLine(message), io.columns)));
  });
  // Warnings of the AI SDK would appear in the middle of the answer; wield ask prints them on standard error.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  // Terminal settings are restored by exit handlers, which do not run when a signal ends the process.
  process.once("SIGTERM", () => process.exit(143));
  // A prompt hides the cursor and does not show it again if it is aborted.
  process.once("exit", () => process.stdout.write("\u001b[?25h"));
  let asking: AgentOptions = {
    ...common,
    ...profileOf(first),
    mayContinue: between(liveInput, continueAsker),
    // Commands wait until the run is over.
    nextMessage: () => liveInput.next((text) => !/^[/!]/.test(text)),
  };
  const agent = await wield.agent({ ...asking, ...first });
  const open: Conversing["open"] = async ({ session, model, profile }) => {
    const next = {
      ...asking,
      ...(model !== undefined && { model }),
      ...(profile !== undefined && { profile }),
      permissionMode: permissions.mode,
      ...(chat.effort !== undefined && { effort: chat.effort }),
    };
    const opened = await wield.agent({ ...next, ...(session !== undefined && { session }) });
    asking = next;
    return opened;
  };
  const chat: Conversing = {
    ...{ wield, io, agent, untold: [], left: false, open, permissions },
    effort: first.effort,
    giveBack: (text) => liveInput.giveBack(text),
  };
  permissions.follow(chat);
  tellProblems(wield, io);
  const context = { used: 0, budget: 1 };
  wield.on(chatView(io));
  wield.on((event) => {
    if (event.type === "step-end")
      Object.assign(context, { used: event.context, budget: event.contextBudget });
  });
  io.out(`${paint(["inverse", "bold"], " wield ")} ${visibleLine(wield.workspace.root)}`);
  io.out(
    paint("dim", `${visibleLine(agent.model)} · mode ${permissions.mode}, Shift+Tab changes it · /help`),
  );
  for (const line of await foundLines(wield)) io.out(paint("dim", line));
  if (agent.model === "offline") io.out(paint("yellow", wrap(offlineText, io.columns)));
  if (first.session !== undefined) {
    io.out(paint("dim", `Continuing ${agent.session}; /show ${agent.session} shows all of it.`));
    for (const line of history(await wield.store.entries(agent.session), io)) io.out(line);
  }
  const said = await earlierQuestions(wield);
  const show = async (run: (signal: AbortSignal) => Promise<RunResult>) => {
    work.stop = new AbortController();
    const began = performance.now();
    liveInput.begin();
    let result: RunResult | undefined;
    try {
      result = await run(work.stop.signal);
    } finally {
      // Esc at the very end of a run also means: do not send the next message.
      liveInput.end(result?.stop !== "done" || work.stop.signal.aborted);
    }
    io.out(endingLine(result, context, io));
    const { budget } = await wield.cost.view();
    if (budget && budget.state !== "within") io.out(paint("yellow", budgetText(budget)));
    if (performance.now() - began > longRunMs) notify("Wield is done.", io);
  };
  const take = async (text: string) => {
    said.push(text.replaceAll("\n", " "));
    try {
      const isLine = /^!\s*\S/.test(text);
      if (isLine) await runShellLine(text.slice(1).trim(), chat);
      const message = text.startsWith("/") ? await runChatCommand(text, chat) : isLine ? undefined : text;
      if (message !== undefined) {
        const whole = await withResources(message, chat);
        for (const told of chat.untold.splice(0)) chat.agent.tell(told);
        await show((signal) => chat.agent.send(whole, signal));
      }
    } catch (error) {
      if (!(error instanceof Failure || error instanceof UsageError)) throw error;
      io.out(paint("red", visibleText(error.message)));
      if (!text.startsWith("/")) liveInput.giveBack(text);
    }
  };
  const nextMessage = async () => {
    const waited = liveInput.next();
    if (waited === undefined)
      return promptMessage(
        {
          history: said,
          suggest: suggestionsFor(() => wield),
          permissions: {
            label: () => permissions.label,
            next: () => modeSentence(permissions.next()),
          },
          begun: liveInput.takeText(),
          onMore: (messages, begun) => liveInput.goOn(messages, begun),
        },
        io,
      );
    io.out(`${paint(["bold", "cyan"], "› ")}${visibleText(waited)}`);
    return waited;
  };
  if (chat.agent.unfinished) {
    io.out(paint("yellow", "Continuing the interrupted run."));
    await show((signal) => chat.agent.resume(signal));
  }
  if (message !== "") await take(message);
  while (!chat.left) {
    const text = await nextMessage();
    if (text === undefined) chat.left = true;
    else if (text !== "") await take(text);
  }
  io.out(paint("dim", `Continue later with: wield chat --resume ${chat.agent.session}`));
  return exit.ok;
}

/** The person's messages in the newest sessions of this folder, oldest first. */
async function earlierQuestions(wield: Wield): Promise<string[]> {
  const newest = await wield.sessions.list(3);
  const logs = await Promise.all(newest.reverse().map(({ id }) => wield.store.entries(id)));
  return logs.flat().flatMap(({ data }) => {
    const { kind, text } = data as { kind: string; text?: string };
    return kind === "user" && text !== undefined ? [text.replaceAll("\n", " ")] : [];
  });
}

function profileOf({ profile }: AgentOptions): Pick<AgentOptions, "profile"> {
  return profile === undefined ? {} : { profile };
}

function between<Q, R>(
  liveInput: LiveInput,
  ask: (question: Q, signal: AbortSignal) => Promise<R>,
): (question: Q, signal: AbortSignal) => Promise<R> {
  return (question, signal) => {
    // Prompts listen to their signal for ever: one that ends after the answer must not take the keyboard away again.
    const open = new AbortController();
    const stop = () => open.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    return liveInput
      .withKeyboard(() => ask(question, open.signal), signal)
      .finally(() => signal.removeEventListener("abort", stop));
  };
}

function endingLine(result: RunResult, context: { used: number; budget: number }, io: Io): string {
  const paint = painter(io);
  const { stop, message, usage, costUsd } = result;
  const how =
    stop === "done" ? [] : [paint("yellow", stop === "aborted" ? "Stopped." : visibleLine(message ?? stop))];
  const cost = !costUsd ? "" : ` · $${costUsd.toFixed(4)}`;
  const numbers = `${meter(context.used, context.budget)} · ${usage.inputTokens} in, ${usage.outputTokens} out${cost}`;
  return [...how, paint("dim", `─ ${numbers}`)].join("\n");
}
