import { randomUUID } from "node:crypto";
import {
  acceptedContent,
  type CallToolRequestParams,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Mcp } from "./server.ts";
import { tasksExtension } from "./server-requests.ts";

// A server that answers calls with tasks, in both protocols. The first group of its tools is the one that the official
// conformance suite prescribes; the second misbehaves. Tasks without a time move on each time they are looked at.

interface Job {
  id: string;
  tool: string;
  args: Record<string, unknown>;
  since: number;
  looks: number;
  cancelled: boolean;
  answers: Record<string, unknown>;
}

interface State {
  status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  statusMessage?: string;
  pollIntervalMs?: number;
  inputRequests?: InputRequests;
  result?: unknown;
  error?: { code: number; message: string };
  taskId?: string;
}

const text = (said: string, isError = false) => ({
  content: [{ type: "text" as const, text: said }],
  isError,
});
const done = (said: string, isError = false): State => ({ status: "completed", result: text(said, isError) });
const working = (statusMessage?: string): State => ({
  status: "working",
  ...(statusMessage !== undefined && { statusMessage }),
});
const form = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
  });
const after = (seconds: number, { since }: Job, end: State) =>
  Date.now() < since + seconds * 1000 ? working() : end;

const questions = (looks: number) =>
  Array.from(
    { length: 9 },
    (_, at) => [`key ${looks} ${at}`, form(`Question ${looks} ${at}?`, "it")] as const,
  );

function asking(requests: InputRequests): (job: Job) => State {
  return ({ answers }) => {
    const open = Object.entries(requests).filter(([key]) => !(key in answers));
    if (open.length === 0) return done(JSON.stringify(answers));
    return {
      status: "input_required",
      statusMessage: "waiting for you",
      inputRequests: Object.fromEntries(open),
    };
  };
}

const prescribed: Record<string, (job: Job) => State> = {
  slow_compute: (job) => after(Number(job.args["seconds"]), job, done(`computed ${job.args["label"]}`)),
  failing_job: (job) => after(1, job, done("the job failed", true)),
  protocol_error_job: () => ({ status: "failed", error: { code: -32603, message: "out of cheese" } }),
  confirm_delete: asking({ confirm: form("Delete it?", "really") }),
  multi_input: asking({ first: form("First?", "one"), second: form("Second?", "two") }),
  test_tool_with_task: (job) => done(`done for ${job.args["user_name"]}`),
};

const misbehaving: Record<string, (job: Job) => State> = {
  steps: ({ looks }) => (looks > 2 ? done("all steps done") : working(`step ${looks}`)),
  ask_model: asking({
    answer: inputRequired.createMessage({
      messages: [{ role: "user", content: { type: "text", text: "Six times seven?" } }],
      maxTokens: 50,
    }),
  }),
  endless: () => ({ ...working("still at it"), pollIntervalMs: 0 }),
  forgetful: ({ looks }) => {
    if (looks === 0) return working();
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Failed to retrieve task: Task not found");
  },
  swapping: ({ looks }) => (looks === 0 ? working() : { ...done("of another"), taskId: "another" }),
  shouting: ({ looks }) => (looks > 1 ? done("quiet now") : working(`\u001b[8m${"A".repeat(1_000_000)}`)),
  curious: ({ looks }) =>
    looks === 0
      ? working()
      : { status: "input_required", inputRequests: Object.fromEntries(questions(looks)) },
  quitting: ({ looks }) =>
    looks === 0 ? working() : { status: "cancelled", statusMessage: "the queue is full" },
  senseless: ({ looks }) => (looks === 0 ? working() : { status: "completed", result: { content: 7 } }),
};

const all = { ...prescribed, ...misbehaving };
const required = new Set(["failing_job", "protocol_error_job", ...Object.keys(misbehaving)]);
const taskParams = z.object({ taskId: z.string() });

