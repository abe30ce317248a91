import type { ServerResponse } from "node:http";
import type { Message, ModelRequest, Part, Reply, ToolDescription, WireForm } from "./messages.ts";

/** The OpenAI Responses API. */
export const responsesForm: WireForm = {
  read: (body) => requestOf(JSON.parse(body) as ResponsesRequest),
  send,
};

interface ResponsesRequest {
  model: string;
  instructions?: string;
  input: string | Item[];
  tools?: ResponsesTool[];
  stream?: boolean;
  tool_choice?: unknown;
}
interface Item {
  type?: string;
  role?: string;
  content?: string | { type: string; text?: string }[];
  call_id?: string;
  name?: string;
  arguments?: string;
  input?: string;
  output?: string | { type: string; text?: string }[];
}
interface ResponsesTool {
  type: string;
  name?: string;
  description?: string;
  parameters?: ToolDescription["input_schema"];
  /** Of a tool whose input is a text. */
  format?: unknown;
  /** Of a group of tools. */
  tools?: ResponsesTool[];
}

function requestOf({ model, instructions, input, tools = [], stream, tool_choice }: ResponsesRequest) {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const opening = items.findIndex(({ role }) => role !== "developer" && role !== "system");
  const messages: Message[] = [];
  for (const item of items.slice(Math.max(0, opening))) {
    const { role, parts } = messageOf(item);
    const last = messages.at(-1);
    if (role === "assistant" && last?.role === role) (last.content as Part[]).push(...parts);
    else messages.push({ role, content: parts });
  }
  const system = [instructions ?? "", ...items.slice(0, Math.max(0, opening)).flatMap(textsOf)]
    .filter(Boolean)
    .map((text) => ({ text }));
  const request: ModelRequest = { model, system, tools: tools.flatMap(toolOf), messages };
  if (stream !== undefined) request.stream = stream;
  if (tool_choice === "none") request.tool_choice = { type: "none" };
  return request;
}

function messageOf(item: Item): { role: Message["role"]; parts: Part[] } {
  const { type = "message", role = "user", call_id: id = "", name = "" } = item;
  if (type === "function_call" || type === "custom_tool_call") {
    const input = type === "function_call" ? JSON.parse(item.arguments || "{}") : { input: item.input };
    return { role: "assistant", parts: [{ type: "tool_use", id, name, input }] };
  }
  if (type === "function_call_output" || type === "custom_tool_call_output")
    return {
      role: "user",
      parts: [{ type: "tool_result", tool_use_id: id, content: item.output ?? "" }],
    };
  if (type !== "message") return { role: "user", parts: [{ type } as unknown as Part] };
  const from = role === "assistant" || role === "user" ? "" : `(${role}) `;
  return {
    role: role === "assistant" ? "assistant" : "user",
    parts: textsOf(item).map((text) => ({ type: "text", text: from + text })),
  };
}

const textsOf = ({ content = "" }: Item): string[] =>
  typeof content === "string" ? [content] : content.map(({ text, type }) => text ?? `<${type}>`);

/** A tool that the provider runs has neither name nor schema. */
function toolOf({
  type,
  name = type,
  description = "",
  parameters,
  format,
  tools,
}: ResponsesTool): ToolDescription[] {
  if (tools) return tools.flatMap(toolOf).map((tool) => ({ ...tool, namespace: name }));
  if (type === "custom")
    return [
      {
        name,
        description: `${description}\n${JSON.stringify(format)}`,
        input_schema: { properties: { input: { type: "string" } }, required: ["input"] },
        isText: true,
      },
    ];
  return [{ name, description, ...(parameters && { input_schema: parameters }) }];
}

function send(
  response: ServerResponse,
  asked: ModelRequest,
  { text, calls = [] }: Reply,
  id: string,
  [input_tokens, output_tokens]: [read: number, written: number],
): void {
  const output = [
    ...(text
      ? [{ type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] }]
      : []),
    ...calls.map(({ name, input = {} }, index) => {
      const tool = asked.tools?.find((one) => one.name === name);
      const call = { call_id: `call_${id}_${index}`, name };
      return tool?.isText
        ? { type: "custom_tool_call", ...call, input: String(input["input"]) }
        : {
            type: "function_call",
            ...call,
            ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
            arguments: JSON.stringify(input),
          };
    }),
  ].map((item, index) => ({ id: `item_${id}_${index}`, status: "completed", ...item }));
  const total_tokens = input_tokens + output_tokens;
  const usage = {
    ...{ input_tokens, output_tokens, total_tokens },
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const whole = {
    id: `resp_${id}`,
    object: "response",
    created_at: 0,
    model: asked.model,
    status: "completed",
  };
  if (!asked.stream) return void response.end(JSON.stringify({ ...whole, output, usage }));
  let sequence_number = 0;
  const emit = (type: string, fields: object) =>
    response.write(
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...fields })}\n\n`,
    );
  emit("response.created", { response: { ...whole, status: "in_progress", output: [] } });
  output.forEach((item, output_index) => {
    emit("response.output_item.added", { output_index, item });
    emit("response.output_item.done", { output_index, item });
  });
  emit("response.completed", { response: { ...whole, output, usage } });
  response.end();
}
