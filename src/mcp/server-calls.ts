import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Answer, Asker } from "../approval/approval.ts";
import { mcpToolOf } from "../registry/registry.ts";
import { digestOf } from "../text/digest.ts";
import type { Tool } from "../tool/tool.ts";
import { answerOf, formOf } from "./approval-form.ts";
import type { HeldCalls, Question, RequestIo, Round } from "./held-calls.ts";
import type { HostOutcome, McpHost, Progress } from "./host.ts";
import { type ResultForm, wantsValues } from "./result-form.ts";

/** `modern` clients answer a question with a new request, `legacy` (2025) clients within the same request. */
export type Era = "modern" | "legacy";

/** Runs calls for one client: its own approvals, cancellation and progress. */
export type RunCall = (tool: string, input: unknown, context: ServerContext) => Promise<Round>;

const answerWithinMs = 10 * 60_000;

/** MCP definitions of the tools; cached, because schemas are large. */
export interface Catalogue {
  /** Without structured values there is no output schema. */
  list(withValues: boolean): Promise<ListToolsResult>;
  find(name: string): ListToolsResult["tools"][number] | undefined;
}

export function catalogueOf(host: McpHost): Catalogue {
  const known = new WeakMap<Tool, ListToolsResult["tools"][number]>();
  const described = (tool: Tool) => {
    const entry = known.get(tool) ?? (mcpToolOf(tool) as ListToolsResult["tools"][number]);
    known.set(tool, entry);
    return entry;
  };
  return {
    list: async (withValues) => {
      await host.tools.refresh();
      const tools = host.tools.list().map(described);
      return { tools: withValues ? tools : tools.map(({ outputSchema: _, ...rest }) => rest) };
    },
    find: (name) =>
      host.tools
        .list()
        .filter((tool) => tool.name === name)
        .map(described)[0],
  };
}

export async function callTool(
  { run, server, catalogue, form }: { run: RunCall; server: Server; catalogue: Catalogue; form: ResultForm },
  { name, arguments: input = {} }: CallToolRequest["params"],
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const round = await run(name, input, context);
  if ("question" in round) return questionOf(round.question);
  const { structuredContent, ...readable } = resultOf(round.outcome);
  if (structuredContent === undefined || !wantsValues(form, server, context)) return readable;
  // A 2025 client accepts only objects as structured content; other values are wrapped.
  return server.projectCallToolResult({ ...readable, structuredContent }, catalogue.find(name)?.outputSchema);
}

export function runCallFor(host: McpHost, held: HeldCalls, server: Server, era: Era): RunCall {
  return async (tool, input, context) => {
    const { signal, envelope } = context.mcpReq;
    const io: RequestIo = { signal, progress: progressOf(context) };
    const declared: Record<string, unknown> = envelope ?? {};
    const able = era === "modern" ? declared[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
    if (!showsForms(able)) return { outcome: await host.callAny(tool, input, io) };
    if (era === "legacy")
      return { outcome: await host.callAny(tool, input, { ...io, asker: askAtOnce(context) }) };

    const call = digestOf({ tool, input });
    const state = context.mcpReq.requestState<string>();
    if (state === undefined) return held.start(call, (given) => host.callAny(tool, input, given), io);
    const open = held.open(state);
    if (open?.call !== call) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This answer belongs to another call.");
    }
    const answers = open.asks.map((ask): Answer | undefined => {
      const response = inputResponse(context.mcpReq.inputResponses, ask.id);
      return response.kind === "elicit" ? answerOf(ask, response) : undefined;
    });
    const complete = answers.every((answer) => answer !== undefined);
    return complete ? open.answer(answers, io) : { question: open };
  };
}

export function questionOf({ state, asks }: Question): InputRequiredResult {
  const forms = asks.map((ask) => [ask.id, inputRequired.elicit(formOf(ask))] as const);
  return inputRequired({ inputRequests: Object.fromEntries(forms), requestState: state });
}

/** Asks a 2025 client while its request waits. */
function askAtOnce(context: ServerContext): Asker {
  return (asks, signal) =>
    Promise.all(
      asks.map(async (ask): Promise<Answer> => {
        try {
          // On the stream of this request: the client may have no other open.
          const options = { signal, timeout: answerWithinMs, relatedRequestId: context.mcpReq.id };
          return answerOf(ask, await context.mcpReq.elicitInput(formOf(ask), options));
        } catch (error) {
          if (signal.aborted) throw error;
          return { approved: false, reason: `the client could not ask: ${(error as Error).message}` };
        }
      }),
    );
}

function resultOf({ result, text, images }: HostOutcome): CallToolResult {
  if (!result.ok && result.error.code === "UNKNOWN_TOOL") {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, result.error.message);
  }
  const content: CallToolResult["content"] = [
    { type: "text", text },
    ...images.map(({ mediaType, base64 }) => ({ type: "image" as const, mimeType: mediaType, data: base64 })),
  ];
  return result.ok
    ? { content, structuredContent: result.value as Record<string, unknown> }
    : { content, isError: true };
}

/** Progress must increase: without a count, messages are counted; values that do not increase are dropped. */
function progressOf({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let last = -1;
  return (message, done = Math.floor(last) + 1, total) => {
    if (progressToken === undefined || done <= last) return;
    last = done;
    const params = { progressToken, progress: done, message, ...(total !== undefined && { total }) };
    // A disconnected client must not make the call fail.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}

/** An empty capability means forms. */
function showsForms(able: unknown): boolean {
  const { elicitation } = (able ?? {}) as ClientCapabilities;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
