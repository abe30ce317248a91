import { accessSync, constants, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { Failure } from "../failure/failure.ts";
import { shippedPrograms } from "./shipped-programs.ts";

/**
 * Every program that runs outside the sandbox is found here, by an absolute path. An agent may change the files of each workspace,
 * so nothing that lies in one counts, whatever PATH says: neither a program, nor a folder of PATH, nor a link on the way to them.
 */
const agentFolders = new Set<string>();
const fixed = new Map<string, string>();

/** From now on, for the whole process, no program in this folder is started outside the sandbox. */
export function keepProgramsOutOf(realFolder: string): void {
  if (agentFolders.has(realFolder)) return;
  agentFolders.add(realFolder);
  fixed.clear();
}

/**
 * The parts of a PATH in which programs are looked up: absolute ones (an empty or relative one means whatever folder a program is
 * started in), none that an agent may write to, none of npm's, which any install of a package fills, and none in which a link
 * into a workspace stands in for a program of another folder: what is started looks for others by their names.
 */
export function hostPath(path: string): string {
  let known = fixed.get(path);
  if (known === undefined) {
    const folders = path
      .split(":")
      .filter(
        (folder) => isAbsolute(folder) && !/\/node_modules(\/|$)/.test(folder) && !leadsToAgent(folder),
      );
    const isShadowed = (name: string) =>
      folders.some((folder) => isExecutable(join(folder, name)) && !leadsToAgent(join(folder, name)));
    known = folders.filter((folder) => !linksToAgent(folder).some(isShadowed)).join(":");
    fixed.set(path, known);
  }
  return known;
}

function linksToAgent(folder: string): string[] {
  if (agentFolders.size === 0) return [];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink() && leadsToAgent(join(folder, entry.name)))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Where a program is found outside every workspace; undefined when it is nowhere. A name with a `/` is a path. */
export function hostProgram(name: string, path: string): string | undefined {
  const candidates = name.includes("/")
    ? [resolve(name)]
    : hostPath(path)
        .split(":")
        .filter(Boolean)
        .map((folder) => join(folder, name));
  return candidates.find((file) => isExecutable(file) && !isInWorkspace(file));
}

/** The file itself, behind all links. What is started is not: some programs go by the name of the link. */
export function realHostProgram(name: string, path: string): string | undefined {
  const found = hostProgram(name, path);
  return found === undefined ? undefined : realpathSync(found);
}

/** The same for a program that is about to start: it throws what a person is told. */
export function requireHostProgram(name: string, path: string): string {
  // Why a file does not start, the system says best.
  const found = name.includes("/") ? resolve(name) : hostProgram(name, path);
  if (found !== undefined && isInWorkspace(found))
    throw new Failure(
      "PERMISSION_DENIED",
      `${name} lies in a workspace, where an agent can change it: it does not run outside the sandbox.`,
    );
  if (found !== undefined) return found;
  throw new Failure("UNAVAILABLE", `${name} was not found. Install it, or use another way.`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isInWorkspace(file: string): boolean {
  return !shippedPrograms.has(file) && leadsToAgent(file);
}

/** Whether any step on the way to a path lies in a workspace: a link there can be made to lead anywhere. */
function leadsToAgent(path: string): boolean {
  if (agentFolders.size === 0) return false;
  let at = "/";
  let links = 0;
  const names = path.split("/");
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === "" || name === ".") continue;
    at = name === ".." ? dirname(at) : join(at, name);
    if (isInAgentFolder(at)) return true;
    const target = linkTarget(at);
    if (target === undefined) continue;
    links += 1;
    if (links > 40) return true;
    names.unshift(...target.split("/"));
    at = isAbsolute(target) ? "/" : dirname(at);
  }
  return false;
}

function isInAgentFolder(place: string): boolean {
  return agentFolders.values().some((folder) => place === folder || place.startsWith(`${folder}/`));
}

function linkTarget(place: string): string | undefined {
  try {
    return lstatSync(place).isSymbolicLink() ? readlinkSync(place) : undefined;
  } catch {
    return undefined;
  }
}
