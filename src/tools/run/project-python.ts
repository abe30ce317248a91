import { type ManagedPython, managedPythons, pythonOnPath } from "../../process/installed-toolchains.ts";
import type { Mount } from "../../sandbox/sandbox.ts";
import { isInRange, newestIn } from "../../text/version-range.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { ask, type Host } from "./host.ts";
import { inside, textOf, undefinedOnFailure, upward } from "./project-files.ts";

/** The Python of a run, as it is started inside. */
export interface ProjectPython {
  file: string;
  /** For PATH; undefined where it is among the system's own. */
  bin: string | undefined;
  mounts: readonly Mount[];
  /** `3.12`; undefined: whatever the system has. */
  minor: string | undefined;
  /** Said with the result, when it is not what the project asks for. */
  note: string | undefined;
}

/** The system's Python, which every run can see. */
export const systemPython: ProjectPython = {
  ...{ file: "/usr/bin/python3", bin: undefined, mounts: [], minor: undefined, note: undefined },
};

/**
 * Decides which Python runs the code of a project: the one that its virtual environment was made with, else the version that
 * the project asks for, where it is installed; else the person's own. Files of the workspace only choose among what is installed.
 */
export async function projectPython(
  workspace: Workspace,
  directory: string,
  host: Host,
): Promise<ProjectPython> {
  const managed = managedPythons(host.env);
  const venv = await textOf(workspace, ".venv/pyvenv.cfg");
  if (venv !== "") return madeWith(venv, managed);
  const own = await ownPython(managed, host);
  const wanted = await wantedPython(workspace, directory);
  if (!wanted) return own ? shown(own) : systemPython;
  const version = own?.version ?? (await systemVersion(host));
  if (version !== undefined && isInRange(version, wanted.version)) return own ? shown(own) : systemPython;
  const fitting = newestIn(managed, wanted.version);
  if (fitting) return shown(fitting);
  const note = `${wanted.from} asks for Python ${wanted.version}, which is not installed here: this ran with Python ${version ?? "of the system"}.`;
  return { ...(own ? shown(own) : systemPython), note };
}

/** The Python of the person's terminal where a version manager installed it; undefined: the system's is used. */
async function ownPython(managed: readonly ManagedPython[], host: Host): Promise<ManagedPython | undefined> {
  const found = pythonOnPath(host.env);
  if (!found || found.file.startsWith("/usr/")) return undefined;
  if (!found.isLauncher) return managed.find(({ file }) => file === found.file);
  const answer = await undefinedOnFailure(() =>
    ask(host, found.file, "-c", "import sys; print(sys.base_prefix)"),
  );
  return managed.find(({ prefix }) => prefix === answer?.[0]);
}

/** The interpreter of a virtual environment, or another one of its minor version: its packages fit no other. */
function madeWith(settings: string, managed: readonly ManagedPython[]): ProjectPython {
  const home = /^home\s*=\s*(.*?)\s*$/m.exec(settings)?.[1] ?? "";
  const minor = /^version(?:_info)?\s*=\s*(3\.\d+)/m.exec(settings)?.[1];
  if (home.startsWith("/usr/") || minor === undefined) return systemPython;
  const itself = managed.find(({ prefix }) => `${prefix}/bin` === home);
  const fitting = itself ?? newestIn(managed, minor);
  return fitting ? shown(fitting) : systemPython;
}

/** At the same place as outside: virtual environments and the programs of its packages name it by its path. */
function shown({ file, prefix, version }: ManagedPython): ProjectPython {
  return {
    file,
    bin: `${prefix}/bin`,
    mounts: [{ from: prefix, to: prefix }],
    minor: version.split(".").slice(0, 2).join("."),
    note: undefined,
  };
}

/** Files that name a version, in the order in which they are looked at in one directory. */
const sources: [name: string, read: (text: string) => string | undefined][] = [
  [".python-version", (text) => /^(?:cpython-?|python-?)?(3(?:\.\d+){0,2})\s*$/m.exec(text)?.[1]],
  ["mise.toml", (text) => /^\s*python\s*=\s*\[?\s*["'](3[\d.]*)["']/m.exec(text)?.[1]],
  [".mise.toml", (text) => /^\s*python\s*=\s*\[?\s*["'](3[\d.]*)["']/m.exec(text)?.[1]],
  [".tool-versions", (text) => /^python\s+(3[\d.]*)/m.exec(text)?.[1]],
];

async function wantedPython(
  workspace: Workspace,
  directory: string,
): Promise<{ version: string; from: string } | undefined> {
  for (const folder of upward(directory)) {
    for (const [name, read] of sources) {
      const from = inside(folder, name);
      const version = read(await textOf(workspace, from));
      if (version !== undefined) return { version, from };
    }
  }
  return undefined;
}

async function systemVersion({ run, env }: Host): Promise<string | undefined> {
  const asked = run({ file: systemPython.file, args: ["--version"], cwd: "/", env, timeoutMs: 10_000 });
  const text = await asked.then(
    ({ stdout }) => stdout.text,
    () => "",
  );
  return /^Python (3\.\d+\.\d+)/.exec(text)?.[1];
}
