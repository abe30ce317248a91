import type { ServerResponse } from "node:http";
import type { CallPart, ModelRequest, Reply, WireForm } from "./messages.ts";

/** The Anthropic Messages API, whose requests are the form that runs are kept in. */
export const messagesForm: WireForm = {
  read: (body) => {
    const asked = JSON.parse(body) as ModelRequest;
    // A provider keeps these tools back until they are searched for.
    const tools = asked.tools?.filter(({ defer_loading }) => !defer_loading);
    return tools ? { ...asked, tools } : asked;
  },
  send,
};

/** A reply in the form that was asked for: whole, or as a stream of events. */
function send(
  response: ServerResponse,
  asked: ModelRequest,
  { text, calls = [] }: Reply,
  id: string,
  [input_tokens, output_tokens]: [read: number, written: number],
): void {
  const content = [
    ...(text ? [{ type: "text" as const, text }] : []),
    ...calls.map(
      ({ name, input = {} }, index): CallPart => ({
        type: "tool_use",
        id: `toolu_${id}_${index}`,
        name,
        input,
      }),
    ),
  ];
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  const message = {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: asked.model,
    stop_sequence: null,
  };
  const usage = { input_tokens, output_tokens };
  if (!asked.stream) return void response.end(JSON.stringify({ ...message, content, stop_reason, usage }));
  const emit = (type: string, fields: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  emit("message_start", { message: { ...message, content: [], stop_reason: null, usage } });
  content.forEach((part, index) => {
    const isText = part.type === "text";
    emit("content_block_start", {
      index,
      content_block: isText ? { type: "text", text: "" } : { ...part, input: {} },
    });
    const delta = isText
      ? { type: "text_delta", text: part.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(part.input) };
    emit("content_block_delta", { index, delta });
    emit("content_block_stop", { index });
  });
  emit("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  emit("message_stop", {});
  response.end();
}
