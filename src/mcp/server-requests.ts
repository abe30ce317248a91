import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client, ClientCapabilities, CreateMessageRequestParams } from "@modelcontextprotocol/client";
import { visibleText } from "../text/visible.ts";
import type { ConnectionParts } from "./connection-parts.ts";
import type { Elicit } from "./elicitation.ts";
import type { ServerConfig } from "./server-config.ts";

const shownCharacters = 4_000;
const mostTokens = 4_000;

/** What the server is told it may ask for. */
export function capabilitiesFor(config: ServerConfig, elicit: Elicit | undefined): ClientCapabilities {
  return {
    ...(config.roots && { roots: {} }),
    ...(elicit && { elicitation: { form: {}, url: {} }, sampling: {} }),
  };
}

/**
 * Answers what a server asks in the middle of a call: the root of the workspace; a form or an address for the person; an
 * answer of the person's model, which the person sees and agrees to first. `whileCalled` ends with the last call.
 */
export function answerRequests(
  client: Client,
  server: string,
  config: ServerConfig,
  { root, sample }: ConnectionParts,
  elicit: Elicit | undefined,
  whileCalled: () => AbortSignal,
): void {
  if (config.roots)
    client.setRequestHandler("roots/list", () => ({
      roots: [{ uri: pathToFileURL(root).href, name: basename(root) }],
    }));
  if (!elicit) return;
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
    // A question belongs to a call, but the server may not say which, and may not withdraw it when the call is over.
    const signal = AbortSignal.any([mcpReq.signal, whileCalled()]);
    if (params.mode !== "url")
      return elicit(
        { server, message: params.message, schema: params.requestedSchema as Record<string, unknown> },
        signal,
      );
    if (!/^https?:\/\//i.test(params.url)) return { action: "decline" };
    const message = `${params.message}\n\nOpen this address yourself, then answer: ${params.url}`;
    const { action } = await elicit({ server, message, schema: nothingToFill }, signal);
    return { action };
  });
  client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
    const signal = AbortSignal.any([mcpReq.signal, whileCalled()]);
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
    const { model, text } = await sample(request, signal);
    return { role: "assistant", content: { type: "text", text }, model, stopReason: "endTurn" };
  });
}

const nothingToFill = { type: "object", properties: {} };

type Content = CreateMessageRequestParams["messages"][number]["content"];

function textOf(content: Content): string {
  return [content]
    .flat()
    .map((part) => (part.type === "text" ? part.text : `(${part.type})`))
    .join("\n");
}
