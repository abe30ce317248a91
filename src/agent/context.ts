import type { Usage } from "../events/agent-events.ts";
import { estimateTokens } from "../text/tokens.ts";
import { inWords } from "./attachments.ts";
import { type Conversation, type Turn, textIn } from "./conversation.ts";
import type { CallResult, LogData, Summary } from "./log.ts";
import { noUsage } from "./usage.ts";

export interface ContextParts {
  /** Tokens of instructions and tool descriptions. */
  overhead: number;
  budget: number;
  /** Reported tokens divided by estimated ones. */
  factor: number;
  modelName: string;
  log(data: LogData): Promise<void>;
  /** The model's own summary of a transcript; may fail. */
  summarise(transcript: string): Promise<{ text: string; usage: Usage }>;
}

/** Shrinking continues down to this size, so it happens rarely: each time invalidates the provider's cache. */
const target = 0.6;
/** Shares of the budget: turns that stay after a summary, and the parts of the summary itself. */
const keptShare = 0.3;
const saidShare = 0.15;
const doneShare = 0.1;
const readableShare = 0.05;
/** Results of so many last steps stay as they are. */
const recentSteps = 2;

/** Keeps the conversation within its budget: old results in their short form first, then a summary of old turns. */
export async function fitContext(
  conversation: Conversation,
  parts: ContextParts,
): Promise<{ before: number; after: number; summarised: boolean } | undefined> {
  const size = () => contextSize(conversation, parts);
  const before = size();
  if (before <= parts.budget) return undefined;
  await shortenOld(conversation, parts, recentSteps);
  let summarised = false;
  if (size() > parts.budget) {
    const keep = turnsToKeep(conversation, parts);
    if (keep > 0) await summariseOld(conversation, parts, keep);
    summarised = true;
  }
  if (size() > parts.budget) await shortenOld(conversation, parts, 0);
  return { before, after: size(), summarised };
}

/** On demand: all turns so far become one summary, whatever the size. */
export async function compactContext(
  conversation: Conversation,
  parts: ContextParts,
): Promise<{ before: number; after: number; summary: Summary } | undefined> {
  const before = contextSize(conversation, parts);
  const summary = await summariseOld(conversation, parts, 0);
  return summary && { before, after: contextSize(conversation, parts), summary };
}

export function contextSize(
  conversation: Conversation,
  { overhead, factor }: Pick<ContextParts, "overhead" | "factor">,
): number {
  const tokens = conversation.turns.reduce((sum, turn) => sum + conversation.tokensOf(turn), overhead);
  return Math.round(tokens * factor);
}

async function shortenOld(conversation: Conversation, parts: ContextParts, spared: number): Promise<void> {
  const steps = conversation.turns.filter((turn) => turn.kind === "step");
  const recent = new Set(
    steps.slice(steps.length - spared).flatMap((turn) => (turn.results ?? []).map(({ id }) => id)),
  );
  const plan = new Set(planResults(conversation).map(({ id }) => id));
  let excess = contextSize(conversation, parts) - parts.budget * target;
  const ids: string[] = [];
  for (const { id, text, short } of conversation.inFull()) {
    if (excess <= 0) break;
    if (recent.has(id) || plan.has(id)) continue;
    ids.push(id);
    excess -= (estimateTokens(text) - estimateTokens(short)) * parts.factor;
  }
  if (ids.length > 0) await parts.log({ kind: "shorten", ids });
}

/** The newest turns that stay beside a summary: as many as fit, at least one, and never all. */
function turnsToKeep(conversation: Conversation, { budget, factor }: ContextParts): number {
  const { turns } = conversation;
  let keep = 1;
  let remaining = budget * keptShare;
  for (const turn of turns.toReversed()) {
    remaining -= conversation.tokensOf(turn) * factor;
    if (remaining < 0) break;
    keep++;
  }
  return Math.min(keep, turns.length - 1);
}

async function summariseOld(
  conversation: Conversation,
  parts: ContextParts,
  keep: number,
): Promise<Summary | undefined> {
  const { turns } = conversation;
  if (turns.length - keep < 1) return undefined;
  const old = turns.slice(0, turns.length - keep);
  const transcript = old.map(transcriptOf).join("\n");
  const told = await parts.summarise(transcript).catch(() => ({ text: "", usage: noUsage }));
  const summary: Summary = {
    said: firstAndNewest(old.flatMap(spokenIn), parts.budget * saidShare),
    done: told.text.trim() || digest(transcript, parts.budget * doneShare),
    plan: [
      // Since the last summary there may be changes only.
      ...(planResults(conversation).some(isWholePlan)
        ? []
        : [old.findLast((turn) => turn.kind === "summary")?.summary.plan ?? ""]),
      ...planResults(conversation).map(({ text }) => text),
    ]
      .filter(Boolean)
      .join("\n"),
    readable: readable(old, parts.budget * readableShare),
  };
  await parts.log({ kind: "summary", summary, keep, usage: told.usage, model: parts.modelName });
  return summary;
}

/** The plan as the model last got it in full, and the changes since. */
function planResults(conversation: Conversation): CallResult[] {
  const all = [...conversation.results()].filter(({ tool, ok }) => ok && /plan$/i.test(tool));
  return all.slice(Math.max(0, all.findLastIndex(isWholePlan)));
}

function isWholePlan({ tool }: CallResult): boolean {
  return !/^updatePlan$/i.test(tool);
}

function spokenIn(turn: Turn): string[] {
  if (turn.kind === "user") return [inWords(turn)];
  return turn.kind === "summary" ? turn.summary.said : [];
}

export function transcriptOf(turn: Turn): string {
  if (turn.kind === "summary") return turn.summary.done;
  if (turn.kind === "user") return `user: ${inWords(turn)}`;
  if (turn.kind === "notice") return `notice: ${turn.text}`;
  const said = textIn(turn.messages).trim();
  const calls = (turn.results ?? []).map(
    ({ tool, input, short }) => `call ${tool} ${JSON.stringify(input)}\n${short}`,
  );
  return [...(said ? [`assistant: ${said}`] : []), ...calls].join("\n");
}

/** Without a model's summary: the calls that were made, newest last, as many as fit. */
function digest(transcript: string, tokens: number): string {
  return newest(
    transcript.split("\n").filter((line) => /^(?:call|assistant:) /.test(line)),
    tokens,
  );
}

function readable(turns: readonly Turn[], tokens: number): string {
  const results = turns.flatMap((turn) => (turn.kind === "step" ? (turn.results ?? []) : []));
  return newest(
    results.map(({ id, tool, input }) => `${id}: ${tool} ${JSON.stringify(input).slice(0, 120)}`),
    tokens,
  );
}

function newest(lines: readonly string[], tokens: number): string {
  const kept: string[] = [];
  let remaining = tokens;
  for (const line of lines.toReversed()) {
    const short = line.length > 300 ? `${line.slice(0, 299)}…` : line;
    remaining -= estimateTokens(short) + 1;
    if (remaining < 0) break;
    kept.unshift(short);
  }
  return kept.join("\n");
}

/** The original task, and as much of the later text as fits. */
function firstAndNewest(said: readonly string[], tokens: number): string[] {
  const [first = "", ...later] = said;
  const kept: string[] = [];
  let remaining = tokens - estimateTokens(first);
  for (const text of later.toReversed()) {
    remaining -= estimateTokens(text);
    if (remaining < 0) break;
    kept.unshift(text);
  }
  return [first, ...kept];
}
