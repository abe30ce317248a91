import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { realHostProgram } from "./host-programs.ts";

/** A Node of a version manager: the folder of this version, with `bin` and `lib`, holds nothing else. */
export interface ManagedNode {
  /** `20.11.1` */
  version: string;
  file: string;
  prefix: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Where version managers keep the versions of Node: the folder of all, and what leads from one of them to its `bin`. */
function managers(env: Variables): [folder: string | undefined, below: string][] {
  const home = (name: string) => (env["HOME"] ? join(env["HOME"], name) : undefined);
  const inside = (folder: string | undefined, name: string) => folder && join(folder, name);
  const data = env["XDG_DATA_HOME"] ?? home(".local/share");
  return [
    [inside(env["NVM_DIR"] ?? home(".nvm"), "versions/node"), ""],
    [inside(env["FNM_DIR"] ?? inside(data, "fnm"), "node-versions"), "installation"],
    [inside(home(".fnm"), "node-versions"), "installation"],
    [inside(env["VOLTA_HOME"] ?? home(".volta"), "tools/image/node"), ""],
    [inside(env["MISE_DATA_DIR"] ?? inside(data, "mise"), "installs/node"), ""],
    [inside(env["ASDF_DATA_DIR"] ?? home(".asdf"), "installs/nodejs"), ""],
    [inside(env["NODENV_ROOT"] ?? home(".nodenv"), "versions"), ""],
    [inside(env["N_PREFIX"] ?? "/usr/local", "n/versions/node"), ""],
  ];
}

/** Every Node that a version manager of this person has installed. */
export function managedNodes(env: Variables): ManagedNode[] {
  return managers(env).flatMap(([folder, below]) =>
    folder === undefined
      ? []
      : namesIn(folder).flatMap((name) => {
          const version = /^v?(\d+\.\d+\.\d+)$/.exec(name)?.[1];
          const prefix = join(folder, name, below);
          const file = realHostProgram(join(prefix, "bin/node"), "");
          return version && file ? [{ version, file, prefix: realpathSync(prefix) }] : [];
        }),
  );
}

/**
 * The Node that `node` starts in the person's terminal: a program, or the launcher of a version manager. Folders of
 * packages do not count: npm puts them on the PATH of what it starts, and the Node in one of them belongs to a package.
 */
export function nodeOnPath(env: Variables): { file: string; isLauncher: boolean } | undefined {
  const path = (env["PATH"] ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
  const file = realHostProgram("node", path.join(":"));
  return file === undefined
    ? undefined
    : { file, isLauncher: /\/shims\//.test(file) || !/\/node(?:js)?$/.test(file) };
}

/** npm beside a Node that is not in a separate folder. */
export function npmBeside(node: string): string | undefined {
  const npm = join(dirname(dirname(node)), "lib/node_modules/npm");
  return existsSync(join(npm, "bin/npm-cli.js")) ? npm : undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
