import { isAbsolute, relative, resolve } from "node:path";
import { Failure } from "../failure/failure.ts";
import type { Workspace } from "./workspace.ts";

/** Programs that run what they find in the folder they are started in: scripts, plugins, configuration that is code. */
const runners =
  /^(npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|make|gmake|ninja|cmake|meson|just|task|rake|bundle|cargo|go|gradle|mvn|sbt|mix|uv|uvx|poetry|pipenv|hatch|pytest|py\.test|tox|nox|pre-commit|lefthook|eslint|prettier|jest|vitest|mocha|ava|gulp|grunt|webpack|rollup|vite|turbo|nx|tsx|ts-node|git|rspec|phpunit|phpstan|bazel|dotnet|swift|lein|clojure|clj|terraform|pants|cdk|mise|nix|nix-shell|jupyter|xargs)$/;
const interpreters =
  /^(cd|node|nodejs|python[\d.]*|ruby|perl|php|lua|sh|bash|dash|zsh|ksh|fish|env|exec|source|\.)$/;
const python = /^python[\d.]*$/;
const nodeRunsText = /^(-\w*[ep]|--eval|--print|-r|--require|--import|--loader)$/;

export function isInterpreter(name: string): boolean {
  return interpreters.test(name);
}

type Looked = Pick<Workspace, "root" | "stat" | "list">;

/**
 * Whether a command line of a shell runs or loads a file of the workspace, as far as its words tell: it names one, or a program
 * that looks for code in the folder where it starts. An agent can write there, so such a command is the agent's.
 */
export async function loadsCodeOf(
  workspace: Looked,
  command: string,
  start: string,
  path: string,
): Promise<boolean> {
  const words = command.split(/[\s"'`;|&()<>=$\\{}!]+/).filter(Boolean);
  const names = words.map((word) => word.slice(word.lastIndexOf("/") + 1));
  if (names.some((name) => runners.test(name)) || looksAround(words, names)) return true;
  const interpreted = names.some((name) => interpreters.test(name));
  const folders = path.split(":").map((each) => resolve(start, each));
  const quoted = [...command.matchAll(/"([^"]*)"|'([^']*)'/g)].map((found) => found[1] ?? found[2] ?? "");
  for (const [at, word] of [...words, ...quoted, command].entries()) {
    const isWord = at < words.length;
    if (isWord && (await mayBecome(workspace, word, start, { interpreted, at }))) return true;
    if (!word.includes("/")) {
      // The first is looked for in PATH alone; another one can be an argument that is also the name of a folder.
      for (const each of folders) if (await is(workspace, resolve(each, word), files)) return true;
      if (at > 0 && (await is(workspace, resolve(start, word), interpreted ? all : files))) return true;
      continue;
    }
    if (await is(workspace, resolve(start, word), all)) return true;
    // What comes out of a variable is not known: it may be the workspace.
    if (!/[$`]/.test(command)) continue;
    const parts = word.split("/");
    for (let from = 1; from < parts.length; from++)
      if (await is(workspace, resolve(start, ...parts.slice(from)), files)) return true;
  }
  return false;
}

const files = ["file", "symlink"];
const all = [...files, "directory"];

/** Python and Node look for modules where they start, unless they are given a script that lies elsewhere. */
function looksAround(words: readonly string[], names: readonly string[]): boolean {
  const isPython = names.some((name) => python.test(name));
  if (isPython && !words.includes("-P") && !words.includes("-I")) {
    const hasScript = words.some((word, at) => word.includes("/") && !python.test(names[at] ?? ""));
    if (!hasScript || words.some((word) => /^-\w*[cm]$/.test(word))) return true;
  }
  return names.some((name) => /^node(js)?$/.test(name)) && words.some((word) => nodeRunsText.test(word));
}

/** A word that a shell or an interpreter completes: a pattern, a module without its extension, the beginning of a name. */
async function mayBecome(
  workspace: Looked,
  word: string,
  start: string,
  { interpreted, at }: { interpreted: boolean; at: number },
): Promise<boolean> {
  const isPattern = /[*?[]/.test(word);
  const hasFolder = word.includes("/");
  if (!isPattern && (!interpreted || at === 0 || word.startsWith("-") || interpreters.test(word)))
    return false;
  if (isPattern && !hasFolder && !interpreted && at > 0) return false;
  const literal = word.split(/[*?[]/)[0] ?? "";
  const folder = inside(workspace.root, resolve(start, literal.slice(0, literal.lastIndexOf("/") + 1)));
  if (folder === undefined) return false;
  const name = literal.slice(literal.lastIndexOf("/") + 1);
  const beginning = isPattern || hasFolder ? name : `${name}.`;
  const entries = await workspace.list(folder === "" ? "." : folder).catch(() => []);
  return entries.some((entry) => entry.name.startsWith(beginning));
}

/** A place of which nothing can be told counts as a file; a command of several lines is none. */
async function is(workspace: Looked, place: string, types: readonly string[]): Promise<boolean> {
  const known = inside(workspace.root, place);
  if (known === undefined || /[\r\n]/.test(known)) return false;
  if (known === "") return types.includes("directory");
  const type = await workspace.stat(known).then(
    (entry) => entry.type,
    (error: unknown) => (error instanceof Failure && error.code === "FILE_NOT_FOUND" ? undefined : "file"),
  );
  return type !== undefined && types.includes(type);
}

/** Relative to a root; undefined when it is not below it. */
export function inside(root: string, place: string): string | undefined {
  const path = relative(root, place);
  return path === ".." || path.startsWith("../") || isAbsolute(path) ? undefined : path;
}
