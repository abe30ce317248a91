import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Client,
  type ClientCapabilities,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
  type ListRootsResult,
  type StandardSchemaV1Sync,
  specTypeSchemas,
} from "@modelcontextprotocol/client";
import { visibleText } from "../text/visible.ts";
import type { ConnectionParts } from "./connection-parts.ts";
import type { Elicit } from "./elicitation.ts";
import type { ServerConfig } from "./server-config.ts";

const shownCharacters = 4_000;
const mostTokens = 4_000;
/** The extension by which a server answers a call with a task. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** What the server is told that the client can do. */
export function capabilitiesFor(config: ServerConfig, elicit: Elicit | undefined): ClientCapabilities {
  return {
    extensions: { [tasksExtension]: {} },
    ...(config.roots && { roots: {} }),
    ...(elicit && { elicitation: { form: {}, url: {} }, sampling: {} }),
  };
}

/** What a server may ask for during a call; a part that is undefined is refused. */
export interface Answers {
  roots: (() => ListRootsResult) | undefined;
  elicit: ((params: ElicitRequestParams, signal: AbortSignal) => Promise<ElicitResult>) | undefined;
  sample:
    | ((params: CreateMessageRequestParams, signal: AbortSignal) => Promise<CreateMessageResult>)
    | undefined;
}

/**
 * The root of the workspace; a form or an address for the person; an answer of the person's model, which the person sees and
 * agrees to first.
 */
export function answersFor(
  server: string,
  config: ServerConfig,
  { root, sample }: ConnectionParts,
  elicit: Elicit | undefined,
  /** Of the calls under way: a server does not say which one it asks for. */
  conversations: () => readonly (string | undefined)[],
): Answers {
  return {
    roots: config.roots
      ? () => ({ roots: [{ uri: pathToFileURL(root).href, name: basename(root) }] })
      : undefined,
    elicit: elicit && ((params, signal) => askPerson(server, params, elicit, signal)),
    sample:
      elicit &&
      (async (params, signal) => {
        const [conversation, ...others] = new Set(conversations());
        if (others.length > 0) throw new Error("Several conversations are calling: ask again later.");
        const request = {
          system: params.systemPrompt,
          messages: params.messages.map(({ role, content }) => ({ role, text: textOf(content) })),
          maxTokens: Math.min(params.maxTokens, mostTokens),
        };
        const asked = [request.system, ...request.messages.map(({ role, text }) => `${role}: ${text}`)];
        const shown = visibleText(asked.filter(Boolean).join("\n\n"));
        const message = `wants your model to answer this, at your cost. The answer goes to the server.\n\n${shown.slice(0, shownCharacters)}${shown.length > shownCharacters ? "\n… and more" : ""}`;
        const { action } = await elicit({ server, message, schema: nothingToFill }, signal);
        if (action !== "accept") throw new Error("The person did not agree.");
        const { model, text } = await sample(request, conversation, signal);
        return { role: "assistant", content: { type: "text", text }, model, stopReason: "endTurn" };
      }),
  };
}

/** Answers what the server asks by requests of its own. `whileCalled` ends with the last call. */
export function answerRequests(
  client: Client,
  { roots, elicit, sample }: Answers,
  whileCalled: () => AbortSignal,
): void {
  // A question belongs to a call, but the server may not say which, and may not withdraw it when the call is over.
  const during = (signal: AbortSignal) => AbortSignal.any([signal, whileCalled()]);
  if (roots) client.setRequestHandler("roots/list", roots);
  if (elicit)
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      elicit(params, during(mcpReq.signal)),
    );
  if (sample)
    client.setRequestHandler("sampling/createMessage", ({ params }, { mcpReq }) =>
      sample(params, during(mcpReq.signal)),
    );
}

/** The answer to a request that a server put into the state of a task. */
export async function answerTo(
  request: { method: string; params?: unknown },
  { roots, elicit, sample }: Answers,
  signal: AbortSignal,
): Promise<ListRootsResult | ElicitResult | CreateMessageResult> {
  if (request.method === "roots/list" && roots) return roots();
  if (request.method === "elicitation/create" && elicit)
    return elicit(valid(specTypeSchemas.ElicitRequest, request).params, signal);
  if (request.method === "sampling/createMessage" && sample)
    return sample(valid(specTypeSchemas.CreateMessageRequest, request).params, signal);
  throw new Error(`Nobody is there to answer ${JSON.stringify(request.method.slice(0, 100))}.`);
}

function valid<T>(schema: StandardSchemaV1Sync<unknown, T>, value: unknown): T {
  const checked = schema["~standard"].validate(value);
  if (!checked.issues) return checked.value;
  throw new Error(`A request of the server is not valid: ${checked.issues[0]?.message}`);
}

async function askPerson(
  server: string,
  params: ElicitRequestParams,
  elicit: Elicit,
  signal: AbortSignal,
): Promise<ElicitResult> {
  if (params.mode !== "url")
    return elicit(
      { server, message: params.message, schema: params.requestedSchema as Record<string, unknown> },
      signal,
    );
  if (!/^https?:\/\//i.test(params.url)) return { action: "decline" };
  const message = `${params.message}\n\nOpen this address yourself, then answer: ${params.url}`;
  const { action } = await elicit({ server, message, schema: nothingToFill }, signal);
  return { action };
}

const nothingToFill = { type: "object", properties: {} };

type Content = CreateMessageRequestParams["messages"][number]["content"];

function textOf(content: Content): string {
  return [content]
    .flat()
    .map((part) => (part.type === "text" ? part.text : `(${part.type})`))
    .join("\n");
}
