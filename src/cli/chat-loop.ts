import type { RunResult } from "../agent/agent.ts";
import type { AgentOptions } from "../app/agent-options.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { continueAsker, printProblems } from "./ask.ts";
import { commandMenu, runChatCommand } from "./chat-commands.ts";
import { type ChatContext, printUnfinished } from "./chat-context.ts";
import { type ChatPermissions, modeSentence } from "./chat-permissions.ts";
import { processLine, runningProcesses } from "./chat-processes.ts";
import { withResources } from "./chat-servers.ts";
import { runShellLine } from "./chat-shell.ts";
import { chatView, meter } from "./chat-view.ts";
import { exit, UsageError } from "./command.ts";
import { budgetText } from "./cost-text.ts";
import { Footer } from "./footer.ts";
import type { LiveInput } from "./live-input.ts";
import { notify } from "./notify.ts";
import { promptMessage } from "./prompt.ts";
import { history } from "./recap.ts";
import type { RunningCalls } from "./running-calls.ts";
import { type Suggest, suggestions } from "./suggestions.ts";
import { type Io, painter } from "./terminal.ts";
import { foundLines } from "./tools-servers.ts";
import { onWarning } from "./warnings.ts";

const offlineText = `No model is set up: this is the built-in offline model, not a language model. It reads, searches and explains where things are in this folder, and makes small edits ("Find all TODO comments", "Where is X defined?"). For a model: wield login, or start Ollama.`;

/** A person who waits longer than this may be elsewhere. */
const longRunMs = 10_000;

export function suggestionsFor(wield: () => Wield): Suggest {
  return suggestions({
    commands: async () => commandMenu(await wield().commands()),
    findPaths: (wanted) => wield().findPaths(wanted),
  });
}

/** What Esc stops. */
export interface Work {
  stop: AbortController;
}

export interface Beginning {
  common: AgentOptions;
  first: AgentOptions;
  /** The message from the command line. */
  message: string;
  liveInput: LiveInput;
  running: RunningCalls;
  work: Work;
  permissions: ChatPermissions;
}

