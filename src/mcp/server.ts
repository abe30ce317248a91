import { randomUUID } from "node:crypto";
import { Server } from "@modelcontextprotocol/server";
import { HeldCalls } from "./held-calls.ts";
import type { McpHost } from "./host.ts";
import { type ResultForm, wantsStructuredValue } from "./result-form.ts";
import { callTool, catalogueOf, type Era, runCallFor } from "./server-calls.ts";
import { completeArgument, getPrompt, listPrompts } from "./server-prompts.ts";
import { completePath, listResources, listTemplates, readResource } from "./server-resources.ts";

/** Wield as an MCP server, independent of the transports `stdio.ts` and `http.ts`. */
export interface Mcp {
  /** A server for one client, or, without a standing connection, for one request. */
  build(era: Era): Server;
  onToolsChange(listener: () => void): () => void;
  /** Aborts waiting calls and resolves when no call runs any more. Cancelling running calls is the transport's job. */
  close(): Promise<void>;
}

const toolsChanged = "notifications/tools/list_changed";
const instructions =
  "Tools for one folder, the workspace; paths are relative to it. Reading needs no approval. Calls that change or send something may be shown to a person first, who can edit or deny them. A shortened result names the call that returns the rest.";

export function createMcp(host: McpHost, form: ResultForm = "auto"): Mcp {
  const held = new HeldCalls();
  const running = new Set<Promise<unknown>>();
  const watch = <T>(outcome: Promise<T>): Promise<T> => {
    running.add(outcome);
    return outcome.finally(() => running.delete(outcome));
  };
  const watched: McpHost = {
    tools: host.tools,
    workspace: host.workspace,
    settings: host.settings,
    callAny: (...call) => watch(host.callAny(...call)),
    callsInOrder: (client) => {
      const inOrder = host.callsInOrder(client);
      return (...call) => watch(inOrder(...call));
    },
    endClient: (client) => watch(host.endClient(client)),
    person: { tool: host.person.tool, ask: (...call) => watch(host.person.ask(...call)) },
  };
  const catalogue = catalogueOf(host);

  function build(era: Era): Server {
    const server = new Server(
      { name: "wield", title: "Wield", version: process.env["WIELD_VERSION"] ?? "development" },
      {
        capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, completions: {} },
        instructions,
        debouncedNotificationMethods: [toolsChanged],
        requestState: {
          verify: (state) => {
            if (!held.open(state)) throw new Error("no question is pending for this state");
          },
        },
      },
    );
    // A client of the current protocol has no connection, so its requests cannot be told from those of another.
    const client = era === "legacy" ? randomUUID() : undefined;
    if (client !== undefined) server.onclose = () => void watched.endClient(client);
    const run = runCallFor({ ...watched, callAny: watched.callsInOrder(client) }, held, server, era);
    server.setRequestHandler("tools/list", (_request, context) =>
      catalogue.list(wantsStructuredValue(form, server, context)),
    );
    server.setRequestHandler("tools/call", ({ params }, context) =>
      callTool({ run, server, catalogue, form }, params, context),
    );
    server.setRequestHandler("resources/list", ({ params }, context) =>
      listResources(host, run, params?.cursor, context),
    );
    server.setRequestHandler("resources/templates/list", () => listTemplates(host));
    server.setRequestHandler("resources/read", ({ params }, context) =>
      readResource(host, run, params.uri, context),
    );
    server.setRequestHandler("prompts/list", () => listPrompts());
    server.setRequestHandler("prompts/get", ({ params }) => getPrompt(host, params.name, params.arguments));
    server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }, { mcpReq }) => {
      const values =
        ref.type === "ref/prompt"
          ? await completeArgument(host, ref.name, argument.name, argument.value)
          : argument.name === "path"
            ? await completePath(host, argument.value, mcpReq.signal)
            : [];
      return { completion: { values } };
    });
    return server;
  }

  return {
    build,
    onToolsChange: (listener) => host.tools.registry.onChange(listener),
    close: async () => {
      held.close();
      await Promise.allSettled(running);
    },
  };
}

/** Notifies a client with a standing connection when the tools change, until the server closes. */
export function announceTools(mcp: Mcp, server: Server): void {
  const stop = mcp.onToolsChange(() => {
    server.sendToolListChanged().catch(() => undefined);
  });
  const onClose = server.onclose;
  server.onclose = () => {
    stop();
    onClose?.();
  };
}
