import { dirname } from "node:path";
import { type ManagedNode, managedNodes, nodeOnPath, npmBeside } from "../../process/installed-nodes.ts";
import type { Mount } from "../../sandbox/sandbox.ts";
import { isInRange, newestIn } from "../../text/version-range.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Host } from "./host.ts";
import { wantedNode } from "./wanted-node.ts";

/** The Node of a run, as it is started and found inside. */
export interface ProjectNode {
  /** Its path inside. */
  file: string;
  /** For PATH; undefined where it is among the system's own. */
  bin: string | undefined;
  mounts: readonly Mount[];
  /** Said with the result, when it is not what the project asks for. */
  note: string | undefined;
}

interface Candidate {
  version: string;
  file: string;
  prefix: string | undefined;
}

/**
 * Decides which Node runs the code of a project: the version that the project asks for, where it is installed; else the
 * person's own. Files of the workspace only choose among what is installed.
 */
export async function projectNode(workspace: Workspace, directory: string, host: Host): Promise<ProjectNode> {
  const managed = managedNodes(host.env);
  const own = await ownNode(managed, host);
  const wanted = await wantedNode(workspace, directory);
  if (!wanted) return shown(own, undefined);
  if (wanted.kind === "range" && isInRange(own.version, wanted.range)) return shown(own, undefined);
  const fitting = newestIn([own, ...managed, wields], wanted.range);
  if (fitting) return shown(fitting, undefined);
  const note = `${wanted.from} asks for Node ${wanted.range}, which is not installed here: this ran with Node ${own.version}.`;
  return shown(own, note);
}

/** The Node that Wield itself runs with. */
const wields: Candidate = { version: process.versions.node, file: process.execPath, prefix: undefined };

async function ownNode(managed: readonly ManagedNode[], host: Host): Promise<Candidate> {
  const found = nodeOnPath(host.env);
  if (!found) return wields;
  const known = managed.find(({ file }) => file === found.file);
  if (known) return known;
  // Asked away from the workspace, whose files could make a launcher choose another.
  const { stdout, exitCode } = await host.run({
    file: found.file,
    args: ["--version"],
    cwd: "/",
    env: host.env,
    timeoutMs: 10_000,
  });
  const version = /^v(\d+\.\d+\.\d+)/.exec(stdout.text)?.[1];
  if (exitCode !== 0 || version === undefined) return wields;
  if (found.isLauncher) return managed.find((one) => one.version === version) ?? wields;
  return { version, file: found.file, prefix: undefined };
}

const home = "/opt/node";

/** With npm and what was installed beside it, and no settings: those may hold credentials. */
function shown({ file, prefix }: Candidate, note: string | undefined): ProjectNode {
  // Everything there is visible anyway; the usual places are on every PATH.
  if (file.startsWith("/usr/")) {
    const bin = /^\/usr\/(?:local\/)?bin\//.test(file) ? undefined : dirname(file);
    return { file, bin, mounts: [], note };
  }
  const npm = npmBeside(file);
  const mounts = prefix
    ? ["bin", "lib", "include"].map((name) => ({ from: `${prefix}/${name}`, to: `${home}/${name}` }))
    : [
        { from: file, to: `${home}/bin/node` },
        ...(npm ? [{ from: npm, to: `${home}/lib/node_modules/npm` }] : []),
      ];
  return { file: `${home}/bin/node`, bin: `${home}/bin`, mounts, note };
}
