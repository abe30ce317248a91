import { Server } from "@modelcontextprotocol/server";
import { HeldCalls } from "./held-calls.ts";
import type { McpHost } from "./host.ts";
import { type ResultForm, wantsValues } from "./result-form.ts";
import { callTool, catalogueOf, type Era, runCallFor } from "./server-calls.ts";
import { completeArgument, getPrompt, listPrompts } from "./server-prompts.ts";
import { completePath, listResources, listTemplates, readResource } from "./server-resources.ts";

/** Wield as an MCP server, apart from any transport: `stdio.ts` and `http.ts` carry it. */
export interface Mcp {
  /** A server for one client, or, without a standing connection, for one request. */
  build(era: Era): Server;
  onToolsChange(listener: () => void): () => void;
  /** Stops what still waits for an answer, and ends when no call runs any more. Cancelling calls is the transport's part. */
  close(): Promise<void>;
}

const toolsChanged = "notifications/tools/list_changed";
const instructions =
  "Tools that work in one folder, the workspace; paths are relative to it. Reading is free; what changes or sends something may be shown to a person first, who can edit or deny it. A result that was shortened says which call shows the rest.";

export function createMcp(host: McpHost, form: ResultForm = "auto"): Mcp {
  const held = new HeldCalls();
  const running = new Set<Promise<unknown>>();
  const watched: McpHost = {
    tools: host.tools,
    workspace: host.workspace,
    settings: host.settings,
    callAny: (...call) => {
      const outcome = host.callAny(...call);
      running.add(outcome);
      return outcome.finally(() => running.delete(outcome));
    },
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
            if (!held.open(state)) throw new Error("no question is open under this state");
          },
        },
      },
    );
    const run = runCallFor(watched, held, server, era);
    server.setRequestHandler("tools/list", (_request, context) =>
      catalogue.list(wantsValues(form, server, context)),
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

/** Tells a client with a standing connection when there are other tools; for as long as the server is open. */
export function announceTools(mcp: Mcp, server: Server): void {
  const stop = mcp.onToolsChange(() => {
    server.sendToolListChanged().catch(() => undefined);
  });
  server.onclose = stop;
}
