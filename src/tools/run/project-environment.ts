import { hostPath } from "../../process/host-programs.ts";
import { filesInside, workspaceInside } from "../../sandbox/confine.ts";
import type { Mount } from "../../sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Host } from "./host.ts";
import { inside, undefinedOnFailure, upward } from "./project-files.ts";
import { projectNode } from "./project-node.ts";
import { type ProjectPython, projectPython } from "./project-python.ts";
import { cargoTooling, goTooling, type Tooling } from "./toolchain.ts";

/** The environment of a run: the same as in the person's terminal, as far as it is visible inside. */
export interface ProjectEnvironment {
  /** The program, as it is found inside. */
  node: string;
  python: ProjectPython;
  mounts: readonly Mount[];
  env: Readonly<Record<string, string>>;
  /** Where it is not what the project asks for. */
  notes: readonly string[];
}

/** The one place that decides it, for tests and code alike. `directory` is the project's, below the workspace. */
export async function projectEnvironment(
  workspace: Workspace,
  directory: string,
  host: Host,
): Promise<ProjectEnvironment> {
  const node = await projectNode(workspace, directory, host);
  const python = await projectPython(workspace, directory, host);
  const toolchains = await toolchainsOf(host);
  const bins = [node.bin, python.bin, ...toolchains.map(({ bin }) => bin)].filter((bin) => bin !== undefined);
  return {
    node: node.file,
    python,
    mounts: [...node.mounts, ...python.mounts, ...toolchains.flatMap(({ mounts }) => mounts)],
    env: {
      ...passedOn(host.env),
      ...Object.assign({}, ...toolchains.map(({ env }) => env)),
      PATH: pathInside(bins, directory, host.env["PATH"] ?? ""),
    },
    notes: [node.note, python.note].filter((note) => note !== undefined),
  };
}

/** Language, time zone and colour are the person's. */
const asOutside =
  /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI)$/;

function passedOn(env: Host["env"]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => asOutside.test(name)));
}

/** What a run always finds, whatever the person's PATH holds. */
const ordinary = ["/usr/local/bin", "/usr/bin", "/bin"];
const visible = /^\/(?:usr|bin|sbin)(?:\/|$)/;

/**
 * The person's own order. Toolchains that lie elsewhere come first, as they do outside; the programs of the project's
 * packages come last: they are found, and stand in for none of the system's.
 */
function pathInside(bins: readonly string[], directory: string, path: string): string {
  const outside = hostPath(path).split(":");
  const packages = upward(directory).map(
    (folder) => `${workspaceInside}/${inside(folder, "node_modules/.bin")}`,
  );
  const all = [
    ...bins,
    ...outside.filter((folder) => visible.test(folder)),
    ...ordinary,
    filesInside,
    ...packages,
  ];
  return [...new Set(all)].join(":");
}

/** Found whatever the project holds: its first file may be one that they make. One that is not installed is left out: the command that needs it says so. */
async function toolchainsOf(host: Host): Promise<Tooling[]> {
  const found = await Promise.all(
    [goTooling, cargoTooling].map((tooling) => undefinedOnFailure(() => tooling(host))),
  );
  return found.filter((one) => one !== undefined);
}

/** What a job needs for a tool in an environment; the tool's own word counts. */
export function jobParts(
  { mounts, env }: ProjectEnvironment,
  tooling: Tooling,
): { mounts: readonly Mount[]; env: Readonly<Record<string, string>> } {
  const others = mounts.filter(({ to }) => !tooling.mounts.some((own) => own.to === to));
  return { mounts: [...others, ...tooling.mounts], env: { ...env, ...tooling.env } };
}
