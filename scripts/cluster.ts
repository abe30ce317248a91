// `npm run cluster [git-url-or-folder]`: a team's Wield on one machine: Postgres, two workers and the page. Everything is kept in one
// folder and found again at the next start. Ctrl+C stops it all.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { basename, join, resolve } from "node:path";
import { localPostgres } from "./local-postgres.ts";

const home = resolve(import.meta.dirname, "..");
const wield = join(home, "bin", "wield");
// Postgres does not run as root, and the user that it runs as may not look into root's home.
const usual = process.getuid?.() === 0 ? "/var/lib" : join(homedir(), ".local", "share");
const folder = process.env["WIELD_CLUSTER_FOLDER"] ?? join(usual, "wield-cluster");
const databasePort = Number(process.env["WIELD_CLUSTER_DATABASE_PORT"] ?? 5544);
const port = Number(process.env["WIELD_CLUSTER_PORT"] ?? 8080);

mkdirSync(folder, { recursive: true });
const password = kept("database-password", () => randomBytes(24).toString("base64url"));
const secretKey = kept("secret-key", () => randomBytes(32).toString("base64"));
const postgres = await localPostgres(join(folder, "postgres"), {
  port: databasePort,
  durable: true,
  password,
});
const env = {
  ...process.env,
  WIELD_DATABASE: postgres.url,
  WIELD_SECRET_KEY: secretKey,
};
const settingsFile = join(folder, "worker-settings.sh");
writeFileSync(settingsFile, `export WIELD_DATABASE='${postgres.url}' WIELD_SECRET_KEY='${secretKey}'\n`, {
  mode: 0o600,
});
const command = (...args: string[]) => execFileSync(wield, args, { env, encoding: "utf8" }).trim();
const processes: ChildProcess[] = [];
let stopping = false;
try {
  console.log(command("migrate"));
  const token = kept("token", () =>
    command("users", "add", process.env["USER"] || "admin", "--role", "admin"),
  );
  const repository = repositoryFrom(process.argv[2]);
  if (repository) {
    const name =
      basename(repository)
        .replace(/\.git$/, "")
        .replace(/[^\w.-]/g, "-") || "project";
    const ref = existsSync(repository) ? git(repository, "symbolic-ref", "--short", "HEAD") : "main";
    console.log(command("projects", "add", name, repository, "--ref", ref));
  }
  start("web", ["serve", "--role", "web", "--port", String(port)]);
  for (const name of ["one", "two"])
    start(`worker ${name}`, ["serve", "--role", "worker"], {
      WIELD_WORKER_FOLDER: join(folder, `worker-${name}`),
    });
  console.log(
    [
      "",
      `Open http://127.0.0.1:${port}/#token=${token}`,
      ...(repository ? [] : ["There is no project yet: add one on the page, under Team, Projects."]),
      "",
      `Database, keys and workers' files are in ${folder}. Ctrl+C stops everything; the next start continues with them.`,
      `To start afresh, stop it and remove that folder: rm -r ${folder}`,
      "",
      `The next machine needs Wield, git, a way to this database and a copy of ${settingsFile}, which holds`,
      "the password of the database and the secret key. For a first try, over SSH:",
      `  ssh -N -L ${databasePort}:127.0.0.1:${databasePort} ${hostname()} &`,
      `  scp ${hostname()}:${settingsFile} . && . ./${basename(settingsFile)}`,
      "  wield serve --role worker",
      "Projects must have an address that every machine reaches (Team, Projects). More: docs/several-machines.md",
      "",
    ].join("\n"),
  );
  await new Promise<void>((stopped) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopped());
  });
} finally {
  stopping = true;
  const ended = processes.map((child) =>
    child.exitCode === null ? new Promise((resolve) => child.once("exit", resolve)) : undefined,
  );
  for (const child of processes) child.kill("SIGTERM");
  await Promise.all(ended);
  await postgres.stop();
}

/** A process that ends by itself is started again. What it prints for people is said above; its log is shown. */
function start(name: string, args: string[], more: Record<string, string> = {}): void {
  const child = spawn(wield, args, { env: { ...env, ...more }, stdio: ["ignore", "ignore", "inherit"] });
  processes.push(child);
  child.once("exit", (code) => {
    processes.splice(processes.indexOf(child), 1);
    if (stopping) return;
    console.error(`${name} ended (${code}) and is started again.`);
    setTimeout(() => {
      if (!stopping) start(name, args, more);
    }, 1000);
  });
}

/** A secret of this folder, made once. */
function kept(name: string, make: () => string): string {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

/** What was named, or the repository of the folder that the command was given in. */
function repositoryFrom(given: string | undefined): string | undefined {
  const cwd = process.env["INIT_CWD"] ?? process.cwd();
  if (given !== undefined) return existsSync(resolve(cwd, given)) ? resolve(cwd, given) : given;
  try {
    return git(cwd, "rev-parse", "--show-toplevel");
  } catch {
    return undefined;
  }
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}
