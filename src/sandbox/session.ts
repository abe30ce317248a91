import type { Experimental_SandboxProcess, Experimental_SandboxSession } from "ai";
import { Failure } from "../failure/failure.ts";
import type { Effect } from "../tool/effects.ts";
import type { ToolContext } from "../tool/tool.ts";
import type { FileOperation, Workspace } from "../workspace/workspace.ts";
import { type ApplyParts, applyChanges } from "./apply-changes.ts";
import { workspaceInside } from "./confine.ts";
import { policies } from "./policy.ts";
import type { Job, Sandbox } from "./sandbox.ts";

type RunOptions = Parameters<Experimental_SandboxSession["run"]>[0];

/**
 * The AI SDK's sandbox session on a workspace, for tools of other people: commands run confined, and what they and the
 * file methods change goes through the same policy and journal as any other change.
 */
export function sandboxSession(
  sandbox: Sandbox,
  {
    workspace,
    judge,
    held,
    by,
    hiddenPaths,
  }: Pick<ApplyParts, "workspace" | "judge" | "held" | "by"> & Pick<ToolContext, "hiddenPaths">,
): Experimental_SandboxSession {
  const execute = async (options: RunOptions, more: Partial<Job>) => {
    const startedAt = new Date();
    const cwd = options.workingDirectory === undefined ? "." : placeOf(options.workingDirectory);
    const job: Job = {
      workspace: workspace.root,
      command: ["/bin/bash", "-c", options.command],
      ...(cwd !== "." && { cwd }),
      ...(options.env && { env: options.env }),
      ...(options.abortSignal && { signal: options.abortSignal }),
      hidden: await hiddenPaths(),
      ...more,
    };
    const result = await sandbox.run(job, policies.code);
    await applyChanges(result.changes, { workspace, judge, held, by, startedAt, attended: false });
    return result;
  };

  function spawn(options: RunOptions & { stdin: true }): Promise<never>;
  function spawn(options: RunOptions & { stdin?: boolean }): Promise<Experimental_SandboxProcess>;
  async function spawn(options: RunOptions & { stdin?: boolean }): Promise<Experimental_SandboxProcess> {
    if (options.stdin) throw new Failure("UNAVAILABLE", "This sandbox gives a command no writable input.");
    return startProcess(options, execute);
  }

  const change = async (operation: FileOperation & { path: string }) => {
    const before = await typeAt(workspace, operation.path);
    if (before === "directory") throw new Failure("INVALID_PATH", `${operation.path} is a directory.`);
    const effect: Effect =
      operation.op === "delete"
        ? { kind: "delete", path: operation.path }
        : { kind: "write", path: operation.path, replaces: before !== null };
    const { decision, because } = judge(by.tool, effect);
    if (decision === "allow") {
      await workspace.apply([operation], by);
      return;
    }
    if (decision === "deny") {
      throw new Failure("PERMISSION_DENIED", `The policy does not let a tool change ${operation.path}.`);
    }
    const plan = await workspace.plan([operation]);
    const id = await held.hold(
      { operations: [operation], description: by.description, repository: undefined },
      { ...plan, reasons: [because] },
    );
    throw new Failure(
      "APPROVAL_REQUIRED",
      `${operation.path} was not changed: a person must approve it first. It waits among the approvals as ${id}.`,
    );
  };
  const write = (path: string, bytes: Uint8Array) =>
    change({ op: "write", path: placeOf(path), bytes, createDirs: true });
  const read = (path: string) =>
    unlessMissing(
      async () => (await workspace.read(placeOf(path), { maxBytes: Number.POSITIVE_INFINITY })).bytes,
    );

  return {
    description: `A Linux sandbox with bash and Python. The base directory is ${workspaceInside}, the workspace; no other directory lasts. There is no network.`,
    run: async (options) => {
      const { stdout, stderr, exitCode } = await execute(options, {});
      return { stdout: stdout.text, stderr: stderr.text, exitCode };
    },
    spawn,
    readFile: async ({ path }) => {
      const bytes = await read(path);
      return bytes && new Blob([new Uint8Array(bytes)]).stream();
    },
    readBinaryFile: async ({ path }) => read(path),
    readTextFile: async ({ path, encoding = "utf-8", startLine = 1, endLine = Number.POSITIVE_INFINITY }) => {
      const bytes = await read(path);
      if (!bytes) return null;
      const text = new TextDecoder(encoding).decode(bytes);
      if (startLine === 1 && endLine === Number.POSITIVE_INFINITY) return text;
      return text
        .split(/(?<=\n)/)
        .slice(startLine - 1, endLine)
        .join("");
    },
    writeFile: async ({ path, content }) =>
      write(path, new Uint8Array(await new Response(content).arrayBuffer())),
    writeBinaryFile: async ({ path, content }) => write(path, content),
    writeTextFile: async ({ path, content, encoding = "utf-8" }) =>
      write(path, Buffer.from(content, encoding as BufferEncoding)),
    stat: async ({ path }) =>
      unlessMissing(async () => {
        const { type, size } = await workspace.resolve(placeOf(path));
        return { type: type === "symlink" ? "other" : type, size };
      }),
    listDirectory: async ({ path }) =>
      unlessMissing(async () =>
        (await workspace.list(placeOf(path))).map(({ name, type }) => ({ name, type })),
      ),
    deleteFile: async ({ path }) => {
      if ((await typeAt(workspace, placeOf(path))) === null) return false;
      await change({ op: "delete", path: placeOf(path) });
      return true;
    },
  };
}

/** A command in the background: its streams as they come, its end when it is over. */
function startProcess(
  options: RunOptions,
  execute: (options: RunOptions, more: Partial<Job>) => Promise<{ exitCode: number }>,
): Experimental_SandboxProcess {
  const killer = new AbortController();
  const signal = options.abortSignal ? AbortSignal.any([killer.signal, options.abortSignal]) : killer.signal;
  const [stdout, stderr] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const [out, err] = [stdout.writable.getWriter(), stderr.writable.getWriter()];
  const send = (writer: typeof out) => (chunk: Buffer) =>
    void writer.write(new Uint8Array(chunk)).catch(() => {});
  const ended = (async () => {
    try {
      return await execute(options, { signal, onStdout: send(out), onStderr: send(err) });
    } catch (error) {
      if (options.abortSignal?.aborted) throw options.abortSignal.reason;
      if (killer.signal.aborted) return { exitCode: 137 };
      throw error;
    } finally {
      // Not awaited: they close when somebody has read them, which nobody has to.
      for (const writer of [out, err]) writer.close().catch(() => {});
    }
  })();
  ended.catch(() => {});
  return {
    stdout: stdout.readable,
    stderr: stderr.readable,
    wait: async () => ({ exitCode: (await ended).exitCode }),
    kill: async () => {
      killer.abort();
      await ended.catch(() => {});
    },
  };
}

/** Paths as commands inside see them, below the workspace. */
function placeOf(path: string): string {
  if (!path.startsWith("/")) return path === "" ? "." : path;
  if (path === workspaceInside || path === `${workspaceInside}/`) return ".";
  if (path.startsWith(`${workspaceInside}/`)) return path.slice(workspaceInside.length + 1);
  throw new Failure(
    "INVALID_PATH",
    `${path} is not in ${workspaceInside}: nothing else of the sandbox lasts.`,
  );
}

async function typeAt(workspace: Workspace, path: string) {
  return unlessMissing(async () => (await workspace.stat(path)).type);
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure && error.code === "FILE_NOT_FOUND") return null;
    throw error;
  }
}
