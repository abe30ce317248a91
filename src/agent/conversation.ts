import type { ModelMessage } from "ai";
import type { StopReason, Usage } from "../events/agent-events.ts";
import { asNotice } from "../text/notice.ts";
import type { ImagePart } from "../tool/tool.ts";
import { type Attachment, contentOf, tokensOfMessages } from "./attachments.ts";
import type { CallResult, LogData, PlannedCall, ShownLines, Summary } from "./log.ts";
import { lookupText } from "./lookups.ts";
import { SourceList } from "./sources.ts";
import { addUsage, noUsage } from "./usage.ts";

export type Turn =
  | { kind: "user"; text: string; attachments?: readonly Attachment[] }
  | { kind: "notice"; text: string }
  | { kind: "summary"; summary: Summary }
  | {
      kind: "step";
      messages: ModelMessage[];
      calls: PlannedCall[];
      results: CallResult[] | undefined;
      /** The words with the numbers of the sources that the provider cited. */
      cited: string | undefined;
      /** The provider paused in the midst of its answer: the next step continues it. */
      paused: boolean;
      /** No model took it: the results are shown with the person's message. */
      lookup: boolean;
    };

/** The conversation as the model is shown it: the fold of a session's log, older parts in shorter form. */
export class Conversation {
  #turns: Turn[] = [];
  readonly #shortened = new Set<string>();
  /** Images live as long as the process: a resumed session reads a picture again if it needs it. */
  readonly #images = new Map<string, readonly ImagePart[]>();
  /** Since the person's last message; limits apply to this. */
  steps = 0;
  usage: Usage = noUsage;
  /** Usage of delegated runs since then. */
  delegated: Usage = noUsage;
  /** The model has nothing more to do or must not be called. */
  ended = true;
  /** How the last run ended. */
  stop: StopReason = "done";
  /** Tools that the model found by searching: from then on they are described to it. */
  readonly found = new Set<string>();
  /** What was found and read, in the order of the numbers that it is cited by. */
  readonly sources = new SourceList();

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  add(data: LogData): void {
    switch (data.kind) {
      case "user":
        this.#beginRun();
        this.#turns.push(data);
        this.sources.add(data.sources ?? []);
        break;
      case "continue":
        this.#beginRun();
        break;
      case "notice":
        this.#turns.push({ kind: "notice", text: data.text });
        this.ended = false;
        break;
      case "step":
        this.#turns.push({
          kind: "step",
          messages: data.messages,
          calls: data.calls,
          results: undefined,
          cited: data.cited,
          paused: !data.final && data.calls.length === 0,
          lookup: data.lookup ?? false,
        });
        this.sources.add(data.sources ?? []);
        if (!data.lookup) this.steps++;
        this.usage = addUsage(this.usage, data.usage);
        this.ended = data.final;
        break;
      case "results": {
        const last = this.#turns.at(-1);
        if (last?.kind === "step") last.results = data.results;
        for (const { found = [], sources = [], used = noUsage } of data.results) {
          for (const name of found) this.found.add(name);
          this.sources.add(sources);
          this.delegated = addUsage(this.delegated, used);
        }
        break;
      }
      case "shorten":
        for (const id of data.ids) this.#shorten(id);
        break;
      case "summary":
        this.#summarise(data.summary, data.keep);
        this.usage = addUsage(this.usage, data.usage);
        break;
      case "rewind":
        this.ended = true;
        this.stop = "done";
        break;
      case "end":
        this.ended = true;
        this.stop = data.stop;
    }
  }

  /** Calls of the last step that have no result yet. */
  open(): PlannedCall[] {
    const last = this.#turns.at(-1);
    return last?.kind === "step" && last.results === undefined ? last.calls : [];
  }

  /** The words of the model's last step, and of the paused ones that it continues. */
  lastText(): string {
    const last = this.#turns.findLastIndex((turn) => turn.kind === "step");
    const step = this.#turns[last];
    return step ? pausedText(this.#turns.slice(0, last)) + wordsOf(step) : "";
  }

  /** The words of paused steps that the next one continues. */
  pausedText(): string {
    return pausedText(this.#turns);
  }

  showImages(id: string, images: readonly ImagePart[]): void {
    if (images.length > 0) this.#images.set(id, images);
  }

  /** Results that the model still sees in full, oldest first. */
  inFull(): CallResult[] {
    return this.results().filter(({ id, short, text }) => !this.#shortened.has(id) && short !== text);
  }

  results(): CallResult[] {
    return this.#turns.flatMap((turn) => (turn.kind === "step" ? (turn.results ?? []) : []));
  }

  /** What the person asked for last, and what has been searched for since the beginning, in the open calls, too. */
  topic(): string {
    const asked = this.#turns.findLast((turn) => turn.kind === "user");
    const searches = [...this.results(), ...this.open()].flatMap(({ tool, input }) => {
      const { query, pattern } = (input ?? {}) as { query?: unknown; pattern?: unknown };
      const words = { search_code: query, grep: pattern }[tool];
      return typeof words === "string" ? [words] : [];
    });
    return [...(asked ? [asked.text] : []), ...searches].join("\n");
  }

  isShortened(id: string): boolean {
    return this.#shortened.has(id);
  }

  /** The result above that already shows these lines of the unchanged file. */
  showing({ path, state, from, to }: ShownLines): CallResult | undefined {
    return this.results().findLast(
      ({ id, shows }) =>
        shows?.path === path &&
        shows.state === state &&
        shows.from <= from &&
        shows.to >= to &&
        !this.#shortened.has(id),
    );
  }

  messages(): ModelMessage[] {
    return this.#turns.flatMap((turn) => this.messagesOf(turn));
  }

  messagesOf(turn: Turn): ModelMessage[] {
    if (turn.kind === "user") return [{ role: "user", content: contentOf(turn) }];
    if (turn.kind === "notice") return [{ role: "user", content: asNotice(turn.text) }];
    if (turn.kind === "summary") return [{ role: "user", content: asNotice(summaryText(turn.summary)) }];
    if (turn.lookup) return this.#lookupMessages(turn.results ?? []);
    if (!turn.results || turn.results.length === 0) return turn.messages;
    return [...turn.messages, { role: "tool", content: turn.results.map((result) => this.#part(result)) }];
  }

  /** A lookup that failed is not shown: nobody asked for it. */
  #lookupMessages(results: readonly CallResult[]): ModelMessage[] {
    const found = results.filter(({ ok }) => ok);
    if (found.length === 0) return [];
    const content = found.map((result) => {
      const { tool, input } = result;
      return lookupText(tool, input, this.#shortened.has(result.id) ? result.short : result.text);
    });
    return [{ role: "user", content: content.join("\n") }];
  }

  tokensOf(turn: Turn): number {
    return tokensOfMessages(this.messagesOf(turn));
  }

  #part(result: CallResult) {
    const { ref, tool, ok } = result;
    const text = this.#shortened.has(result.id) ? result.short : result.text;
    const images = this.#images.get(result.id) ?? [];
    const output = !ok
      ? { type: "error-text" as const, value: text }
      : images.length === 0
        ? { type: "text" as const, value: text }
        : {
            type: "content" as const,
            value: [
              { type: "text" as const, text },
              ...images.map(({ mediaType, base64 }) => ({
                type: "file" as const,
                mediaType,
                data: { type: "data" as const, data: base64 },
              })),
            ],
          };
    return { type: "tool-result" as const, toolCallId: ref, toolName: tool, output };
  }

  #beginRun(): void {
    this.steps = 0;
    this.usage = noUsage;
    this.delegated = noUsage;
    this.ended = false;
  }

  #shorten(id: string): void {
    this.#shortened.add(id);
    this.#images.delete(id);
  }

  #summarise(summary: Summary, keep: number): void {
    const gone = this.#turns.slice(0, this.#turns.length - keep);
    for (const turn of gone) {
      if (turn.kind !== "step") continue;
      for (const { id } of turn.results ?? []) {
        this.#shortened.delete(id);
        this.#images.delete(id);
      }
    }
    this.#turns = [{ kind: "summary", summary }, ...this.#turns.slice(this.#turns.length - keep)];
  }
}

/** The words of the paused steps at the end. */
function pausedText(turns: readonly Turn[]): string {
  const start = turns.findLastIndex((turn) => turn.kind !== "step" || !turn.paused) + 1;
  return turns.slice(start).map(wordsOf).join("");
}

function wordsOf(turn: Turn): string {
  return turn.kind === "step" ? (turn.cited ?? textIn(turn.messages)) : "";
}

export function summaryText({ said, done, plan, readable }: Summary): string {
  const parts = {
    "What the person said, in order": said.join("\n"),
    "What was done": done,
    "The plan as it stands": plan,
    "Results that read_result still gives": readable,
  };
  return [
    "Earlier messages were dropped to save space. This replaces them.",
    ...Object.entries(parts).flatMap(([title, text]) => (text === "" ? [] : [`${title}:\n${text}`])),
  ].join("\n\n");
}

export function textIn(messages: readonly ModelMessage[]): string {
  return messages
    .filter((message) => message.role === "assistant")
    .flatMap(({ content }) =>
      typeof content === "string"
        ? [content]
        : content.map((part) => (part.type === "text" ? part.text : "")),
    )
    .join("");
}
