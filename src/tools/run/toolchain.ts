import { dirname } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { findProgram } from "../../process/find-program.ts";
import type { RunCommand } from "../../process/process.ts";
import type { Mount } from "../../sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { exists, namesIn } from "./project-files.ts";

/** A program as it is started inside, with what must be shown and set for it to run. */
export interface Tooling {
  command: readonly [string, ...string[]];
  mounts: readonly Mount[];
  env: Readonly<Record<string, string>>;
}

/** Where programs of the machine are found, and how they are asked about themselves. */
export interface Host {
  env: Readonly<Record<string, string>>;
  run: RunCommand;
}

const node: Mount = { from: process.execPath, to: "/opt/bin/node" };

/** Wield's own Node, for JavaScript of the workspace; `node` inside finds it too. */
export function nodeTooling(script: string): Tooling {
  return { command: [node.to, script], mounts: [node], env: {} };
}

/** npm is a script beside some Node; it runs with ours. */
export function npmTooling(host: Host): Tooling {
  const cli = locate("npm", host, "Install Node.js with npm.");
  const npm: Mount = { from: dirname(dirname(cli)), to: "/opt/npm" };
  return { command: [node.to, "/opt/npm/bin/npm-cli.js"], mounts: [node, npm], env: {} };
}

/** The only Python that the sandbox can see. */
export const python = "/usr/bin/python3";

/** Python with the packages that the workspace has for itself. */
export async function pythonTooling(workspace: Workspace): Promise<Tooling> {
  if (findProgram(python, "") === undefined) {
    throw new Failure(
      "UNAVAILABLE",
      `Python code needs ${python}, which is not installed. Install it, for example with: sudo apt-get install python3; or use bash.`,
    );
  }
  const packages = await sitePackages(workspace);
  return {
    command: [python],
    mounts: [],
    env: packages === undefined ? {} : { PYTHONPATH: `/ws/${packages}` },
  };
}

/** Where a virtual environment of the workspace keeps its packages. */
export async function sitePackages(workspace: Workspace): Promise<string | undefined> {
  for (const lib of await namesIn(workspace, ".venv/lib")) {
    const packages = `.venv/lib/${lib}/site-packages`;
    if (lib.startsWith("python3") && (await exists(workspace, packages))) return packages;
  }
  return undefined;
}

/** A program that needs nothing but itself. One that lies outside `/usr` is shown alone, never with its folder. */
export function programTooling(name: string, host: Host, advice: string): Tooling {
  const from = locate(name, host, advice);
  const to = `/opt/bin/${name}`;
  return from.startsWith("/usr/")
    ? { command: [from], mounts: [], env: {} }
    : { command: [to], mounts: [{ from, to }], env: {} };
}

/** Go, with the modules that were downloaded before. */
export async function goTooling(host: Host): Promise<Tooling> {
  locate("go", host, "Install Go with your package manager.");
  const [root = "", modules = ""] = await ask(host, "go", "env", "GOROOT", "GOMODCACHE");
  return {
    command: ["/opt/go/bin/go"],
    mounts: [
      { from: root, to: "/opt/go" },
      { from: modules, to: "/opt/modules" },
    ],
    env: { GOCACHE: "/tmp/go-cache", GOMODCACHE: "/opt/modules", GOPROXY: "off", GOTOOLCHAIN: "local" },
  };
}

/** Rust, with the crates that were downloaded before, and none of the user's credentials. */
export async function cargoTooling(host: Host): Promise<Tooling> {
  locate("cargo", host, "Install Rust from https://rustup.rs.");
  const [root = ""] = await ask(host, "rustc", "--print", "sysroot");
  const home = host.env["CARGO_HOME"] ?? `${host.env["HOME"]}/.cargo`;
  return {
    command: ["/opt/rust/bin/cargo"],
    mounts: [
      { from: root, to: "/opt/rust" },
      { from: `${home}/registry`, to: "/opt/cargo/registry" },
    ],
    env: {
      PATH: "/opt/rust/bin:/usr/local/bin:/usr/bin:/bin",
      CARGO_HOME: "/opt/cargo",
      CARGO_TARGET_DIR: "/tmp/target",
    },
  };
}

function locate(name: string, { env }: Host, advice: string): string {
  const found = findProgram(name, env["PATH"] ?? "");
  if (found === undefined) throw new Failure("UNAVAILABLE", `${name} is not installed. ${advice}`);
  return found;
}

/** Asked away from the workspace, whose files could tell it something else. */
async function ask({ env, run }: Host, file: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr, exitCode } = await run({ file, args, cwd: "/", env, timeoutMs: 10_000 });
  if (exitCode !== 0) throw new Failure("UNAVAILABLE", `${file} does not work here: ${stderr.text.trim()}`);
  return stdout.text.trim().split("\n");
}
