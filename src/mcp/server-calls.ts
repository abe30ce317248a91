import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Asker } from "../approval/approval.ts";
import { mcpToolOf } from "../registry/registry.ts";
import { digestOf } from "../text/digest.ts";
import { visibleText } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";
import { answerOf, type FormAnswer, formOf } from "./approval-form.ts";
import type { Elicit, ElicitationAnswer } from "./elicitation.ts";
import type { HeldCalls, Question, RequestIo, Round, ShowForms } from "./held-calls.ts";
import type { HostOutcome, McpHost, Progress } from "./host.ts";
import { type ResultForm, wantsStructuredValue } from "./result-form.ts";

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
  const offered = () => [...host.tools.list(), host.person.tool];
  return {
    list: async (withValues) => {
      await host.tools.refresh();
      const tools = offered().map(described);
      return { tools: withValues ? tools : tools.map(({ outputSchema: _, ...rest }) => rest) };
    },
    find: (name) =>
      offered()
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
  if (structuredContent === undefined || !wantsStructuredValue(form, server, context)) return readable;
  // A 2025 client accepts only objects as structured content; other values are wrapped.
  return server.projectCallToolResult({ ...readable, structuredContent }, catalogue.find(name)?.outputSchema);
}

export function runCallFor(host: McpHost, held: HeldCalls, server: Server, era: Era): RunCall {
  return async (tool, input, context) => {
    const { signal, envelope } = context.mcpReq;
    const io: RequestIo = { signal, progress: progressOf(context) };
    const declared: Record<string, unknown> = envelope ?? {};
    const able = era === "modern" ? declared[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
    const call = (given: RequestIo, show?: ShowForms) =>
      tool === host.person.tool.name
        ? host.person.ask(input, { ...given, ...(show && { elicit: elicitBy(show) }) })
        : host.callAny(tool, input, { ...given, ...(show && { asker: askerBy(show) }) });
    if (!showsForms(able)) return { outcome: await call(io) };
    if (era === "legacy") return { outcome: await call(io, showAtOnce(context)) };

    const digest = digestOf({ tool, input });
    const state = context.mcpReq.requestState<string>();
    if (state === undefined) return held.start(digest, call, io);
    const open = held.open(state);
    if (open?.call !== digest) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This answer belongs to another call.");
    }
    const answers = open.forms.map(({ id }): FormAnswer | undefined => {
      const response = inputResponse(context.mcpReq.inputResponses, id);
      return response.kind === "elicit" ? response : undefined;
    });
    const complete = answers.every((answer) => answer !== undefined);
    return complete ? open.answer(answers, io) : { question: open };
  };
}

export function questionOf({ state, forms }: Question): InputRequiredResult {
  const requests = forms.map(({ id, params }) => [id, inputRequired.elicit(params)] as const);
  return inputRequired({ inputRequests: Object.fromEntries(requests), requestState: state });
}

function askerBy(show: ShowForms): Asker {
  return async (asks, signal) => {
    const answers = await show(
      asks.map((ask) => ({ id: ask.id, params: formOf(ask) })),
      signal,
    );
    return asks.map((ask, index) => answerOf(ask, answers[index] ?? { action: "cancel" }));
  };
}

/** A question of `ask_person`. */
function elicitBy(show: ShowForms): Elicit {
  return async ({ message, schema }, signal) => {
    const requestedSchema = schema as ElicitRequestFormParams["requestedSchema"];
    const params = { mode: "form" as const, message: visibleText(message), requestedSchema };
    const [answer] = await show([{ id: "questions", params }], signal);
    if (answer?.action !== "accept") return { action: answer?.action ?? "cancel" };
    return { action: "accept", content: { ...answer.content } } as ElicitationAnswer;
  };
}

/** Asks a 2025 client while its request waits. */
function showAtOnce(context: ServerContext): ShowForms {
  return (forms, signal) =>
    Promise.all(
      forms.map(async ({ params }): Promise<FormAnswer> => {
        try {
          // On the stream of this request: the client may have no other open.
          const options = { signal, timeout: answerWithinMs, relatedRequestId: context.mcpReq.id };
          return await context.mcpReq.elicitInput(params, options);
        } catch (error) {
          if (signal.aborted) throw error;
          return { action: "cancel", problem: (error as Error).message };
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
