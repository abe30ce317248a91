import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type MessagesRequest, problemsOf } from "./anthropic-request.ts";

/** What the server answers: content blocks, an error with a status, or a stream that goes wrong on its way. */
export type WireReply =
  | {
      content: WireBlock[];
      stop?: string;
      usage?: Partial<WireUsage>;
      wrong?: "breaks-off" | "ends-early" | "hangs" | "overloaded";
      /** A stream waits for this in the middle of its last block. */
      half?: Promise<unknown>;
    }
  | { status: number; error: { type: string; message: string }; headers?: Record<string, string> };

export type WireBlock =
  | { type: "text"; text: string; citations?: WireCitation[] }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use" | "server_tool_use"; id: string; name: string; input: unknown; json?: string }
  | { type: "web_search_tool_result"; tool_use_id: string; content: unknown[] };

/** A passage of a page that Anthropic's own search found and that a text block is based on. */
export interface WireCitation {
  type: "web_search_result_location";
  url: string;
  title: string;
  cited_text: string;
  encrypted_index: string;
}

interface WireUsage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

export interface AnthropicServer {
  /** For `ANTHROPIC_BASE_URL` and the provider's `baseURL`. */
  url: string;
  requests: MessagesRequest[];
  headers: IncomingMessage["headers"][];
  close(): Promise<void>;
}

/**
 * A server on this machine that speaks Anthropic's Messages API, streamed and not. A request that breaks the documented
 * format is refused with status 400, as the service would.
 */
export async function anthropicServer(
  answer: (request: MessagesRequest, index: number) => WireReply | Promise<WireReply>,
  /** What it has to offer. */
  models: readonly string[] = [],
): Promise<AnthropicServer> {
  const requests: MessagesRequest[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const server = createServer((incoming, response) => {
    if (incoming.method === "GET" && incoming.url?.startsWith("/v1/models")) {
      const known = typeof incoming.headers["x-api-key"] === "string";
      const data = models.map((id) => ({ type: "model", id, display_name: id }));
      response.writeHead(known ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(known ? { data, has_more: false } : { type: "error" }));
      return;
    }
    void body(incoming).then(async (text) => {
      const request = JSON.parse(text) as MessagesRequest;
      const problems = problemsOf(request, incoming.headers);
      if (incoming.url !== "/v1/messages" || incoming.method !== "POST")
        problems.push(`${incoming.url}: not found`);
      headers.push(incoming.headers);
      const index = requests.push(request) - 1;
      const refusal = { status: 400, error: { type: "invalid_request_error", message: problems.join("; ") } };
      await send(response, problems.length > 0 ? refusal : await answer(request, index), request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function send(response: ServerResponse, reply: WireReply, request: MessagesRequest): Promise<void> {
  if ("error" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify({ type: "error", error: reply.error }));
    return;
  }
  const usage = {
    input_tokens: 200,
    output_tokens: 20,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    ...reply.usage,
  };
  const calls = reply.content.some(({ type }) => type === "tool_use");
  const stop = reply.stop ?? (calls ? "tool_use" : "end_turn");
  const message = { id: `msg_${Date.now()}`, type: "message", role: "assistant", model: request.model };
  if (!request.stream) {
    response.writeHead(200, { "content-type": "application/json" });
    const content = reply.content.map(withoutJson);
    response.end(JSON.stringify({ ...message, content, stop_reason: stop, stop_sequence: null, usage }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const event = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  if (reply.wrong === "overloaded") {
    event("error", { error: { type: "overloaded_error", message: "Overloaded" } });
    response.end();
    return;
  }
  const begun = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  event("message_start", { message: begun });
  event("ping", {});
  for (const [index, block] of reply.content.entries()) {
    event("content_block_start", { index, content_block: emptied(block) });
    const deltas = deltasOf(block);
    const half = Math.ceil(deltas.length / 2);
    for (const [at, delta] of (reply.wrong ? deltas.slice(0, half) : deltas).entries()) {
      if (at === half && index === reply.content.length - 1) await reply.half;
      event("content_block_delta", { index, delta });
    }
    if (reply.wrong === "breaks-off") {
      // Give the half answer time to leave before the line is cut.
      response.write(": \n\n", () => response.destroy());
      return;
    }
    if (reply.wrong === "hangs") return;
    if (reply.wrong === "ends-early") {
      response.end();
      return;
    }
    event("content_block_stop", { index });
  }
  event("message_delta", {
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
  });
  event("message_stop", {});
  response.end();
}

function emptied(block: WireBlock): object {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return block.type === "web_search_tool_result" ? block : { ...withoutJson(block), input: {} };
}

function deltasOf(block: WireBlock): object[] {
  if (block.type === "text") {
    const citations = block.citations ?? [];
    return [
      ...citations.map((citation) => ({ type: "citations_delta", citation })),
      ...pieces(block.text).map((text) => ({ type: "text_delta", text })),
    ];
  }
  if (block.type === "thinking") {
    return [
      ...pieces(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: block.signature },
    ];
  }
  if (block.type === "web_search_tool_result") return [];
  const json = block.json ?? JSON.stringify(block.input);
  return pieces(json).map((partial_json) => ({ type: "input_json_delta", partial_json }));
}

/** `json` is only for the stream: it may be malformed, as models sometimes write it. */
function withoutJson(block: WireBlock): object {
  if (!("json" in block)) return block;
  const { json: _, ...rest } = block;
  return rest;
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,12}/g) ?? [];
}

async function body(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
