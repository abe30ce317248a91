// A Postgres of one's own in a folder: for the tests, the benchmark and `npm run cluster`. It listens on one port
// of this machine only, and refuses to run as root, so there it runs as an unprivileged user.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface LocalPostgres {
  /** Of the superuser, through 127.0.0.1. */
  url: string;
  start(): Promise<void>;
  /** In order, or at once as when the machine loses power. */
  stop(how?: "fast" | "immediate"): Promise<void>;
}

export interface LocalPostgresOptions {
  port?: number;
  /** The option that names another port, for the message when this one is taken. */
  portOption?: string;
  durable?: boolean;
  password?: string;
  /** Called when it ends without having been told to. */
  onEnd?(): void;
}

/** Undefined where Postgres is not installed. */
export function postgresPrograms(): string | undefined {
  const installed = "/usr/lib/postgresql";
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(installed, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
}

/** The cluster of that folder, made if it is not there yet, and started. No other process may use the folder. */
export async function localPostgres(
  folder: string,
  options: LocalPostgresOptions = {},
): Promise<LocalPostgres> {
  const bin = postgresPrograms();
  if (!bin) throw new Error("Postgres is not installed. Install it with: sudo apt-get install postgresql");
  const data = join(folder, "data");
  const user = unprivileged();
  mkdirSync(folder, { recursive: true });
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o755);
  const run = (program: string, args: string[]) => {
    const [command, given] = as(user, join(bin, program), args);
    const { status, stderr, stdout } = spawnSync(command, given, { encoding: "utf8", cwd: folder });
    if (status !== 0) throw new Error(`${program} failed: ${stderr || stdout}`);
  };
  const { password } = options;
  if (!existsSync(join(data, "PG_VERSION"))) {
    const file = join(folder, "password");
    if (password !== undefined) {
      writeFileSync(file, password, { mode: 0o600 });
      if (user) chownSync(file, user.uid, user.gid);
    }
    const guarded = password === undefined ? ["-A", "trust"] : ["-A", "scram-sha-256", `--pwfile=${file}`];
    run("initdb", ["-D", data, "-U", "wield", ...guarded, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]);
    rmSync(file, { force: true });
  }
  const port = options.port ?? (await freePort());
  const settings = [
    ...["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "max_connections=200"],
    ...(options.durable ? [] : ["fsync=off", "full_page_writes=off"]),
  ];
  let server: ChildProcess | undefined;
  const start = async () => {
    // Its starter was killed, and it was not.
    if (existsSync(join(data, "postmaster.pid")))
      spawnSync(...as(user, join(bin, "pg_ctl"), ["-D", data, "-m", "fast", "-w", "stop"]), { cwd: folder });
    if (!(await isPortFree(port)))
      throw new Error(
        `Port ${port} is already in use. Choose another for Postgres${options.portOption ? ` with ${options.portOption}` : ""}.`,
      );
    const [command, args] = as(user, join(bin, "postgres"), [
      "-D",
      data,
      ...settings.flatMap((one) => ["-c", one]),
    ]);
    // Ctrl+C reaches everything that belongs to a terminal; the database ends after those who use it.
    const started = spawn(command, args, {
      ...{ cwd: folder, detached: true },
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = started;
    let said = "";
    started.stderr?.on("data", (text: Buffer) => {
      said = (said + text.toString()).slice(-4000);
    });
    const isReady = () => {
      const [ready, given] = as(user, join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)]);
      return spawnSync(ready, given).status === 0;
    };
    while (!isReady()) {
      if (hasEnded(started)) throw new Error(`Postgres did not start: ${said}`);
      await sleep(50);
    }
    started.once("exit", () => {
      if (server === started) options.onEnd?.();
    });
  };
  await start();
  return {
    url: `postgres://wield${password === undefined ? "" : `:${encodeURIComponent(password)}`}@127.0.0.1:${port}/postgres`,
    start,
    stop: async (how = "fast") => {
      const stopping = server;
      server = undefined;
      if (!stopping || hasEnded(stopping)) return;
      const ended = new Promise((resolve) => stopping.once("exit", resolve));
      stopping.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
      await ended;
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The user to run as where this process is root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout.trim());
  return { uid: idOf("-u") || 65_534, gid: idOf("-g") || 65_534 };
}

function as(
  user: { uid: number; gid: number } | undefined,
  program: string,
  args: string[],
): [string, string[]] {
  if (!user) return [program, args];
  return ["setpriv", [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", program, ...args]];
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
