import { basename, join, resolve } from "node:path";
import type { Decision } from "../approval/decide.ts";
import { isSecretPath } from "../approval/secrets.ts";
import { Failure } from "../failure/failure.ts";
import type { ConfinedProgram, ConfinedRun } from "../mcp/connection-parts.ts";
import { scopeWorkspace } from "../runtime/scoped-workspace.ts";
import { serverPolicy } from "../sandbox/policy.ts";
import type { Mount } from "../sandbox/sandbox.ts";
import { sha256 } from "../text/digest.ts";
import type { Execution } from "../tools/run/execution.ts";
import { locate } from "../tools/run/host.ts";
import { npmTooling, wieldsNode } from "../tools/run/toolchain.ts";
import { ensureDirectory } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { toolchainVariables, variablesOf } from "./environment.ts";
import { packagedProgram, type StartedProgram, withServerPackages } from "./server-packages.ts";

/** Packages are fetched beforehand; afterwards a registry is only a place to send things to. */
const registryHosts: ReadonlySet<string> = new Set([
  "registry.npmjs.org",
  "pypi.org",
  "files.pythonhosted.org",
]);

export interface ConfinedServerParts {
  workspace: Workspace;
  env: Readonly<Record<string, string | undefined>>;
  stateDir: string;
  execution(): Promise<Pick<Execution, "sandbox" | "registry" | "packages">>;
  /** What the rules say about reading a path. */
  rules(path: string): Decision;
}

/**
 * Starts programs of MCP servers in the sandbox. A server writes only to its own folder, reads the folders it declares
 * (at their own paths, without files that rules deny or that hold secrets) and reaches the hosts it declares.
 */
export function confinedServers(parts: ConfinedServerParts): (program: ConfinedProgram) => ConfinedRun {
  return (program) => {
    const early: string[] = [];
    let write: ConfinedRun["write"] = (bytes) => void early.push(bytes);
    const start = async () => {
      const { root } = parts.workspace;
      const { folders, hosts } = program.confinement;
      const mounts = await Promise.all(folders.map((folder) => mountOf(resolve(root, folder), parts)));
      const own = join(parts.stateDir, "mcp", sha256(root).slice(0, 16), program.name);
      ensureDirectory(own);
      const cwd = mounts.some(({ to }) => to === root) ? root : "/ws";
      const run = async ({ command, mounts: toolchain, env }: StartedProgram, reach: readonly string[]) =>
        (await parts.execution()).sandbox().run(
          {
            workspace: own,
            command: ["/bin/bash", "-c", 'cd "$1" && shift && exec "$@"', "server", cwd, ...command],
            env: { HOME: "/ws", ...env, ...program.env },
            mounts: [...toolchain, ...mounts],
            signal: program.signal,
            onStdout: (chunk) => {
              program.onStdout(chunk);
              return undefined;
            },
            onStderr: program.onStderr,
            onInput: (to) => {
              write = to;
              for (const bytes of early.splice(0)) to(bytes);
            },
          },
          serverPolicy(reach),
        );
      const packaged = packagedProgram(program.command, program.args);
      if (!packaged) {
        const { command, mounts: toolchain } = startOf(program, parts);
        await run({ command: [...command, ...program.args], mounts: toolchain, env: {} }, hosts);
        return;
      }
      const host = { env: variablesOf(parts.env, toolchainVariables), run: neverRun };
      await withServerPackages(
        packaged,
        { ...(await parts.execution()), host, signal: program.signal },
        (started) =>
          run(
            { ...started, command: [...started.command, ...packaged.args] },
            hosts.filter((name) => !registryHosts.has(name)),
          ),
      );
    };
    return { write: (bytes) => write(bytes), ended: start() };
  };
}

async function mountOf(folder: string, { workspace, rules }: ConfinedServerParts): Promise<Mount> {
  const { root } = workspace;
  if (folder === root) {
    const judge = (path: string) => (isSecretPath(path) || rules(path) === "deny" ? "deny" : "allow");
    const reading = { rules: judge, wasAsked: false } as const;
    const hidden = await scopeWorkspace(workspace, new AbortController().signal, reading).hiddenPaths();
    return { from: root, to: root, hidden };
  }
  // A part of the workspace, or what lies around it, would show what is hidden in it.
  if (folder.startsWith(`${root}/`) || root.startsWith(folder === "/" ? "/" : `${folder}/`))
    throw new Failure(
      "INVALID_INPUT",
      `A server in the sandbox can be shown the whole workspace (.) or folders outside of it, not ${folder}.`,
    );
  return { from: folder, to: folder };
}

/** The program as it is found inside. Node and npm are Wield's own; what lies outside of /usr is shown alone. */
function startOf(
  { command }: ConfinedProgram,
  { env, workspace }: ConfinedServerParts,
): { command: string[]; mounts: readonly Mount[] } {
  const host = { env: variablesOf(env, toolchainVariables), run: neverRun };
  if (command === "node" || command === process.execPath) {
    const { command: start, mounts } = wieldsNode("");
    return { command: [start[0]], mounts };
  }
  if (command === "npm" || command === "npx") {
    const { command: start, mounts } = npmTooling(host);
    return { command: [start[0], `/opt/npm/bin/${command}-cli.js`], mounts };
  }
  const path = command.includes("/") ? resolve(workspace.root, command) : command;
  // A program of the workspace is seen with it, at its own place.
  if (path.startsWith(`${workspace.root}/`)) return { command: [path], mounts: [] };
  const from = locate(path, host, "Install it first.");
  const to = `/opt/bin/${basename(path)}`;
  return from.startsWith("/usr/")
    ? { command: [from], mounts: [] }
    : { command: [to], mounts: [{ from, to }] };
}

const neverRun = () => {
  throw new Failure("UNAVAILABLE", "Nothing is run to find a program.");
};
