import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import {
  type ModelRequest,
  messageText,
  type Reply,
  systemText,
  tokensOf,
  type WireForm,
} from "./messages.ts";
import { messagesForm } from "./messages-form.ts";
import { EarlierRequests } from "./repeated.ts";
import { responsesForm } from "./responses-form.ts";
import { RunFolder } from "./run-folder.ts";

/**
 * Where requests go: to a reader who answers through files, or on to a provider. Requests for another model than the one of that name
 * (played, by default the run's) are of secondary interest, such as titles.
 */
export type Model = { kind: "played"; name?: string } | { kind: "forwarded"; to: string; name: string };

const forms: Record<string, WireForm> = { messages: messagesForm, responses: responsesForm };

/** A reader may think for longer than a client waits for the first byte. */
const keepAliveMs = 60_000;

/** Serves the Messages API and the Responses API at /RUN/v1, so that every arm runs as with a provider; requests, replies and costs are kept. */
export async function startWire(
  runs: string,
  model: Model,
): Promise<{ url(run: string): string; close(): void }> {
  const earlier = new Map<string, EarlierRequests>();
  const server = createServer((request, response) => {
    void answer(request, response, runs, model, earlier).catch((error: unknown) => {
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
  conversations: Map<string, EarlierRequests>,
): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  response.setHeader("content-type", "application/json");
  if (request.method === "GET") return void response.end('{"data":[]}');
  const [, name = "", api = "", counting] =
    /^\/([\w.-]+)\/v1\/(messages|responses)(\/count_tokens)?(?:\?.*)?$/.exec(request.url ?? "") ?? [];
  const form = forms[api];
  if (!form) return void response.writeHead(404).end("{}");
  const asked = form.read(body);
  if (counting) return void response.end(JSON.stringify({ input_tokens: readTokens(asked).input }));
  const run = new RunFolder(runs, name).open();
  const isMain = asked.model === (model.name ?? name);
  const kind = isMain ? "turn" : "side";
  const turn = run.lastRequest(kind) + 1;
  const earlier = conversations.get(name) ?? new EarlierRequests();
  conversations.set(name, earlier);
  run.write(isMain ? `request-${turn}.json` : `side-request-${turn}.json`, JSON.stringify(asked, null, 1));
  run.write(`${kind}-${turn}.txt`, earlier.newIn(asked));
  const keepCost = (reply: string, calls: string[]) => {
    const cost = { turn, ...readTokens(asked), output: tokensOf(reply.length), calls };
    run.write(
      isMain ? `cost-${turn}.json` : `side-cost-${turn}.json`,
      JSON.stringify({ ...cost, repeated: Math.min(cost.input, tokensOf(earlier.repeatedIn(asked))) }),
    );
    if (isMain) earlier.add(asked);
  };
  if (model.kind === "forwarded") return forward(request, response, body, model.to, run, turn, keepCost);
  const reply = isMain ? await replyOf(run, turn, asked, response) : { text: "ok" };
  if (!reply) return;
  const written = JSON.stringify(reply);
  keepCost(
    written,
    (reply.calls ?? []).map((call) => call.name),
  );
  if (asked.stream && !response.headersSent) response.setHeader("content-type", "text/event-stream");
  form.send(response, asked, reply, String(turn), [readTokens(asked).input, tokensOf(written.length)]);
}

/** What the reader hands in; nothing if the client has gone, which may then ask the same again. */
async function replyOf(
  run: RunFolder,
  turn: number,
  asked: ModelRequest,
  response: ServerResponse,
): Promise<Reply | undefined> {
  if (asked.stream) response.setHeader("content-type", "text/event-stream");
  const keepAlive = setInterval(() => response.write(asked.stream ? ": waiting\n\n" : " "), keepAliveMs);
  while (!run.has(`reply-${turn}.json`) && !response.closed) await wait(100);
  clearInterval(keepAlive);
  if (!response.closed) return JSON.parse(run.read(`reply-${turn}.json`)) as Reply;
  for (const file of [`turn-${turn}.txt`, `request-${turn}.json`]) run.remove(file);
  return undefined;
}

function readTokens(asked: ModelRequest): { fixed: number; input: number } {
  const fixed = tokensOf(systemText(asked).length + JSON.stringify(asked.tools ?? []).length);
  return { fixed, input: fixed + tokensOf(asked.messages.map(messageText).join("\n").length) };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  to: string,
  run: RunFolder,
  turn: number,
  keepCost: (reply: string, calls: string[]) => void,
): Promise<void> {
  const passed = ["x-api-key", "anthropic-version", "anthropic-beta", "authorization"];
  const headers = passed.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
  const got = await fetch(`${to}/${/(?:messages|responses)/.exec(request.url ?? "")?.[0]}`, {
    method: "POST",
    headers: { ...Object.fromEntries(headers), "content-type": "application/json" },
    body,
  });
  const text = await got.text();
  run.write(`reply-${turn}.txt`, text);
  const calls = [...text.matchAll(/"type":\s*"tool_use"[^}]*?"name":\s*"([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  keepCost(text.replace(/^(?:event|data): .*?(?="(?:text|partial_json)")/gm, ""), calls);
  response
    .writeHead(got.status, { "content-type": got.headers.get("content-type") ?? "application/json" })
    .end(text);
}
