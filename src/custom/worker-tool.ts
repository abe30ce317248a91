import { Worker } from "node:worker_threads";
import { type ErrorCode, Failure } from "../failure/failure.ts";
import type { Effect } from "../tool/effects.ts";
import { schemaFrom } from "../tool/from-json-schema.ts";
import type { ImagePart, Preview, Tool, ToolContext } from "../tool/tool.ts";
import { shipped } from "../workspace/shipped.ts";
import type { FromThread, Method, ToolFacts, ToThread } from "./protocol.ts";

/** How long a file may take to load, and how long an aborted call may take before its thread is terminated. */
const loadMs = 10_000;
const graceMs = 500;

export interface WorkerTool {
  tool: Tool;
  close(): void;
}

/**
 * A tool from a file, run in its own thread: an endless loop blocks only that thread, which can be terminated. This is not a
 * sandbox: the code has all permissions of its owner.
 */
export async function loadWorkerTool(file: string, root: string): Promise<WorkerTool> {
  let thread = await Thread.start(file, root);
  let closed = false;
  const { facts } = thread;
  let starting: Promise<Thread> | undefined;
  /** Calls that find the thread ended wait for the same new one. */
  const living = async () => {
    if (closed) throw new Failure("UNAVAILABLE", `${facts.name} was just reloaded. Call it again.`);
    if (!thread.ended) return thread;
    starting ??= Thread.start(file, root).finally(() => {
      starting = undefined;
    });
    thread = await starting;
    if (closed) thread.end();
    return thread;
  };
  const request = async (method: Method, input: unknown, context: ToolContext) =>
    (await living()).call(method, input, context);
  const approvals = new WeakMap<readonly Effect[], "auto" | "ask">();
  const outputs = new WeakMap<object, { texts: string[]; images: ImagePart[] }>();
  const { previews, input, output, ...rest } = facts;
  const tool: Tool<Record<string, unknown>, unknown> = {
    ...rest,
    input: schemaFrom(input),
    output: schemaFrom(output) as Tool["output"],
    effects: async (given, context) => {
      const answer = (await request("effects", given, context)) as {
        effects: Effect[];
        approval: "auto" | "ask";
      };
      approvals.set(answer.effects, answer.approval);
      return answer.effects;
    },
    approval: (effects) => approvals.get(effects) ?? "ask",
    ...(previews && {
      preview: async (given: unknown, context: ToolContext) =>
        (await request("preview", given, context)) as Preview,
    }),
    execute: async (given, context) => {
      const done = (await request("execute", given, context)) as {
        value: unknown;
        texts: string[];
        images: ImagePart[];
      };
      outputs.set(given, done);
      return done.value;
    },
    render: (value, given) => outputs.get(given)?.texts ?? JSON.stringify(value, null, 2),
    images: (_value, given) => outputs.get(given)?.images ?? [],
  };
  return {
    tool: tool as unknown as Tool,
    close: () => {
      closed = true;
      thread.end();
    },
  };
}

interface Waiting {
  answer: PromiseWithResolvers<unknown>;
  context: ToolContext;
}

