import { dirname } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { realHostProgram } from "../../process/host-programs.ts";
import type { Mount } from "../../sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { ask, type Host, locate } from "./host.ts";
import { exists, namesIn } from "./project-files.ts";
import { type ProjectPython, systemPython } from "./project-python.ts";

/** A program as it is started inside, with what must be shown and set for it to run. */
export interface Tooling {
  command: readonly [string, ...string[]];
  mounts: readonly Mount[];
  env: Readonly<Record<string, string>>;
  /** Goes to the front of PATH. */
  bin?: string;
}

const node: Mount = { from: process.execPath, to: "/opt/bin/node" };

/** Wield's own Node, for scripts that Wield itself wants run; `node` inside finds it too. */
export function wieldsNode(script: string): Tooling {
  return { command: [node.to, script], mounts: [node], env: {} };
}

/** npm is a script beside some Node; it runs with ours. */
export function npmTooling(host: Host): Tooling {
  const cli = locate("npm", host, "Install Node.js with npm.");
  const npm: Mount = { from: dirname(dirname(cli)), to: "/opt/npm" };
  return { command: [node.to, "/opt/npm/bin/npm-cli.js"], mounts: [node, npm], env: {} };
}

/** Python with the packages that the workspace has for itself. */
export async function pythonTooling(
  workspace: Workspace,
  { file, mounts, minor }: ProjectPython = systemPython,
): Promise<Tooling> {
  if (realHostProgram(file, "") === undefined) {
    throw new Failure(
      "UNAVAILABLE",
      `Python code needs ${file}, which is not installed. Install it, for example with: sudo apt-get install python3; or use bash.`,
    );
  }
  const packages = await sitePackages(workspace, minor);
  return {
    command: [file],
    mounts,
    env: packages === undefined ? {} : { PYTHONPATH: `/ws/${packages}` },
  };
}

/** Where a virtual environment of the workspace keeps its packages: those of this version, where there are several. */
export async function sitePackages(workspace: Workspace, minor?: string): Promise<string | undefined> {
  const names = (await namesIn(workspace, ".venv/lib")).filter((name) => name.startsWith("python3"));
  const inOrder = [...names.filter((name) => name === `python${minor}`), ...names];
  for (const lib of inOrder) {
    const packages = `.venv/lib/${lib}/site-packages`;
    if (await exists(workspace, packages)) return packages;
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

/** A script of the workspace, by the Node of its project. */
export function scriptTooling(script: string, { node: file }: { node: string }): Tooling {
  return { command: [file, script], mounts: [], env: {} };
}

/** Queried once per machine: a toolchain takes a moment to report its location. */
function askedOnce(find: (host: Host) => Promise<Tooling>): (host: Host) => Promise<Tooling> {
  const known = new WeakMap<Host["env"], Promise<Tooling>>();
  return (host) => {
    const found = known.get(host.env) ?? find(host);
    known.set(host.env, found);
    found.catch(() => known.delete(host.env));
    return found;
  };
}

/** Go, with the modules that were downloaded before. */
export const goTooling = askedOnce(async (host) => {
  locate("go", host, "Install Go with your package manager.");
  const [root = "", modules = ""] = await ask(host, "go", "env", "GOROOT", "GOMODCACHE");
  return {
    command: ["/opt/go/bin/go"],
    mounts: [
      { from: root, to: "/opt/go" },
      { from: modules, to: "/opt/modules" },
    ],
    env: { GOCACHE: "/tmp/go-cache", GOMODCACHE: "/opt/modules", GOPROXY: "off", GOTOOLCHAIN: "local" },
    bin: "/opt/go/bin",
  };
});

/** Rust, with the crates that were downloaded before, and none of the user's credentials. */
export const cargoTooling = askedOnce(async (host) => {
  locate("cargo", host, "Install Rust from https://rustup.rs.");
  const [root = ""] = await ask(host, "rustc", "--print", "sysroot");
  const home = host.env["CARGO_HOME"] ?? `${host.env["HOME"]}/.cargo`;
  return {
    command: ["/opt/rust/bin/cargo"],
    mounts: [
      { from: root, to: "/opt/rust" },
      { from: `${home}/registry`, to: "/opt/cargo/registry" },
      { from: `${home}/git`, to: "/opt/cargo/git" },
    ],
    env: { CARGO_HOME: "/opt/cargo", CARGO_TARGET_DIR: "/tmp/target" },
    bin: "/opt/rust/bin",
  };
});
