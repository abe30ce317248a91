// The parts of the Anthropic Messages API that a run uses. Requests of other APIs are kept in this form, too.
import type { ServerResponse } from "node:http";

export interface TextPart {
  type: "text";
  text: string;
}
export interface CallPart {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
}
export interface ResultPart {
  type: "tool_result";
  tool_use_id: string;
  content: string | { type: string; text?: string }[];
  is_error?: boolean;
}
export type Part = TextPart | CallPart | ResultPart;

export interface Message {
  role: "user" | "assistant";
  content: string | Part[];
}

export interface ToolDescription {
  name: string;
  description?: string;
  input_schema?: { properties?: Record<string, unknown>; required?: string[] };
  defer_loading?: boolean;
  /** Of the Responses API: its input is a text, not JSON; the group that it belongs to. */
  isText?: boolean;
  namespace?: string;
}

export interface ModelRequest {
  model: string;
  system?: string | { text: string }[];
  tools?: ToolDescription[];
  messages: Message[];
  stream?: boolean;
  max_tokens?: number;
  tool_choice?: { type: string };
}

/** What a reader writes: text, calls, or both; without calls it is the final answer. */
export interface Reply {
  text?: string;
  calls?: { name: string; input?: Record<string, unknown> }[];
}

/** How an API writes requests and replies. */
export interface WireForm {
  read(body: string): ModelRequest;
  send(
    response: ServerResponse,
    asked: ModelRequest,
    reply: Reply,
    id: string,
    tokens: [read: number, written: number],
  ): void;
}

/** By characters, alike for all agents. */
export const tokensOf = (characters: number): number => Math.ceil(characters / 3.6);

export const systemText = ({ system }: ModelRequest): string =>
  typeof system === "string" ? system : (system ?? []).map(({ text }) => text).join("\n\n");

export const toolText = ({ name, description = "", input_schema: schema = {} }: ToolDescription): string =>
  `${name}: ${description}\n  input: ${JSON.stringify(schema.properties ?? {})} required: ${JSON.stringify(schema.required ?? [])}`;

export function messageText({ role, content }: Message): string {
  if (typeof content === "string") return `[${role}] ${content}`;
  return content.map((part) => partText(role, part)).join("\n");
}

function partText(role: string, part: Part): string {
  if (part.type === "text") return `[${role}] ${part.text}`;
  if (part.type === "tool_use") return `[${role} calls ${part.name}] ${JSON.stringify(part.input)}`;
  if (part.type !== "tool_result") return `[${role}] <${(part as { type: string }).type}>`;
  const { content } = part;
  const text =
    typeof content === "string" ? content : content.map((one) => one.text ?? `<${one.type}>`).join("\n");
  return `[result${part.is_error ? ", failed" : ""}] ${text}`;
}
