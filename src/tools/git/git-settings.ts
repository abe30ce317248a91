import { join, resolve } from "node:path";
import type { ToolContext } from "../../tool/tool.ts";
import { inside, loadsCodeOf } from "../../workspace/loaded-code.ts";

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
  return (await loadsCodeOf(workspace, value, start, path)) ? `${name} = ${value}` : undefined;
}