export function taskServer(): Mcp {
  const jobs = new Map<string, Job>();
  /** What clients sent about tasks. */
  const seen: string[] = [];

  function begin({ name, arguments: args = {} }: CallToolRequestParams): Job {
    const empty = { looks: 0, cancelled: false, answers: {} };
    const job = { id: randomUUID(), tool: name, args, since: Date.now(), ...empty };
    jobs.set(job.id, job);
    return job;
  }
  function known(method: string, taskId: string): Job {
    const job = jobs.get(taskId);
    seen.push(`${method} ${job?.tool}`);
    if (job) return job;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${taskId}.`);
  }
  function stateOf(job: Job): State {
    return job.cancelled ? { status: "cancelled" } : (all[job.tool]?.(job) ?? working());
  }
  function described(job: Job, { pollIntervalMs = 100, ...state }: State) {
    const at = new Date(job.since).toISOString();
    return { taskId: job.id, createdAt: at, lastUpdatedAt: at, ttlMs: 600_000, pollIntervalMs, ...state };
  }

  function modern(server: Server): void {
    const declares = ({ mcpReq }: ServerContext) => {
      const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
      return envelope?.[CLIENT_CAPABILITIES_META_KEY]?.extensions?.[tasksExtension] !== undefined;
    };
    const demand = (context: ServerContext) => {
      if (declares(context)) return;
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [tasksExtension]: {} } },
      });
    };
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const plain = notATask(params);
      if (plain) return plain;
      if (required.has(params.name)) demand(context);
      if (!declares(context)) return text("done without a task");
      if (params.name === "test_tool_with_task") {
        const given = acceptedContent(context.mcpReq.inputResponses, "user_name");
        if (!given) return inputRequired({ inputRequests: { user_name: form("Your name?", "name") } });
        params.arguments = { user_name: given["name"] };
      }
      const job = begin(params);
      const { statusMessage } = stateOf(job);
      const begun = described(job, working(statusMessage));
      return { resultType: "task", ...begun } as never;
    });
    server.setRequestHandler("tasks/get", { params: taskParams }, ({ taskId }, context) => {
      demand(context);
      const job = known("tasks/get", taskId);
      job.looks++;
      return described(job, stateOf(job)) as never;
    });
    server.setRequestHandler("tasks/update", { params: taskParams }, ({ taskId }, context) => {
      demand(context);
      Object.assign(known("tasks/update", taskId).answers, context.mcpReq.inputResponses);
      return {};
    });
    server.setRequestHandler("tasks/cancel", { params: taskParams }, ({ taskId }, context) => {
      demand(context);
      known("tasks/cancel", taskId).cancelled = true;
      return {};
    });
  }

  function legacy(server: Server): void {
    const tokens = new Map<string, ProgressToken>();
    const described2025 = (job: Job, state: State) => {
      const {
        ttlMs: ttl,
        pollIntervalMs: pollInterval,
        inputRequests,
        result,
        error,
        ...task
      } = described(job, state);
      // A failure of the tool is one of the task there.
      const status = (result as { isError?: boolean } | undefined)?.isError ? "failed" : task.status;
      return { ...task, status, ttl, pollInterval };
    };
    server.setRequestHandler("tools/call", async ({ params }) => {
      const plain = notATask(params);
      if (plain) return plain;
      if (required.has(params.name) && !("task" in params))
        throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Call it as a task.");
      if (!("task" in params)) return text("done without a task");
      const job = begin(params);
      const progressToken = params._meta?.progressToken;
      if (progressToken !== undefined) tokens.set(job.id, progressToken);
      // The official server insists on content.
      return { content: [], task: described2025(job, working()) };
    });
    server.setRequestHandler("tasks/get", { params: taskParams }, async ({ taskId }) => {
      const job = known("tasks/get", taskId);
      job.looks++;
      const progress = { progressToken: tokens.get(taskId) ?? "", progress: job.looks, message: "from afar" };
      await server.notification({ method: "notifications/progress", params: progress });
      return described2025(job, stateOf(job));
    });
    server.setRequestHandler("tasks/result", { params: taskParams }, ({ taskId }) => {
      const { status, result, error } = stateOf(known("tasks/result", taskId));
      // Against the protocol, which wants it to wait.
      if (status === "input_required")
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "No result yet.");
      if (error) throw new ProtocolError(error.code, error.message);
      return result as never;
    });
    server.setRequestHandler("tasks/cancel", { params: taskParams }, ({ taskId }) => {
      const job = known("tasks/cancel", taskId);
      job.cancelled = true;
      return described2025(job, stateOf(job));
    });
  }

  function notATask({ name, arguments: args = {} }: CallToolRequestParams) {
    if (name === "greet") return text(`Hello, ${args["name"]}!`);
    return name === "seen" ? text(seen.join("\n")) : undefined;
  }

  return {
    onToolsChange: () => () => undefined,
    close: async () => undefined,
    build: (era) => {
      const tasks =
        era === "modern"
          ? { extensions: { [tasksExtension]: {} } }
          : { tasks: { cancel: {}, requests: { tools: { call: {} } } } };
      const server = new Server({ name: "tasks", version: "1" }, { capabilities: { tools: {}, ...tasks } });
      server.setRequestHandler("tools/list", () => ({
        tools: ["greet", "seen", ...Object.keys(all)].map((name) => ({
          name,
          description: `Does ${name}.`,
          inputSchema: { type: "object" as const },
          annotations: { readOnlyHint: true },
          // As a result with a task in it has no structured content: the client must not demand any.
          ...(name === "steps" && { outputSchema: { type: "object" as const } }),
          ...(required.has(name) && { execution: { taskSupport: "required" as const } }),
        })),
      }));
      if (era === "modern") modern(server);
      else legacy(server);
      return server;
    },
  };
}
