// `npm run cluster`: a team's Wield on one machine: Postgres, two workers and the page. Everything is kept in one folder and
// found again at the next start. Ctrl+C stops it all.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Lock } from "../src/workspace/lock.ts";
import { type ClusterOptions, clusterOptions, usage } from "./cluster-options.ts";
import { isPortFree, type LocalPostgres, localPostgres } from "./local-postgres.ts";

const wield = resolve(import.meta.dirname, "..", "bin", "wield");
const told = Promise.withResolvers<void>();
const processes = new Set<ChildProcess>();
let stopping = false;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = clusterOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(usage);
    return;
  }
  // Closing the terminal stops it all, too.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(signal, () => {
      stopping = true;
      told.resolve();
    });
  mkdirSync(options.folder, { recursive: true });
  // In a folder of its own, which becomes private: Postgres may run as another user.
  const lock = new Lock(join(options.folder, "running", "lock"), "running a team's Wield");
  let isAlone = false;
  await lock.holdIfFree(async () => {
    isAlone = true;
    await run(options);
  });
  lock.close();
  if (!isAlone)
    throw new Error(
      `It is already running with ${options.folder}. Stop that one first, or name another folder with --folder.`,
    );
}

async function run({ folder, port, databasePort, project }: ClusterOptions): Promise<void> {
  if (!(await isPortFree(port)))
    throw new Error(`Port ${port} is already in use. Choose another for the page with --port.`);
  const kept = (name: string, make: () => string) => keptIn(join(folder, name), make);
  const password = kept("database-password", () => randomBytes(24).toString("base64url"));
  const secretKey = kept("secret-key", () => randomBytes(32).toString("base64"));
  const postgres: LocalPostgres = await localPostgres(join(folder, "postgres"), {
    ...{ port: databasePort, portOption: "--database-port", durable: true, password },
    onEnd: () => void startAgain("Postgres", () => postgres.start()),
  });
  const own = { WIELD_DATABASE: postgres.url, WIELD_SECRET_KEY: secretKey };
  const env = { ...process.env, ...own };
  const settingsFile = join(folder, "worker-settings.sh");
  writeFileSync(settingsFile, settingsText({ ...modelSettings(env), ...own }), { mode: 0o600 });
  try {
    console.log(command(env, "migrate"));
    const token = kept("token", () => tokenOfAdmin(env));
    const isThere = (name: string) => firstWords(command(env, "projects", "list")).includes(name);
    // Its settings may have been changed since it was added.
    if (project && !isThere(project.name))
      console.log(command(env, "projects", "add", project.name, project.url, "--ref", project.ref));
    await start("web", env, ["serve", "--role", "web", "--port", String(port)]);
    for (const name of ["one", "two"])
      await start(`worker ${name}`, { ...env, WIELD_WORKER_FOLDER: join(folder, `worker-${name}`) }, [
        ...["serve", "--role", "worker"],
      ]);
    const hasProject = firstWords(command(env, "projects", "list"))[0] !== "None";
    console.log(
      [
        "",
        `Open http://127.0.0.1:${port}/#token=${token}`,
        ...(hasProject
          ? []
          : [
              "There is no project yet: add one on the page, under Team, Projects, or name a repository:",
              "  npm run cluster -- FOLDER-OR-GIT-ADDRESS",
            ]),
        "",
        `Database, keys and workers' files are in ${folder}. Ctrl+C stops everything; the next start continues with them.`,
        `To start afresh, stop it and remove that folder: rm -r ${folder}`,
        "",
        `The next machine needs Wield, git, a way to this database and a copy of ${settingsFile}, which holds`,
        "the password of the database, the secret key and the settings of the model. For a first try, over SSH:",
        `  ssh -N -L ${databasePort}:127.0.0.1:${databasePort} ${hostname()} &`,
        `  scp ${hostname()}:${settingsFile} . && . ./${basename(settingsFile)}`,
        "  wield serve --role worker",
        "Projects must have an address that every machine reaches (Team, Projects). More: docs/several-machines.md",
        "",
      ].join("\n"),
    );
    await told.promise;
  } finally {
    stopping = true;
    if (processes.size > 0) console.log("Stopping. Calls that run have up to 90 seconds to finish.");
    const ended = [...processes].map((child) => once(child, "exit"));
    for (const child of processes) child.kill("SIGTERM");
    await Promise.all(ended);
    await postgres.stop();
  }
}

/** Returns when the process says that it runs; from then on it is started again when it ends. Its log is shown. */
async function start(name: string, env: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  const child = spawn(wield, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  processes.add(child);
  const ended = once(child, "exit").finally(() => processes.delete(child));
  const isRunning = await Promise.race([
    once(child.stdout, "data").then(() => true),
    ended.then(() => false),
  ]);
  if (!isRunning) throw new Error(`${name} did not start.`);
  child.stdout.resume();
  void ended.then(() => startAgain(name, () => start(name, env, args)));
}

async function startAgain(name: string, begin: () => Promise<void>): Promise<void> {
  // Ctrl+C ends all of them at once: the end of one may be noticed first.
  await sleep(1000);
  if (stopping) return;
  console.error(`${name} ended and is started again.`);
  await begin().catch(async (error: Error) => {
    console.error(error.message);
    await startAgain(name, begin);
  });
}

/** What a command of Wield prints. */
function command(env: NodeJS.ProcessEnv, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(wield, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr.trim());
  return stdout.trim();
}

function tokenOfAdmin(env: NodeJS.ProcessEnv): string {
  const name = (process.env["USER"] ?? "").replace(/[^\w.-]/g, "") || "admin";
  const isThere = firstWords(command(env, "users", "list")).includes(name);
  return isThere
    ? command(env, "users", "token", name)
    : command(env, "users", "add", name, "--role", "admin");
}

/** What decides which model is used: all workers must have the same. Keys are saved on the page. */
function modelSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const isOfModel = (name: string) => name === "WIELD_MODEL" || /^[A-Z_]+_BASE_URL$/.test(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value && isOfModel(name) ? [[name, value]] : [])),
  );
}

/** For a shell. */
function settingsText(settings: Record<string, string>): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return `export ${Object.entries(settings)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(" ")}\n`;
}

function firstWords(table: string): string[] {
  return table.split("\n").map((line) => line.trim().split(/\s/)[0] ?? "");
}

/** A secret, made once. */
function keptIn(file: string, make: () => string): string {
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600 });
  return readFileSync(file, "utf8");
}