class Thread {
  readonly facts: ToolFacts;
  ended = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  private constructor(worker: Worker, facts: ToolFacts) {
    this.#worker = worker;
    this.facts = facts;
    worker.on("message", (message: FromThread) => this.#receive(message));
    worker.on("error", (error) => this.#over(`its thread failed: ${error.message}`));
    worker.on("exit", () => this.#over("its thread ended"));
  }

  static async start(file: string, root: string): Promise<Thread> {
    const worker = new Worker(shipped("custom/tool-thread.ts", "tool-thread.js"), {
      workerData: {
        file,
        root,
        library: shipped("custom/author.ts", "author.js").href,
        zod: import.meta.resolve("zod"),
      },
      execArgv: [],
    });
    worker.unref();
    const loaded = Promise.withResolvers<ToolFacts>();
    const timer = setTimeout(() => {
      loaded.reject(new Error(`${file}: it took longer than ${loadMs / 1000} s to load.`));
    }, loadMs);
    const onMessage = (message: FromThread) => {
      if (message.type === "loaded") loaded.resolve(message.facts);
      if (message.type === "failed") loaded.reject(new Error(message.message));
    };
    worker.on("message", onMessage);
    worker.once("error", (error) => loaded.reject(new Error(`${file}: ${error.message}`)));
    worker.once("exit", () => loaded.reject(new Error(`${file}: it ended its own thread while loading.`)));
    try {
      return new Thread(worker, await loaded.promise);
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      worker.off("message", onMessage);
    }
  }

  async call(method: Method, input: unknown, context: ToolContext): Promise<unknown> {
    const id = ++this.#calls;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { answer, context });
    let grace: NodeJS.Timeout | undefined;
    const stop = () => {
      this.#send({ type: "abort", id });
      grace = setTimeout(() => this.end(), graceMs);
      grace.unref();
    };
    context.signal.addEventListener("abort", stop, { once: true });
    const { callId, approved } = context;
    this.#send({ type: "call", id, method, input, callId, approved });
    try {
      return await answer.promise;
    } finally {
      clearTimeout(grace);
      context.signal.removeEventListener("abort", stop);
      this.#waiting.delete(id);
    }
  }

  end(): void {
    this.#over("its thread was ended");
    void this.#worker.terminate();
  }

  #receive(message: FromThread): void {
    if (message.type === "done") {
      const { error } = message;
      const answer = this.#waiting.get(message.id)?.answer;
      if (error) answer?.reject(new Failure(error.code, error.message, error.details));
      else answer?.resolve(message.value);
    } else if (message.type === "ask") void this.#serve(message);
    else if (message.type === "may-read") {
      const { id, path, answer } = message;
      Atomics.store(answer, 0, this.#waiting.get(id)?.context.mayRead(path) ? 1 : 2);
      Atomics.notify(answer, 0);
    }
  }

  async #serve({ ask, id, service, args }: Extract<FromThread, { type: "ask" }>): Promise<void> {
    const context = this.#waiting.get(id)?.context;
    try {
      if (!context) throw new Failure("ABORTED", "The call is over.");
      this.#send({ type: "answer", ask, value: await serve(context, service, args) });
    } catch (error) {
      const code: ErrorCode = error instanceof Failure ? error.code : "EXECUTION_ERROR";
      this.#send({ type: "answer", ask, error: { code, message: (error as Error).message } });
    }
  }

  #send(message: ToThread): void {
    if (!this.ended) this.#worker.postMessage(message);
  }

  #over(why: string): void {
    this.ended = true;
    for (const { answer } of this.#waiting.values()) {
      answer.reject(
        new Failure("EXECUTION_ERROR", `${this.facts.name} gave no result: ${why}. Call it again.`),
      );
    }
  }
}

/** The context of a tool in a thread: the same as for a built-in tool. */
async function serve(
  { workspace, hiddenPaths, run, progress }: ToolContext,
  service: string,
  args: unknown[],
): Promise<unknown> {
  const [first, second] = args as [never, never];
  switch (service) {
    case "stat":
      return workspace.stat(first);
    case "resolve":
      return workspace.resolve(first);
    case "read":
      return workspace.read(first, second);
    case "list":
      return workspace.list(first);
    case "walk":
      return collected(workspace.walk(first));
    case "plan":
      return workspace.plan(first);
    case "apply":
      return workspace.apply(first, second);
    case "changes":
      return workspace.changes(first);
    case "change":
      return workspace.change(first);
    case "hiddenPaths":
      return [...(await hiddenPaths())];
    case "run":
      return run(first);
    case "progress":
      return progress(...(args as [string, number?, number?]));
    default:
      throw new Failure("INVALID_INPUT", `A tool's context has no ${JSON.stringify(service)}.`);
  }
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
