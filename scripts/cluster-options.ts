// What `npm run cluster` is told.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";

export interface ClusterOptions {
  folder: string;
  port: number;
  databasePort: number;
  /** The repository that sessions shall work on. */
  project: { name: string; url: string; ref: string } | undefined;
}

// Postgres does not run as root, and the user that it runs as may not look into root's home.
const usualPlace = process.getuid?.() === 0 ? "/var/lib" : join(homedir(), ".local", "share");
const usualFolder = join(usualPlace, "wield-cluster");

export const usage = `npm run cluster -- [options] [PROJECT]

A team's Wield on one machine: Postgres, two workers and the page. Ctrl+C stops it; the next start continues with the same data.

  PROJECT             a folder with a git repository, or a git address: added as a project if there is none of that name
  --port N            the port of the page (default 8080)
  --database-port N   the port of Postgres (default 5544)
  --folder DIR        where everything is kept (default ${usualFolder})
  --help              show this`;

const seeHelp = "See: npm run cluster -- --help";

/** Undefined: help is wanted. */
export function clusterOptions(args: string[]): ClusterOptions | undefined {
  const options = {
    port: { type: "string", default: "8080" },
    "database-port": { type: "string", default: "5544" },
    folder: { type: "string", default: usualFolder },
    help: { type: "boolean", short: "h" },
  } as const;
  const { values, positionals } = parsed();
  if (values.help) return undefined;
  if (positionals.length > 1) throw new Error(`Name one project. ${seeHelp}`);
  function parsed() {
    try {
      return parseArgs({ args, options, allowPositionals: true });
    } catch (error) {
      throw new Error(`${(error as Error).message.split(". ")[0]}. ${seeHelp}`);
    }
  }
  const from = process.env["INIT_CWD"] ?? process.cwd();
  return {
    folder: resolve(from, values.folder),
    port: portIn("--port", values.port),
    databasePort: portIn("--database-port", values["database-port"]),
    project: positionals[0] === undefined ? undefined : projectAt(positionals[0], from),
  };
}

function portIn(option: string, given: string): number {
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port >= 1 && port <= 65_535) return port;
  throw new Error(`${option} takes a number from 1 to 65535.`);
}

function projectAt(given: string, from: string): NonNullable<ClusterOptions["project"]> {
  const folder = resolve(from, given);
  if (existsSync(folder)) return projectIn(folder);
  if (!/^[\w+.-]+:\/\/|^[\w.-]+@[\w.-]+:/.test(given))
    throw new Error(
      `There is no folder ${given}, and it is not a git address such as git@example.org:team/app.git.`,
    );
  return { name: nameFrom(given), url: given, ref: "main" };
}

function projectIn(folder: string): NonNullable<ClusterOptions["project"]> {
  const url = git(folder, "rev-parse", "--show-toplevel") ?? git(folder, "rev-parse", "--absolute-git-dir");
  if (url === undefined) throw new Error(`${folder} is not in a git repository.`);
  const ref = git(folder, "symbolic-ref", "--short", "HEAD");
  if (ref === undefined || git(folder, "rev-parse", "--verify", "HEAD") === undefined)
    throw new Error(
      `${url} has no branch with a commit checked out, so sessions have nothing to begin with.`,
    );
  return { name: nameFrom(url), url, ref };
}

function nameFrom(url: string): string {
  const name = basename(url)
    .replace(/\.git$/, "")
    .replace(/[^\w.-]/g, "-");
  return name || "project";
}

/** What git prints; undefined if it fails. */
function git(cwd: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
