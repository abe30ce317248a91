import { isAbsolute, join, relative, resolve } from "node:path";
import { Failure } from "../../failure/failure.ts";
import type { ToolContext } from "../../tool/tool.ts";

/**
 * Settings of a repository that make git run a program, look outside, or change how and through whom a remote is reached: a
 * file of cookies is sent and written wherever it lies. A repository's own files are as hostile as any other, and a name in the
 * middle of a setting may hold any character. `protocol.*` needs no place here: GIT_ALLOW_PROTOCOL goes before it.
 */
const risky =
  /^(core\.(fsmonitor|sshcommand|gitproxy|editor|askpass|worktree|alternaterefscommand)|include(if\..*)?\.path|diff\.external|diff\..*\.(textconv|command)|filter\..*\.(clean|smudge|process)|merge\..*\.driver|credential(\..*)?\.helper|gpg(\..*)?\.(program|defaultkeycommand)|gc\.recentobjectshook|http\..*|remote\..*\.(uploadpack|receivepack|vcs|proxy|proxyauthmethod)|lfs\.(customtransfer\..*|extension\..*|standalonetransferagent)|uploadpack\..*hook|sequence\.editor|trailer\..*\.(command|cmd))$/is;

/** Settings that name files which git reads, every value of them: it would repeat lines of any file in its error messages. */
const namesFile = /^(core\.(attributesfile|excludesfile)|((fetch|receive)\.)?fsck\.skiplist)$/i;

/** Of the risky ones, what no git tool makes git use. */
const unused = /^(core\.(fsmonitor|editor)|sequence\.editor)$/i;

const notPrograms =
  /^(core\.worktree|include(if\..*)?\.path|http\..*|remote\..*\.(proxy|proxyauthmethod))$/is;

/** Programs that look for what they run in the folder they are started in. */
const runners =
  /^(npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|make|just|task|rake|bundle|cargo|go|uv|uvx|poetry|pipenv)$/;
const interpreters =
  /^(cd|node|nodejs|python[\d.]*|ruby|perl|php|lua|sh|bash|dash|zsh|ksh|fish|env|exec|source|\.)$/;

export interface GitSetting {
  scope: string;
  /** Such as `file:.git/config`. */
  origin: string;
  name: string;
  value: string;
}

export const listSettings = ["config", "--show-scope", "--show-origin", "-z", "--list"];

/** What `listSettings` answers with. */
export function parseSettings(text: string): GitSetting[] {
  const fields = text.split("\0");
  const settings: GitSetting[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", line = ""] = fields.slice(at, at + 3);
    const [name = "", ...value] = line.split("\n");
    settings.push({ scope, origin, name, value: value.join("\n") });
  }
  return settings;
}

/** Set by the repository itself, not by the person, and risky. */
export function isRiskOfRepository({ scope, name }: GitSetting): boolean {
  return (scope === "local" || scope === "worktree") && (risky.test(name) || namesFile.test(name));
}

/**
 * Why git must not use a setting, even in a trusted workspace: an agent can change the files of a workspace, so no setting
 * in one of them counts, and none of them is run outside the sandbox. Undefined when nothing is wrong with it.
 */
export async function workspaceCodeIn(
  setting: GitSetting,
  folder: string,
  { workspace }: Pick<ToolContext, "workspace">,
  path: string,
): Promise<string | undefined> {
  const { name, origin, value } = setting;
  if (!risky.test(name) || unused.test(name)) return undefined;
  const start = join(workspace.root, folder);
  const file = origin.startsWith("file:")
    ? inside(workspace.root, resolve(start, origin.slice(5)))
    : undefined;
  if (file !== undefined && !/(^|\/)\.git\//.test(file)) return `${name}, which ${file} sets`;
  if (notPrograms.test(name)) return undefined;
  return (await runsWorkspaceCode(value, start, workspace, path)) ? `${name} = ${value}` : undefined;
}

/** Whether a command line names a file of the workspace, or a program that looks for code there. */
async function runsWorkspaceCode(
  command: string,
  start: string,
  workspace: ToolContext["workspace"],
  path: string,
): Promise<boolean> {
  const words = command.split(/[\s"'`;|&()<>=$\\{}!]+/).filter(Boolean);
  const names = words.map((word) => word.slice(word.lastIndexOf("/") + 1));
  if (names.some((name) => runners.test(name))) return true;
  if (names.some((name) => /^python[\d.]*$/.test(name)) && words.includes("-m"))
    if (!words.includes("-P") && !words.includes("-I")) return true;
  const is = async (place: string, types: readonly string[]) => {
    const known = inside(workspace.root, place);
    if (known === undefined) return false;
    if (known === "") return types.includes("directory");
    const type = await workspace.stat(known).then(
      (entry) => entry.type,
      (error: unknown) => (error instanceof Failure && error.code === "FILE_NOT_FOUND" ? undefined : "file"),
    );
    return type !== undefined && types.includes(type);
  };
  const files = ["file", "symlink"];
  const all = [...files, "directory"];
  const interpreted = names.some((name) => interpreters.test(name));
  const folders = path.split(":").map((each) => resolve(start, each));
  const quoted = [...command.matchAll(/"([^"]*)"|'([^']*)'/g)].map((found) => found[1] ?? found[2] ?? "");
  for (const [at, word] of [...words, ...quoted, command].entries()) {
    if (!word.includes("/")) {
      // The first is looked for in PATH alone; another one can be an argument that is also the name of a folder.
      for (const each of folders) if (await is(join(each, word), files)) return true;
      if (at > 0 && (await is(resolve(start, word), interpreted ? all : files))) return true;
      continue;
    }
    if (await is(resolve(start, word), all)) return true;
    // What comes out of a variable is not known: it may be the workspace.
    if (!/[$`]/.test(command)) continue;
    const parts = word.split("/");
    for (let from = 1; from < parts.length; from++)
      if (await is(join(start, ...parts.slice(from)), files)) return true;
  }
  return false;
}

/** Relative to the root; undefined when it is not below it. */
function inside(root: string, place: string): string | undefined {
  const path = relative(root, place);
  return path === ".." || path.startsWith("../") || isAbsolute(path) ? undefined : path;
}
