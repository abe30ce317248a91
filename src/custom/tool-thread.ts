// The thread in which one tool file runs. Started by worker-tool.ts, it loads the file and answers requests.
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import type { Tool, ToolContext } from "../tool/tool.ts";
import type { FileContent, Workspace } from "../workspace/workspace.ts";
import type { FromThread, Thrown, ToolFacts, ToThread } from "./protocol.ts";

const { file, library, zod, root } = workerData as Record<"file" | "library" | "zod" | "root", string>;
const url = pathToFileURL(file).href;
const running = new Map<number, AbortController>();
const asked = new Map<number, PromiseWithResolvers<unknown>>();
let asks = 0;

// A tool file has no node_modules: its imports of wield and zod come from Wield.
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "wield") return { url: library, shortCircuit: true };
    if (specifier === "zod") return { url: zod, shortCircuit: true };
    const found = next(specifier, context);
    if (!isCovered(found.url)) {
      const why = "trust covers the files in .wield, and any code may change others";
      throw new Error(`A tool of the workspace cannot import ${specifier}: ${why}.`);
    }
    return found;
  },
});

/** A workspace's tool may import only files that trust covers; a user's tool may import anything. */
function isCovered(imported: string): boolean {
  const below = (folder: string) => (place: string) => place.startsWith(`${pathToFileURL(folder).href}/`);
  const own = below(join(root, ".wield"));
  return !own(url) || !below(root)(imported) || own(imported);
}

try {
  const tool = toolIn(await import(url));
  parentPort?.on("message", (message: ToThread) => void receive(tool, message));
  send({ type: "loaded", facts: factsOf(tool) });
} catch (error) {
  send({ type: "failed", message: placed(error) });
}

async function receive(tool: Tool, message: ToThread): Promise<void> {
  if (message.type === "abort") return running.get(message.id)?.abort();
  if (message.type === "answer") {
    const { value, error } = message;
    if (error) asked.get(message.ask)?.reject(new Failure(error.code, error.message, error.details));
    else asked.get(message.ask)?.resolve(value);
    asked.delete(message.ask);
    return;
  }
  const { id, method } = message;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    send({ type: "done", id, value: await perform(tool, method, message, abort.signal) });
  } catch (error) {
    send({ type: "done", id, error: thrown(error) });
  } finally {
    running.delete(id);
  }
}

async function perform(
  tool: Tool,
  method: string,
  call: Extract<ToThread, { type: "call" }>,
  signal: AbortSignal,
): Promise<unknown> {
  const input = parsed(tool.input, call.input, "INVALID_INPUT", `${tool.name} was called with invalid input`);
  const context = contextOf(call, signal);
  if (method === "effects") {
    const effects = await tool.effects(input, context);
    return { effects, approval: tool.approval(effects, input) };
  }
  if (method === "preview") return tool.preview?.(input, context);
  const value = await tool.execute(input, context);
  const checked = parsed(
    tool.output,
    value,
    "EXECUTION_ERROR",
    `The value of ${tool.name} does not match its own schema`,
  );
  const rendering = tool.render(checked, input);
  const ladder = typeof rendering === "string" ? [rendering] : rendering;
  return {
    value: checked,
    texts: ladder.map((step) => (typeof step === "function" ? step(tool.budget) : step)),
    images: tool.images?.(checked, input) ?? [],
  };
}

function contextOf(call: Extract<ToThread, { type: "call" }>, signal: AbortSignal): ToolContext {
  const ask = (service: string, ...args: unknown[]) => {
    const answer = Promise.withResolvers<unknown>();
    asked.set(++asks, answer);
    send({ type: "ask", ask: asks, id: call.id, service, args });
    return answer.promise;
  };
  const remote =
    (name: string) =>
    (...args: unknown[]) =>
      ask(name, ...args);
  const workspace = {
    root: workerData.root as string,
    read: async (...args: unknown[]) => {
      const content = (await ask("read", ...args)) as FileContent;
      return { ...content, bytes: Buffer.from(content.bytes) };
    },
    async *walk(options: unknown) {
      yield* (await ask("walk", options)) as Iterable<unknown>;
    },
    ...Object.fromEntries(
      ["stat", "resolve", "list", "plan", "apply", "changes", "change"].map((n) => [n, remote(n)]),
    ),
  } as unknown as Workspace;
  return {
    callId: call.callId,
    approved: call.approved,
    workspace,
    signal,
    mayRead: (path) => {
      // Blocks this thread until the answer arrives: the question comes from inside a synchronous filter.
      const answer = new Int32Array(new SharedArrayBuffer(4));
      send({ type: "may-read", id: call.id, path, answer });
      Atomics.wait(answer, 0, 0);
      return Atomics.load(answer, 0) === 1;
    },
    hiddenPaths: remote("hiddenPaths") as ToolContext["hiddenPaths"],
    run: remote("run") as ToolContext["run"],
    progress: (...args) => void ask("progress", ...args),
  };
}

function parsed(
  schema: z.ZodType,
  value: unknown,
  code: "INVALID_INPUT" | "EXECUTION_ERROR",
  complaint: string,
): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Failure(code, `${complaint}:\n${z.prettifyError(result.error)}`);
}

function toolIn(module: { default?: unknown }): Tool {
  const tool = module.default as Partial<Tool> | undefined;
  if (typeof tool !== "object" || tool === null) {
    throw new TypeError("A tool file exports its tool as default: export default defineTool({ … })");
  }
  for (const field of ["name", "title", "description", "category"] as const) {
    if (typeof tool[field] !== "string" || tool[field] === "")
      throw new TypeError(`The tool needs a ${field}: a text.`);
  }
  for (const field of ["input", "output"] as const) {
    if (typeof tool[field]?.safeParse !== "function")
      throw new TypeError(`The tool needs an ${field}: a zod schema.`);
  }
  if (typeof tool.execute !== "function") throw new TypeError("The tool needs execute: a function.");
  return tool as Tool;
}

function factsOf(tool: Tool): ToolFacts {
  const { name, title, description, category, loading, examples, skill, timeoutMs, budget, idempotent, can } =
    tool;
  return {
    ...{ name, title, description, category, loading, examples, timeoutMs, budget, idempotent, can },
    ...(skill !== undefined && { skill }),
    input: z.toJSONSchema(tool.input, { io: "input" }),
    output: z.toJSONSchema(tool.output, { io: "output" }),
    previews: tool.preview !== undefined,
  };
}

/** The message with its position in the tool file. */
function placed(error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const line = stack
    .split("\n")
    .map((text) =>
      text.indexOf(url) < 0 && text.indexOf(file) < 0
        ? undefined
        : /:(\d+)(?::\d+)?\)?$/.exec(text.trim())?.[1],
    )
    .find((found) => found !== undefined);
  return `${file}${line === undefined ? "" : `:${line}`}: ${message}`;
}

function thrown(error: unknown): Thrown {
  // Two copies of Failure may meet here (the file's and ours), so its shape counts, not its class.
  if (error instanceof Error && error.name === "Failure") {
    const { code, message, details } = error as Failure;
    return { code, message, ...(details && { details }) };
  }
  return { code: "EXECUTION_ERROR", message: placed(error) };
}

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}
