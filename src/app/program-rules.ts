import { isAbsolute, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { escapeGlob } from "../approval/path-pattern.ts";
import type { Rule } from "../approval/rules.ts";
import { keepProgramsOutOf } from "../process/host-programs.ts";
import { isInterpreter } from "../workspace/loaded-code.ts";
import { shipped } from "../workspace/shipped.ts";
import { fileState, isThere, namesIn, readOrdinary, realPlace } from "../workspace/state-files.ts";
import type { Places } from "./places.ts";
import type { Settings } from "./settings.ts";

/** No program outside the sandbox comes from a folder in which agents work or have worked. */
export function keepProgramsOutOfWorkspaces(root: string, { home, stateDir, worktreesDir }: Places): void {
  keepProgramsOutOf(root);
  keepProgramsOutOf(realPlace(worktreesDir));
  const journals = `${stateDir}/journals`;
  for (const name of isThere(journals) ? namesIn(journals) : []) {
    const folder = decoded(name);
    // A person's own programs are below the home folder: it counts only while it is the workspace.
    if (folder !== undefined && !isBelow(realPlace(home), folder)) keepProgramsOutOf(folder);
  }
}

/** Changing what runs outside the sandbox by itself asks, whatever the mode: programs by their places … */
export function rulesForPlaces(root: string, path: string): Rule[] {
  return [
    ...asking(foldersOfPath(root, path), "your PATH holds this folder, so its programs run by their names"),
    ...asking(ownFiles(root), "Wield itself runs from here"),
  ];
}

/** … by what the repository says where git's hooks are, and what they lead to: git runs them at the person's next commit … */
export function gitHookRules(root: string): () => Rule[] {
  let known: { state: string; rules: Rule[] } | undefined;
  const config = `${root}/.git/config`;
  const hooks = `${root}/.git/hooks`;
  return () => {
    const state = `${fileState(config)} ${fileState(hooks)}`;
    if (known?.state === state) return known.rules;
    const text = readOrdinary(config, 1_000_000)?.toString() ?? "";
    const named = [...text.matchAll(/^\s*hookspath\s*=\s*"?(.*?)"?\s*$/gim)].flatMap(([, path = ""]) =>
      below(root, resolve(root, path)).map((folder) => `${escapeGlob(folder)}/**`),
    );
    const led = (isThere(hooks) ? namesIn(hooks) : []).flatMap((name) => {
      const target = realOrItself(`${hooks}/${name}`);
      return below(root, target)
        .filter((path) => !path.startsWith(".git/"))
        .map(escapeGlob);
    });
    const reason = "git runs it as a hook, at the next commit or push";
    known = { state, rules: [...named, ...led].map((path) => ({ decision: "ask", path, reason })) };
    return known.rules;
  };
}

function below(root: string, place: string): string[] {
  const path = relative(root, place);
  return path === "" || path.startsWith("..") || isAbsolute(path) ? [] : [path];
}

/** … and by the settings that name them. */
export function rulesForCommands(root: string, settings: readonly Pick<Settings, "hooks" | "mcp">[]): Rule[] {
  const hooks = settings.flatMap(({ hooks: { beforeCall, afterCall, endOfRun } }) =>
    [...beforeCall, ...afterCall, ...endOfRun].map(({ command }) => command),
  );
  const servers = settings.flatMap(({ mcp }) =>
    Object.values(mcp).flatMap((server) =>
      "command" in server && server.sandbox === false ? [[server.command, ...server.args]] : [],
    ),
  );
  return [
    // What checks an agent must not be the agent's to change; the files that a hook only works on are.
    ...asking(pathsIn(hooks.flatMap(scriptsIn), root), "a hook runs this file"),
    ...serverFolders(servers, root).map((path): Rule => ({ decision: "ask", path, reason: serverReason })),
  ];
}

const serverReason =
  'an MCP server runs code of this folder outside the sandbox ("sandbox": true in its settings ends that)';
/** Programs that run a package by its name; only a script among their arguments is a file of the workspace. */
const packageRunners = /^(npx|bunx|uvx|pipx|docker|podman)$/;
const scriptRunners = /^(npm|pnpm|yarn|bun|deno|uv|poetry|make|just|task|cargo|go|mvn|gradle|tsx|ts-node)$/;
const script = /\.([cm]?[jt]sx?|py|rb|php|pl|lua|sh|exe|jar)$/;

/** As patterns: a server loads what lies beside its script, so the whole folder of it counts. */
function serverFolders(servers: readonly (readonly string[])[], root: string): string[] {
  const found = servers.flatMap(([program = "", ...args]) => {
    const name = posix.basename(program);
    if (scriptRunners.test(name)) return ["main"];
    const scripts = args.filter((word) => script.test(word));
    if (packageRunners.test(name)) return scripts;
    const own = program.includes("/") ? [program] : [];
    return [
      ...own,
      ...scripts,
      ...(isInterpreter(name) ? args.filter((word) => !word.startsWith("-")).slice(0, 1) : []),
    ];
  });
  const folders = found
    .map((word) => posix.normalize(word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word))
    .filter((word) => !word.startsWith("..") && !word.startsWith("/"))
    .map((word) => posix.dirname(word));
  return [...new Set(folders)].map((folder) => (folder === "." ? "**" : `${escapeGlob(folder)}/**`));
}

/** Also with the ending that an interpreter adds. */
function asking(paths: readonly string[], reason: string): Rule[] {
  return [...new Set(paths)]
    .flatMap((path) => [escapeGlob(path), ...(script.test(path) ? [] : [`${escapeGlob(path)}.*`])])
    .map((path) => ({ decision: "ask", path, reason }));
}

/** Words of command lines that can be files of the workspace. */
function pathsIn(words: readonly string[], root: string): string[] {
  return words
    .map((word) => posix.normalize(word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word))
    .filter((word) => !word.startsWith("..") && !word.startsWith("/") && word !== ".");
}

/** The programs and scripts that a command line starts by their path; not the files that it works on. */
function scriptsIn(command: string): string[] {
  return command.split(/[;&|\n(){}]+/).flatMap((part) => {
    const words = part
      .replaceAll(/["']/g, "")
      .split(/\s+/)
      .filter((word) => word !== "" && !word.startsWith("-") && !/^\w+=/.test(word));
    const at = words.findIndex((word) => !isInterpreter(word) && !/^(if|then|else|do|while|!)$/.test(word));
    const word = words[at] ?? "";
    return word.includes("/") || (at > 0 && isInterpreter(words[at - 1] ?? "")) ? [word] : [];
  });
}

function foldersOfPath(root: string, path: string): string[] {
  return path
    .split(":")
    .filter(isAbsolute)
    .flatMap((folder) => [relative(root, folder), relative(root, realOrItself(folder))])
    .filter((folder) => folder !== "" && !folder.startsWith(".."));
}

/** Where Wield is installed below the workspace: as a package of it, or as its own checkout. */
function ownFiles(root: string): string[] {
  const home = realPlace(fileURLToPath(shipped("..", "..")));
  if (!isBelow(home, root)) return [];
  const packages = /^(.*\/node_modules)\//.exec(home)?.[1];
  const own =
    packages === undefined
      ? ["bin", "dist", "src", "node_modules"].map((name) => `${home}/${name}`)
      : [home, ...namesIn(packages).flatMap((name) => loaded(name).map((each) => `${packages}/${each}`))];
  return own.map((place) => relative(root, place)).filter((place) => place !== "" && !place.startsWith(".."));
}

/** What Wield loads from beside itself. */
function loaded(name: string): string[] {
  if (name === "@vscode" || name === "@ai-sdk") return [name];
  return ["ai", "zod", "playwright-core", ".pnpm"].includes(name) ? [name] : [];
}

/** A folder that this user may not look into leads nowhere for them. */
function realOrItself(folder: string): string {
  try {
    return realPlace(folder);
  } catch {
    return folder;
  }
}

function isBelow(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** Of the name of a journal's folder; undefined where it was too long to be kept whole. */
function decoded(name: string): string | undefined {
  if (name.length > 200) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