/** The conversation in a terminal, until the person leaves it. */
export async function runChat(
  wield: Wield,
  { common, first, message, liveInput, running, work, permissions }: Beginning,
  io: Io,
): Promise<{ code: number; next?: string }> {
  const paint = painter(io);
  /** Above the input while there is one: what is printed over it would hide what the person writes. */
  let tellAbove: ((line: string) => void) | undefined;
  onWarning((text) => {
    const line = paint("yellow", wrap(visibleLine(text), io.columns));
    if (tellAbove) tellAbove(line);
    else io.out(line);
  });
  restoreAtExit();
  let asking: AgentOptions = {
    ...common,
    ...(first.profile !== undefined && { profile: first.profile }),
    mayContinue: between(liveInput, continueAsker),
    // Commands wait until the run is over.
    nextMessage: () => liveInput.next((text) => !/^[/!]/.test(text)),
  };
  const agent = await wield.agent({ ...asking, ...first });
  const open: ChatContext["open"] = async ({ session, model, profile }) => {
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
  /** Esc stops the work, and what is typed while it runs is kept. */
  const whileWorking: ChatContext["whileWorking"] = async (stops, run) => {
    work.stop = new AbortController();
    liveInput.begin(stops);
    let isHeld = true;
    try {
      const { value, isDone } = await run(work.stop.signal);
      // Esc at the very end also means: do not send the next message.
      isHeld = !isDone || work.stop.signal.aborted;
      return value;
    } finally {
      liveInput.end(isHeld);
    }
  };
  const show = async (run: (signal: AbortSignal) => Promise<RunResult>) => {
    const began = performance.now();
    const result = await whileWorking("the agent", async (signal) => {
      const value = await run(signal);
      return { value, isDone: value.stop === "done" };
    });
    io.out(endingLine(result, context, runningProcesses(wield), io));
    const { budget } = await wield.cost.view();
    if (budget && budget.state !== "within") io.out(paint("yellow", budgetText(budget)));
    if (performance.now() - began > longRunMs) notify("Wield is done.", io);
  };
  const chat: ChatContext = {
    ...{ wield, io, agent, pendingNotices: [], left: false, open, permissions, running, whileWorking },
    effort: first.effort,
    goOn: () => show((signal) => chat.agent.resume(signal)),
    giveBack: (text) => liveInput.giveBack(text),
  };
  permissions.follow(chat);
  printProblems(wield, io);
  const context = { used: 0, budget: 1 };
  wield.on(chatView(io, Footer.possible(process.stdout, io.env["TERM"])));
  wield.on((event) => {
    running.follow(event);
    // During a run the view shows it.
    if (event.type === "process-change" && tellAbove) tellAbove(processLine(event, io));
    if (event.type === "step-end")
      Object.assign(context, { used: event.context, budget: event.contextBudget });
  });
  const { worktree } = wield;
  io.out(
    `${paint(["inverse", "bold"], " wield ")} ${visibleLine(worktree?.repository ?? wield.workspace.root)}${worktree ? ` · worktree ${worktree.name}, branch ${worktree.branch}, /worktree` : ""}`,
  );
  io.out(
    paint(
      "dim",
      `${visibleLine(agent.model)} · profile ${agent.profile} · mode ${permissions.mode}, Shift+Tab changes it · /help`,
    ),
  );
  for (const line of await foundLines(wield)) io.out(paint("dim", line));
  if (agent.model === "offline") io.out(paint("yellow", wrap(offlineText, io.columns)));
  if (first.session !== undefined) {
    io.out(paint("dim", `Continuing ${agent.session}; /show ${agent.session} shows all of it.`));
    for (const line of history(await wield.store.entries(agent.session), io)) io.out(line);
  }
  const said = await earlierQuestions(wield);
  const take = async (text: string) => {
    said.push(text.replaceAll("\n", " "));
    try {
      const isLine = /^!\s*\S/.test(text);
      if (isLine) await runShellLine(text.slice(1).trim(), chat);
      const message = text.startsWith("/") ? await runChatCommand(text, chat) : isLine ? undefined : text;
      if (message !== undefined) {
        const whole = await withResources(message, chat);
        for (const notice of chat.pendingNotices.splice(0)) chat.agent.tell(notice);
        await show((signal) => chat.agent.send(whole, signal));
      }
    } catch (error) {
      if (!(error instanceof Failure || error instanceof UsageError)) throw error;
      io.out(paint("red", wrap(visibleText(error.message), io.columns)));
      if (!text.startsWith("/")) liveInput.giveBack(text);
    }
  };
  const nextMessage = async () => {
    const waited = liveInput.next();
    if (waited !== undefined) {
      io.out(`${paint(["bold", "cyan"], "› ")}${visibleText(waited)}`);
      return waited;
    }
    return promptMessage(
      {
        history: said,
        suggest: suggestionsFor(() => wield),
        permissions: {
          label: () => permissions.label,
          next: () => modeSentence(permissions.next()),
        },
        begun: liveInput.takeText(),
        onOpen: (tell) => {
          tellAbove = tell;
        },
        onMore: (messages, begun) => liveInput.goOn(messages, begun),
      },
      io,
    ).finally(() => {
      tellAbove = undefined;
    });
  };
  printUnfinished(chat);
  if (message !== "") await take(message);
  while (!chat.left) {
    const text = await nextMessage();
    if (text === undefined) chat.left = true;
    else if (text !== "") await take(text);
  }
  printStopped(runningProcesses(wield), io);
  const uncommitted = await uncommittedLine(wield);
  if (uncommitted !== undefined) io.out(paint("yellow", uncommitted));
  // A session without a message is not stored: there is nothing to continue. Nor is there when its worktree has ended.
  if (!wield.worktrees.endIn(wield.workspace.root) && (await wield.store.session(chat.agent.session)))
    io.out(paint("dim", `Continue later with: wield chat --resume ${chat.agent.session}`));
  return { code: exit.ok, ...(chat.next !== undefined && { next: chat.next }) };
}

/** For someone who leaves a worktree in which something is not committed. */
async function uncommittedLine({ worktree, worktrees }: Wield): Promise<string | undefined> {
  if (!worktree || worktrees.endIn(worktree.folder)) return undefined;
  const { uncommitted = 0 } = (await worktrees.look(worktree.name).catch(() => undefined)) ?? {};
  if (uncommitted === 0) return undefined;
  return `The worktree ${worktree.name} has ${uncommitted} uncommitted ${uncommitted === 1 ? "file" : "files"}. To see what has changed: wield worktree show ${worktree.name}`;
}

/** What runs in the background ends with the chat. */
function printStopped(processes: number, io: Io): void {
  if (processes === 0) return;
  const what = processes === 1 ? "1 background process" : `${processes} background processes`;
  io.out(painter(io)("dim", `Stopping ${what}.`));
}

function restoreAtExit(): void {
  // Warnings of the AI SDK would appear in the middle of the answer; wield ask prints them on standard error.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  // Terminal settings are restored by exit handlers, which do not run when a signal ends the process.
  process.once("SIGTERM", () => process.exit(143));
  // A prompt hides the cursor and does not show it again if it is aborted.
  process.once("exit", () => process.stdout.write("\u001b[?25h"));
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

/** Asks with the keyboard that the chat has given up for so long. */
export function between<Q, R>(
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

function endingLine(
  result: RunResult,
  context: { used: number; budget: number },
  processes: number,
  io: Io,
): string {
  const paint = painter(io);
  const { stop, message, usage, costUsd } = result;
  const how =
    stop === "done" ? [] : [paint("yellow", stop === "aborted" ? "Stopped." : visibleLine(message ?? stop))];
  const cost = !costUsd ? "" : ` · $${costUsd.toFixed(4)}`;
  const numbers = `${meter(context.used, context.budget)} · ${usage.inputTokens} in, ${usage.outputTokens} out${cost}${processes > 0 ? ` · ${processes} in the background, /processes` : ""}`;
  return [...how, paint("dim", `─ ${numbers}`)].join("\n");
}
