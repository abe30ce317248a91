import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { withoutCode } from "../../failure/failure.ts";
import { isNotice } from "../../text/notice.ts";

/** What the offline model sees of a conversation: the last question, and the calls since with their results. */
export interface Standing {
  question: string;
  done: readonly Done[];
  /** Tools that may be called; none if the caller wants a final answer. */
  has(tool: string): boolean;
}

export interface Done {
  tool: string;
  input: Record<string, unknown>;
  text: string;
  failed: boolean;
}

export interface Call {
  tool: string;
  input: Record<string, unknown>;
}

/** The next move: text, calls, or both. Without calls, the text is the answer. */
export interface Move {
  say: string;
  calls?: readonly Call[];
}

/** For a recognised question, a function from the results so far to the next move. */
export interface Shape {
  example: string;
  recognise(question: string): ((standing: Standing) => Move) | undefined;
}

export function standingOf({ prompt, tools, toolChoice }: LanguageModelV4CallOptions): Standing {
  const described = tools?.map((tool) => tool.name) ?? [];
  const names = new Set(toolChoice?.type === "none" ? [] : [...described, ...inCatalogue(prompt)]);
  const asked = prompt.findLastIndex((message) => message.role === "user" && !isNotice(textOf(message)));
  const message = prompt[asked];
  return {
    question: message ? textOf(message).trim() : "",
    done: [...callsIn(prompt)].filter(([, { at }]) => at > asked).map(([, { call }]) => call),
    has: (tool) => names.has(tool),
  };
}

/** Tools that the instructions name by category: they can be called without being described. */
function inCatalogue(prompt: LanguageModelV4Prompt): string[] {
  const instructions = prompt.flatMap((message) => (message.role === "system" ? message.content : []));
  return [...instructions.join("\n").matchAll(/^- \*\*.+?\*\*: (.+)$/gm)].flatMap(([, names = ""]) =>
    names.split(", "),
  );
}

/** Every call of the conversation by id, with its position. A result that refers to an earlier one is replaced by it. */
function callsIn(prompt: LanguageModelV4Prompt): Map<string, { at: number; call: Done }> {
  const calls = new Map<string, { at: number; call: Done }>();
  for (const [at, message] of prompt.entries()) {
    if (message.role !== "assistant" && message.role !== "tool") continue;
    for (const part of message.content) {
      if (part.type === "tool-call") {
        const input = (part.input ?? {}) as Record<string, unknown>;
        calls.set(part.toolCallId, { at, call: { tool: part.toolName, input, text: "", failed: false } });
      } else if (part.type === "tool-result") {
        const known = calls.get(part.toolCallId);
        if (!known) continue;
        const { output } = part;
        known.call.failed = output.type.startsWith("error") || output.type === "execution-denied";
        const told = outputText(output);
        const text = known.call.failed ? withoutCode(told) : told;
        const earlier = /unchanged since your call (\S+): see its result above\.$/.exec(text)?.[1];
        known.call.text = calls.get(earlier ?? "")?.call.text ?? text;
      }
    }
  }
  return calls;
}

type Output = Extract<
  Extract<LanguageModelV4Prompt[number], { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

function outputText(output: Output): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type === "content") {
    return output.value.map((part) => (part.type === "text" ? part.text : "")).join("");
  }
  return output.type === "execution-denied" ? (output.reason ?? "denied") : JSON.stringify(output.value);
}

function textOf(message: LanguageModelV4Prompt[number]): string {
  if (message.role === "system") return message.content;
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
