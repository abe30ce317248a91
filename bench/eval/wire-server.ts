import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { estimateTokens } from "../../src/text/tokens.ts";
import {
  type CallPart,
  type ModelRequest,
  messageText,
  type Reply,
  systemText,
  toolText,
} from "./messages.ts";
import { RunFolder } from "./run-folder.ts";

/** Where requests go: to a reader who answers through files, or on to a provider. */
export type Model = { kind: "played" } | { kind: "forwarded"; to: string };

/** A reader may think for longer than a client waits for the first byte. */
const keepAliveMs = 60_000;

/** Serves the Messages API at /RUN/v1, so that every arm runs as with a provider; requests, replies and costs are kept. */
export async function startWire(
  runs: string,
  model: Model,
): Promise<{ url(run: string): string; close(): void }> {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    void answer(request, response, runs, model, seen).catch((error: unknown) => {
      if (!response.headersSent) response.statusCode = 500;
      response.end(JSON.stringify({ type: "error", error: { type: "api_error", message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: (run) => `http://127.0.0.1:${port}/${run}/v1`, close: () => server.close() };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  runs: string,
  model: Model,
  seen: Map<string, number>,
): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  response.setHeader("content-type", "application/json");
  if (request.method === "GET") return void response.end('{"data":[]}');
  const name = /^\/([\w.-]+)\/v1\/messages/.exec(request.url ?? "")?.[1];
  if (!name) return void response.writeHead(404).end("{}");
  const run = new RunFolder(runs, name).open();
  const asked = JSON.parse(body) as ModelRequest;
  const turn = run.lastRequest() + 1;
  run.write(`request-${turn}.json`, JSON.stringify(asked, null, 1));
  run.write(`turn-${turn}.txt`, newText(asked, name, seen));
  if (model.kind === "forwarded") return forward(request, response, body, model.to, run, turn, asked);
  if (asked.stream) response.setHeader("content-type", "text/event-stream");
  const keepAlive = setInterval(() => response.write(asked.stream ? ": waiting\n\n" : " "), keepAliveMs);
  while (!run.has(`reply-${turn}.json`) && !response.closed) await wait(100);
  clearInterval(keepAlive);
  if (response.closed) return;
  const reply = JSON.parse(run.read(`reply-${turn}.json`)) as Reply;
  writeCost(
    run,
    turn,
    asked,
    JSON.stringify(reply),
    (reply.calls ?? []).map((call) => call.name),
  );
  send(response, asked, reply, turn);
}

/** All of the first request; of later ones, only what is new. */
function newText(asked: ModelRequest, name: string, seen: Map<string, number>): string {
  const before = seen.get(name) ?? 0;
  const from = asked.messages.length > before ? before : 0;
  seen.set(name, asked.messages.length);
  const fresh = asked.messages
    .slice(from)
    .filter((message, i) => from === 0 || i > 0 || message.role !== "assistant");
  return [
    ...(from === 0
      ? [
          `=== system ===\n${systemText(asked)}`,
          `=== tools ===\n${(asked.tools ?? []).map(toolText).join("\n")}`,
        ]
      : []),
    `=== messages ===\n${fresh.map(messageText).join("\n")}`,
    ...(asked.tool_choice?.type === "none" ? ["(no tool may be called now)"] : []),
  ].join("\n\n");
}

function writeCost(run: RunFolder, turn: number, asked: ModelRequest, reply: string, calls: string[]): void {
  const fixed = estimateTokens(systemText(asked) + JSON.stringify(asked.tools ?? []));
  const input = fixed + estimateTokens(asked.messages.map(messageText).join("\n"));
  run.write(
    `cost-${turn}.json`,
    JSON.stringify({ turn, fixed, input, output: estimateTokens(reply), calls }),
  );
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  to: string,
  run: RunFolder,
  turn: number,
  asked: ModelRequest,
): Promise<void> {
  const passed = ["x-api-key", "anthropic-version", "anthropic-beta", "authorization"];
  const headers = passed.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
  const got = await fetch(`${to}/messages`, {
    method: "POST",
    headers: { ...Object.fromEntries(headers), "content-type": "application/json" },
    body,
  });
  const text = await got.text();
  run.write(`reply-${turn}.txt`, text);
  const calls = [...text.matchAll(/"type":\s*"tool_use"[^}]*?"name":\s*"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  writeCost(run, turn, asked, text.replace(/^(?:event|data): .*?(?="(?:text|partial_json)")/gm, ""), calls);
  response
    .writeHead(got.status, { "content-type": got.headers.get("content-type") ?? "application/json" })
    .end(text);
}

/** A reply in the form that was asked for: whole, or as a stream of events. */
function send(
  response: ServerResponse,
  asked: ModelRequest,
  { text, calls = [] }: Reply,
  turn: number,
): void {
  const content = [
    ...(text ? [{ type: "text" as const, text }] : []),
    ...calls.map(
      ({ name, input = {} }, index): CallPart => ({
        type: "tool_use",
        id: `toolu_${turn}_${index}`,
        name,
        input,
      }),
    ),
  ];
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  const message = {
    id: `msg_${turn}`,
    type: "message",
    role: "assistant",
    model: asked.model,
    stop_sequence: null,
  };
  const read = estimateTokens(systemText(asked) + asked.messages.map(messageText).join("\n"));
  const usage = { input_tokens: read, output_tokens: estimateTokens(JSON.stringify(content)) };
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
