import { isSpecType, type Progress, type ProgressToken, type Transport } from "@modelcontextprotocol/client";

const inResult = "wield/task";

/** What the tasks of one connection share. */
export interface TaskWire {
  /** Of calls that became tasks: the client forgets them with the first answer. */
  readonly progress: Map<ProgressToken, (progress: Progress) => void>;
  /** Requests that cancel tasks and are under way. */
  readonly cancelling: Set<Promise<unknown>>;
}

/** A task that a server has begun, in the server's form. */
export interface BegunTask {
  task: unknown;
  progressToken: ProgressToken;
}

/**
 * The client takes no answer of the type "task" (2026) and none that has nothing but a task in it (2025). It gets such an
 * answer as a failed result, for which it demands no structured content, with the task in its metadata.
 */
export function taskWire(transport: Transport): TaskWire {
  const progress: TaskWire["progress"] = new Map();
  transport.onmessage = (message) => {
    if ("result" in message) {
      const task = taskIn(message.result);
      if (task === undefined) return;
      const begun: BegunTask = { task, progressToken: message.id };
      message.result = { resultType: "complete", content: [], isError: true, _meta: { [inResult]: begun } };
    } else if (progress.size > 0 && isSpecType.ProgressNotification(message)) {
      progress.get(message.params.progressToken)?.(message.params);
    }
  };
  return { progress, cancelling: new Set() };
}

function taskIn(result: Record<string, unknown>): unknown {
  if (result["resultType"] === "task") return result;
  const { content, task } = result;
  return Array.isArray(content) && content.length > 0 ? undefined : task;
}

/** The task that the client was given as this result. */
export function begunTask(result: { readonly _meta?: unknown }): BegunTask | undefined {
  const meta = result._meta as Readonly<Record<string, BegunTask | null>> | undefined;
  return meta?.[inResult] ?? undefined;
}
