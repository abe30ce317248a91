import type { RewindMessage, RewindView } from "../api/rewind.ts";
import type { RewindWhat } from "../app/rewind.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import type { ChatContext } from "./chat-context.ts";
import { UsageError } from "./command.ts";
import { localTime } from "./local-time.ts";
import { painter } from "./terminal.ts";

const usage = "Use: /rewind [how many messages back] [both | conversation | files]";
const wanted = ["both", "conversation", "files"] as const;

/** `/rewind`: back to before one of the person's messages, which then stands in the input again. */
export async function rewindChat(chat: ChatContext, [back, what]: readonly string[]): Promise<void> {
  const { wield, agent, io } = chat;
  if ((await wield.store.session(agent.session)) === undefined)
    throw new UsageError("There is no message to go back to yet.");
  const messages = await wield.sessions.messages(agent.session);
  const message = back === undefined ? await chooseMessage(messages) : messageBack(messages, numberOf(back));
  if (!message) return;
  const plan = await wield.sessions.planRewind(agent.session, message.entry);
  const chosen = what === undefined ? await chooseWhat(plan) : wanted.find((known) => known === what);
  if (chosen === undefined) {
    if (what !== undefined) throw new UsageError(usage);
    return;
  }
  const { text, files, left } = await wield.sessions.rewind(agent.session, message.entry, chosen);
  const paint = painter(io);
  const restored =
    files.length === 0 ? "No file had to change." : `Restored: ${files.map(visibleLine).join(", ")}`;
  if (chosen !== "conversation") io.out(restored);
  if (left.length > 0)
    io.out(paint("yellow", `Not restored, no longer kept: ${left.map(visibleLine).join(", ")}`));
  if (chosen === "files") {
    chat.pendingNotices.push(
      `The person took these files back to how they were before: ${files.join(", ")}.`,
    );
    return;
  }
  chat.pendingNotices = [];
  chat.agent = await chat.open({ session: agent.session });
  chat.giveBack(text);
  io.out(
    paint(
      "dim",
      `The conversation is as it was before ${localTime(message.at)}. Your message is in the input.`,
    ),
  );
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError(usage);
}

function messageBack(messages: readonly RewindMessage[], back: number): RewindMessage {
  const message = messages.at(-back);
  if (message && back <= messages.length) return message;
  const many = messages.length === 1 ? "one message" : `${messages.length} messages`;
  throw new UsageError(`This conversation has ${many} of yours, so it cannot go back ${back}.`);
}

async function chooseMessage(messages: readonly RewindMessage[]): Promise<RewindMessage | undefined> {
  const { isCancel, select } = await import("@clack/prompts");
  const options = messages.toReversed().map(({ entry, at, text }) => ({
    value: entry,
    label: short(text),
    hint: localTime(at),
  }));
  const chosen = await select({ message: "Back to before which message?", options, maxItems: 10 });
  return isCancel(chosen) ? undefined : messages.find(({ entry }) => entry === chosen);
}

async function chooseWhat(plan: RewindView): Promise<RewindWhat | undefined> {
  const { isCancel, log, select } = await import("@clack/prompts");
  if (plan.conflict !== undefined) log.warn(visibleText(plan.conflict));
  for (const { path, change, added, removed } of plan.files.slice(0, 20))
    log.message(`${change} ${visibleLine(path)}  +${added} −${removed}`);
  const files = `${plan.files.length} ${plan.files.length === 1 ? "file" : "files"}`;
  const withFiles =
    plan.conflict === undefined
      ? ([
          { value: "both", label: `The conversation and ${files}` },
          { value: "files", label: `Only ${files}` },
        ] as const)
      : [];
  const chosen = await select<RewindWhat>({
    message: "What goes back?",
    options: [...withFiles, { value: "conversation", label: "Only the conversation" }],
  });
  return isCancel(chosen) ? undefined : chosen;
}

function short(text: string): string {
  const line = visibleLine(text);
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
