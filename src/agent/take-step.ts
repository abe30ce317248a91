import type { ToolSet } from "ai";
import { untilAborted } from "../runtime/abort.ts";
import { newId } from "../text/ids.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { Tool } from "../tool/tool.ts";
import { type Citation, citedText, marksFor } from "./citations.ts";
import { type ContextParts, compactContext, contextSize, fitContext } from "./context.ts";
import { type Conversation, textIn } from "./conversation.ts";
import { instructionsFor } from "./instructions.ts";
import type { PlannedCall, Summary } from "./log.ts";
import { type ModelReply, streamStep } from "./model-step.ts";
import { modelTools } from "./model-tools.ts";
import type { AgentParts, EventBody, Write } from "./parts.ts";
import { sourceSection } from "./report.ts";
import { withRetries } from "./retry.ts";
import type { Search } from "./searches.ts";
import { summarise } from "./summarise.ts";
import { noUsage } from "./usage.ts";

const namesTold = 20;

export interface StepTaker {
  /** One answer of the model, written down. True when it was cut short. */
  take(mayCall: boolean, signal: AbortSignal): Promise<boolean>;
  /** Replaces the conversation so far by a summary; undefined: there is nothing to summarise. */
  compact(signal: AbortSignal): Promise<Compacted | undefined>;
}

/** Tokens of a request before and after, and what was kept. */
export interface Compacted {
  before: number;
  after: number;
  summary: Summary;
}

/** The model's side of the conversation: what it is shown, within its budget, and its recorded answers. */
export function createStepTaker(
  parts: AgentParts,
  conversation: Conversation,
  write: Write,
  emit: (event: EventBody) => void,
): StepTaker {
  const { profile, clock } = parts;
  const instructions = instructionsFor(profile, parts.tools, parts.surroundings);
  const known = new Set(parts.tools.map((tool) => tool.name));
  /** Reported tokens divided by estimated ones. */
  let factor = 1;

  async function takeStep(mayCall: boolean, signal: AbortSignal): Promise<boolean> {
    const tools = await parts.toolsNow();
    await tellNew(tools);
    const { told, overhead } = toldTo(tools);
    const shrunk = await fitContext(conversation, contextParts(overhead, signal));
    if (shrunk) emit({ type: "context-shrink", ...shrunk });
    const step = conversation.steps + 1;
    emit({ type: "step-start", step });
    const estimated = contextSize(conversation, { overhead, factor: 1 });
    const reply = await ask(told, mayCall, signal);
    for (const tool of reply.ranByProvider) await parts.onServerTool?.(tool);
    // The provider's count corrects the estimate; a single outlier must not distort it.
    if (reply.usage.inputTokens > 0) factor = Math.min(2, Math.max(0.5, reply.usage.inputTokens / estimated));
    const calls = reply.calls.map(
      (call): PlannedCall => ({ id: newId("c"), ...call, ...(reply.cut && { cut: true }) }),
    );
    const final = calls.length === 0 && !reply.paused;
    const { messages, usage, sources } = reply;
    conversation.sources.add(sources);
    const cited = answerText(reply, final);
    const all = [...sources, ...reply.passages.flatMap(({ citations }) => citations.map((c) => c.source))];
    await write({
      ...{ kind: "step", messages, calls, usage, model: parts.modelName, final },
      ...(all.length > 0 && { sources: all }),
      ...(cited !== undefined && { cited }),
    });
    const context = contextSize(conversation, { overhead, factor });
    const { usage: total } = conversation;
    emit({ type: "step-end", step, usage: reply.usage, total, context, contextBudget: parts.contextBudget });
    return final && reply.cut;
  }

  /**
   * The words of a step where they are more than its messages hold: the numbers of what the provider cited, and, below the
   * answer, the list that its numbers refer to.
   */
  function answerText(reply: ModelReply, final: boolean): string | undefined {
    const cited = citedText(reply.passages, conversation.sources);
    if (!final || !parts.listsSources) return cited;
    const words = cited ?? textIn(reply.messages);
    const list = sourceSection(`${conversation.pausedText()}${words}`, conversation.sources.all);
    if (list === "") return cited;
    emit({ type: "text-delta", text: list });
    return `${words.trimEnd()}${list}`;
  }

  function toldTo(tools: readonly Tool[]): { told: ToolSet; overhead: number } {
    const { told, tokens } = modelTools(
      tools,
      parts.serverTools(),
      conversation.found,
      profile.hasShortTools,
    );
    return { told, overhead: tokens + estimateTokens(instructions) };
  }

  async function compact(signal: AbortSignal): Promise<Compacted | undefined> {
    const { overhead } = toldTo(await parts.toolsNow());
    const compacted = await compactContext(conversation, contextParts(overhead, signal));
    if (compacted) {
      const { before, after } = compacted;
      emit({ type: "context-shrink", before, after, summarised: true });
    }
    return compacted;
  }

  /** The instructions stay unchanged, for the provider's cache: news is added to the conversation. */
  async function tellNew(tools: readonly Tool[]): Promise<void> {
    const names = tools.map((tool) => tool.name).filter((name) => !known.has(name));
    for (const name of names) known.add(name);
    const added = names.filter((name) => name !== "searchTools");
    if (added.length === 0) return;
    const more = added.length > namesTold ? ` and ${added.length - namesTold} more` : "";
    const text = `New tools are there: ${added.slice(0, namesTold).join(", ")}${more}. What is not described to you is found with searchTools.`;
    await write({ kind: "notice", text });
  }

  function ask(tools: ToolSet, mayCall: boolean, signal: AbortSignal): Promise<ModelReply> {
    let said = "";
    const listener = {
      text: (text: string) => {
        said += text;
        emit({ type: "text-delta", text });
      },
      cited: (citations: readonly Citation[]) =>
        emit({ type: "text-delta", text: ` ${marksFor(citations, conversation.sources)}` }),
      searched: ({ tool, query, results }: Search) => emit({ type: "search-add", tool, query, results }),
      reasoning: (text: string) => emit({ type: "reasoning-delta", text }),
      inputStart: (ref: string, tool: string) => emit({ type: "input-start", ref, tool }),
      inputDelta: (ref: string, delta: string) => emit({ type: "input-delta", ref, delta }),
    };
    const messages = conversation.messages();
    const maxOutputTokens = parts.maxOutputTokens ?? profile.maxOutputTokens;
    const request = {
      model: parts.model,
      instructions,
      messages,
      tools,
      mayCall,
      effort: parts.effort,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    };
    return withRetries(
      () => untilAborted(streamStep(request, listener, signal), signal),
      parts.modelName,
      clock,
      signal,
      (reason, waitMs) => {
        said = "";
        emit({ type: "model-retry", reason, waitMs });
      },
    ).catch(async (error: unknown) => {
      // Text that people already saw is kept for them; the model is asked again.
      if (said.trim() !== "") await write({ kind: "partial", text: said });
      throw error;
    });
  }

  function contextParts(overhead: number, signal: AbortSignal): ContextParts {
    return {
      overhead,
      budget: parts.contextBudget,
      factor,
      modelName: parts.modelName,
      log: write,
      summarise: async (transcript) => {
        // It cannot write summaries; a list of what was done is used instead.
        if (parts.modelName === "offline") return { text: "", usage: noUsage };
        return summarise(parts.model, transcript, signal);
      },
    };
  }

  return { take: takeStep, compact };
}
