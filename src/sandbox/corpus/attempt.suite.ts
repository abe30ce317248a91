import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, lchownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../testing/remove-folder.ts";
import { openWorkspace } from "../../workspace/open-workspace.ts";
import { applyChanges } from "../apply-changes.ts";
import { guarded, heldInMemory } from "../judging.suite.ts";
import { openSandbox } from "../open-sandbox.ts";
import { policies, within } from "../policy.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Attempt, Case, World } from "./case.suite.ts";

/** One attempt as it can be told to another process. */
export interface Order {
  workspace: string;
  stateDir: string;
  language: "bash" | "python";
  code: string;
  env: Record<string, string>;
  wallMs: number;
}

/** Somebody who carries out attempts: this process, or one of another user. */
export interface Runner {
  uid: number;
  attempt(order: Order): Promise<Attempt>;
  describe(): Promise<string>;
  close(): void;
}

export const nobody = 65534;

/** Runs and applies changes as a tool does, with protected names held. */
export function runnerHere(): Runner {
  const sandbox: Sandbox = openSandbox(async () => {
    throw new Error("no network in these attempts");
  });
  return {
    uid: process.getuid?.() ?? -1,
    describe: () => sandbox.describe(),
    close: () => {},
    attempt: async ({ workspace: root, stateDir, language, code, env, wallMs }) => {
      const workspace = await openWorkspace(root, { stateDir });
      try {
        const startedAt = new Date();
        const command =
          language === "bash"
            ? (["/bin/bash", "-c", code, "bash"] as const)
            : (["/usr/bin/python3", "-u", "-c", code] as const);
        const result = await sandbox.run({ workspace: root, command, env }, within(policies.code, wallMs));
        const applied = await applyChanges(result.changes, {
          workspace,
          startedAt,
          held: heldInMemory().held,
          attended: false,
          by: { callId: "c", tool: "run_code", description: "attempt" },
          judge: guarded,
        });
        return {
          stdout: result.stdout.text,
          stderr: result.stderr.text,
          exitCode: result.exitCode,
          durationMs: result.durationMs,
          limit: result.limit,
          changed: applied.change?.files.map(({ path }) => path) ?? [],
          held:
            applied.held?.files.map(({ path, type }) => (type === "directory" ? "" : path)).filter(Boolean) ??
            [],
          refused: applied.refused.map(({ path }) => path),
        };
      } finally {
        workspace.close();
      }
    },
  };
}

/** The same, done by a process of an ordinary user. */
export function runnerAs(uid: number): Runner {
  return runnerBehind(uid, ["/usr/bin/setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"]);
}

/** The same, done by a process that is started by way of another command. */
export function runnerBehind(uid: number, [file = "", ...args]: readonly string[]): Runner {
  const child: ChildProcess = spawn(file, [...args, process.execPath, import.meta.filename, "obey"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
    cwd: "/",
    env: { HOME: "/", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  let turn: Promise<unknown> = Promise.resolve();
  const ask = <T>(message: Order | "describe"): Promise<T> => {
    const answer = turn.then(
      () =>
        new Promise<T>((resolve, reject) => {
          child.once("message", (reply: { value?: T; error?: string }) => {
            if (reply.error === undefined) resolve(reply.value as T);
            else reject(new Error(reply.error));
          });
          child.send(message);
        }),
    );
    turn = answer.catch(() => {});
    return answer;
  };
  return { uid, attempt: ask, describe: () => ask("describe"), close: () => child.disconnect() };
}

export function orderFor(test: Case, world: World, stateDir: string): Order {
  const { workspace } = world;
  return {
    workspace,
    stateDir,
    language: test.language,
    code: test.code(world),
    env: test.env?.(world) ?? {},
    wallMs: test.wallMs ?? 20_000,
  };
}

/** A place for one attempt: a workspace with bait around it, owned by whoever runs the attempt. */
export class Place implements AsyncDisposable {
  readonly world: World;
  readonly stateDir: string;
  readonly #home: string;
  readonly #servers: Server[] = [];
  readonly #bystander: ChildProcess;

  private constructor(uid: number) {
    // Always the same place, one attempt after the other: the sandbox needs to get to know it only once.
    this.#home = join(tmpdir(), `corpus-${process.pid}-${uid}`);
    removeFolder(this.#home);
    mkdirSync(this.#home);
    const marker = `marker${Math.random().toString(36).slice(2, 12)}`;
    const workspace = join(this.#home, "ws");
    this.stateDir = join(this.#home, "state");
    for (const folder of [workspace, this.stateDir]) mkdirSync(folder);
    const secret = join(this.#home, "secret");
    writeFileSync(secret, marker);
    for (const path of [this.#home, workspace, this.stateDir, secret]) chownSync(path, uid, uid);
    this.#bystander = spawn("/bin/sleep", ["600"], {
      stdio: "ignore",
      ...(process.getuid?.() === 0 && { uid, gid: uid }),
    });
    this.world = {
      workspace,
      secret,
      marker,
      port: 0,
      abstractName: marker,
      bystander: this.#bystander.pid ?? 0,
    };
  }

  static async make(uid: number, prepare: Case["prepare"]): Promise<Place> {
    const place = new Place(uid);
    prepare?.(place.world);
    const { workspace } = place.world;
    for (const path of readdirSync(workspace, { recursive: true, encoding: "utf8" })) {
      lchownSync(join(workspace, path), uid, uid);
    }
    const { world } = place;
    const listen = (...where: [number, string] | [string]) => {
      const server = createServer((socket) => socket.on("error", () => {}).end(world.marker));
      place.#servers.push(server);
      return new Promise<Server>((resolve, reject) => {
        server.once("error", reject);
        if (typeof where[0] === "number") server.listen(where[0], where[1], () => resolve(server));
        else server.listen(where[0], () => resolve(server));
      });
    };
    const address = (await listen(0, "127.0.0.1")).address();
    if (typeof address === "object" && address) world.port = address.port;
    await listen(world.port, "::1").catch(() => {});
    await listen(`\0${world.abstractName}`);
    await listen(join(world.workspace, "host.sock"));
    return place;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#bystander.kill("SIGKILL");
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
    removeFolder(this.#home);
  }
}

if (process.argv[2] === "obey") {
  const runner = runnerHere();
  process.on("message", (message: Order | "describe") => {
    const work = message === "describe" ? runner.describe() : runner.attempt(message);
    work.then(
      (value) => process.send?.({ value }),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? "") : String(error) }),
    );
  });
}
