import { setTimeout as wait } from "node:timers/promises";
import {
  type CallToolResult,
  type Client,
  isCallToolResult,
  type Progress,
  ProtocolError,
  specTypeSchemas,
  type Tool,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { fenceUntrusted } from "../text/untrusted.ts";
import { visibleLine } from "../text/visible.ts";
import type { ToolContext } from "../tool/tool.ts";
import { type Answers, answerTo } from "./server-requests.ts";
import { begunTask, type TaskWire } from "./task-wire.ts";

/** How long a task may take. */
export const taskMs = 60 * 60 * 1000;
const requestMs = 60_000;
const cancelMs = 2_000;
const mostQuestions = 20;
/** So often in a row, a server may be out of reach when it is asked about a task. */
const mostMissed = 3;
const shownCharacters = 500;

const taskSchema = z.object({
  taskId: z.string().min(1).max(1_000),
  status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
  statusMessage: z.string().optional(),
  pollIntervalMs: z.number().optional(),
  inputRequests: z
    .record(z.string(), z.object({ method: z.string(), params: z.unknown().optional() }))
    .optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
  /** As the 2025 protocol names it. */
  pollInterval: z.number().optional(),
});
type Task = z.output<typeof taskSchema>;

/** Under the 2025 protocol, a tool may have to be called as a task. */
export async function taskParams(
  client: Client,
  tool: string,
  definitions: () => Promise<readonly Pick<Tool, "name" | "execution">[]>,
): Promise<{ task?: { ttl: number } }> {
  if (!client.getServerCapabilities()?.tasks?.requests?.tools?.call) return {};
  const definition = (await definitions()).find(({ name }) => name === tool);
  return definition?.execution?.taskSupport === "required" ? { task: { ttl: taskMs } } : {};
}

export interface TaskCall {
  server: string;
  client: Client;
  wire: TaskWire;
  answers: Answers;
  context: Pick<ToolContext, "signal" | "progress">;
}

/** The result itself, or that of the task that the server has begun instead. */
export async function untilResult(call: TaskCall, result: CallToolResult): Promise<CallToolResult> {
  const begun = begunTask(result);
  if (begun === undefined) return result;
  const task = taskSchema.safeParse(begun.task);
  if (!task.success) throw wrongTask(call);
  const { progress } = call.wire;
  progress.set(begun.progressToken, showProgress(call.context, call.server));
  try {
    return await new TaskRun(call, task.data).result();
  } finally {
    progress.delete(begun.progressToken);
  }
}

/** Progress in a server's words, of a length that can be shown. */
export function showProgress({ progress }: TaskCall["context"], otherwise: string) {
  return ({ message = otherwise, progress: done, total }: Progress) =>
    progress(visibleLine(message.slice(0, shownCharacters)), done, total);
}

class TaskRun {
  readonly #call: TaskCall;
  readonly #begun: Task;
  readonly #isLegacy: boolean;
  readonly #since = performance.now();
  readonly #answered = new Set<string>();
  #shown: string | undefined;
  #missed = 0;
  /** 2025: the request for the result, over which the server also asks its questions. */
  #waiting: Promise<CallToolResult | undefined> | undefined;
  #refused: ProtocolError | undefined;

  constructor(call: TaskCall, begun: Task) {
    this.#call = call;
    this.#begun = begun;
    this.#isLegacy = call.client.getProtocolEra() === "legacy";
  }

  async result(): Promise<CallToolResult> {
    const task = await this.#ended().catch(async (error: unknown) => {
      const cancelling = this.#cancel();
      this.#call.wire.cancelling.add(cancelling);
      await cancelling.finally(() => this.#call.wire.cancelling.delete(cancelling));
      throw error;
    });
    const { server } = this.#call;
    if (task.status === "cancelled") {
      const why = task.statusMessage ? `\n${fenced(server, task.statusMessage)}\n` : " ";
      throw new Failure(
        "EXECUTION_ERROR",
        `MCP server ${server} cancelled the task of this call.${why}Call the tool again if you still need its result.`,
      );
    }
    if (this.#isLegacy) return (await this.#waiting) ?? this.#legacyResult();
    if (task.status === "failed")
      throw new Error(task.error?.message ?? task.statusMessage ?? "It gave no reason.");
    if (isCallToolResult(task.result)) return task.result as CallToolResult;
    throw wrongTask(this.#call);
  }

  async #ended(): Promise<Task> {
    const { progress, signal } = this.#call.context;
    for (let task = this.#begun; ; task = await this.#look(task)) {
      const { statusMessage } = task;
      if (statusMessage && statusMessage !== this.#shown)
        progress(visibleLine(statusMessage.slice(0, shownCharacters)));
      this.#shown = statusMessage;
      if (hasEnded(task)) {
        // The first answer has no result in it.
        if (task !== this.#begun || this.#isLegacy) return task;
        continue;
      }
      if (this.#refused) throw this.#refused;
      if (task.status === "input_required") await (this.#isLegacy ? this.#listen() : this.#answer(task));
      await wait(this.#pause(task), undefined, { signal });
    }
  }

  /** As the server suggests, but at least a fiftieth of the time so far: some hundred requests in an hour at most. */
  #pause({ pollIntervalMs, pollInterval }: Task): number {
    const suggested = pollIntervalMs ?? pollInterval ?? 1_000;
    return Math.min(Math.max(suggested, 200, (performance.now() - this.#since) / 50), 60_000);
  }

  async #look(last: Task): Promise<Task> {
    const { client, server, context } = this.#call;
    try {
      const answer = await this.#request("tasks/get", z.looseObject({}));
      // An example of the specification gives this answer the type of the first one.
      const task = taskSchema.safeParse(begunTask(answer)?.task ?? answer);
      if (task.data?.taskId !== this.#begun.taskId) throw wrongTask(this.#call);
      this.#missed = 0;
      return task.data;
    } catch (error) {
      if (error instanceof ProtocolError)
        throw new Failure(
          "EXECUTION_ERROR",
          `MCP server ${server} does not know the task any more that it began for this call:\n${fenced(server, error.message)}\nIt may have done part of the work: check that before you call the tool again.`,
        );
      const isOver = context.signal.aborted || error instanceof Failure || client.transport === undefined;
      if (isOver || ++this.#missed > mostMissed) throw error;
      return last;
    }
  }

  async #answer({ inputRequests = {} }: Task): Promise<void> {
    const { server, answers, context } = this.#call;
    const open = Object.entries(inputRequests).filter(([key]) => !this.#answered.has(key));
    if (this.#answered.size + open.length > mostQuestions)
      throw new Failure(
        "LIMIT_EXCEEDED",
        `MCP server ${server} asked more than ${mostQuestions} questions in one call, which was stopped. Call the tool with arguments that leave fewer questions.`,
      );
    const given: [string, unknown][] = [];
    for (const [key, request] of open) {
      this.#answered.add(key);
      given.push([key, await answerTo(request, answers, context.signal).catch(this.#notGiven)]);
    }
    if (given.length > 0)
      await this.#request("tasks/update", z.unknown(), { inputResponses: Object.fromEntries(given) });
  }

  readonly #notGiven = (error: Error): never => {
    const why = visibleLine(error.message.slice(0, shownCharacters));
    throw new Failure(
      "EXECUTION_ERROR",
      `MCP server ${this.#call.server} asked for something during the call and did not get it, so the call was stopped: ${why}`,
    );
  };

  #listen(): void {
    this.#waiting ??= this.#legacyResult().catch((error: unknown) => {
      // What the server says is final; a broken line is not.
      if (error instanceof ProtocolError) this.#refused = error;
      this.#waiting = undefined;
      return undefined;
    });
  }

  #legacyResult(): Promise<CallToolResult> {
    return this.#request("tasks/result", specTypeSchemas.CallToolResult, {}, taskMs);
  }

  /** Servers may ignore it. */
  async #cancel(): Promise<void> {
    const { client } = this.#call;
    if (this.#isLegacy && !client.getServerCapabilities()?.tasks?.cancel) return;
    const request = { method: "tasks/cancel", params: { taskId: this.#begun.taskId } };
    await client.request(request, z.unknown(), { timeout: cancelMs }).catch(() => undefined);
  }

  #request<S extends Parameters<Client["request"]>[1]>(
    method: string,
    schema: S,
    more = {},
    timeout = requestMs,
  ) {
    const { client, context } = this.#call;
    const params = { taskId: this.#begun.taskId, ...more };
    return client.request({ method, params }, schema, { signal: context.signal, timeout });
  }
}

function hasEnded({ status }: Task): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function wrongTask({ server }: TaskCall): Failure {
  return new Failure(
    "EXECUTION_ERROR",
    `MCP server ${server} answered with a task that does not follow the protocol or is not the one it was asked about. The call was stopped; check what it has done before you call the tool again.`,
  );
}

function fenced(server: string, text: string): string {
  return fenceUntrusted(text.slice(0, 4_000), `MCP server ${server}`);
}
