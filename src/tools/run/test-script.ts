import type { Workspace } from "../../workspace/workspace.ts";
import { inside, textOf } from "./project-files.ts";

/** How the project's own test script starts a runner: the words after the runner's name, and variables before it. */
export interface TestScript {
  /** Options, with their values. */
  options: readonly string[];
  /** Files, folders and patterns that the script names. */
  targets: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** The names of scripts that run tests, in the order in which they are looked at. */
const testScripts =
  /^(?:test|test[:-]unit|unit|tests|test[:-](?!watch|cov|browser|e2e|bench|types?|lint).*)$/;

/** Words that only choose how results are shown, or that keep the runner from ending. */
const dropped =
  /^--?(?:w|watch|watchAll|ui|open|reporter|reporters|R|O|reporter-options?|test-reporter.*|outputFile.*|json|verbose|silent|coverage.*|experimental-test-coverage)(?:=|$)/;

/** Options of the runners whose value is the next word. */
const withValue: Record<string, RegExp> = {
  mocha:
    /^(?:-r|--require|--import|--loader|-n|--node-option|--file|--config|--opts|-t|--timeout|-s|--slow|-u|--ui|--extension|--ignore|--exclude|--package|-j|--jobs|--retries|-R|--reporter|-O|--reporter-options?)$/,
  "node:test":
    /^(?:-r|--require|--import|--loader|--experimental-loader|--env-file|-C|--conditions|--test-reporter|--test-reporter-destination)$/,
  jest: /^(?:-c|--config|--rootDir|--env|--testEnvironment|--maxWorkers|-w|--projects|--selectProjects|--testTimeout|--reporters)$/,
  vitest: /^(?:-c|--config|-r|--root|--dir|--project|--environment|--pool|--mode|--reporter|--testTimeout)$/,
};

/** What the script of a project's package.json gives a runner; undefined where no script starts it plainly. */
export async function testScript(
  runner: string,
  workspace: Workspace,
  directory: string,
): Promise<TestScript | undefined> {
  for (const command of await commands(workspace, directory)) {
    const read = readCommand(runner, command);
    if (read) return read;
  }
  return undefined;
}

async function commands(workspace: Workspace, directory: string): Promise<string[]> {
  try {
    const { scripts = {} } = JSON.parse(await textOf(workspace, inside(directory, "package.json")));
    const names = Object.keys(scripts).filter((name) => testScripts.test(name));
    const ordered = [...names.filter((name) => name === "test"), ...names.filter((name) => name !== "test")];
    return ordered.flatMap((name) => String(scripts[name]).split(/&&|\|\||;/));
  } catch {
    return [];
  }
}

function readCommand(runner: string, command: string): TestScript | undefined {
  const words = wordsOf(command);
  if (!words) return undefined;
  const program = runner === "node:test" ? "node" : runner;
  const at = words.findIndex((word) => word === program || word.endsWith(`/${program}`));
  if (at === -1 || (runner === "node:test" && !words.includes("--test", at))) return undefined;
  const env = Object.fromEntries(
    words.slice(0, at).flatMap((word) => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
      return name === undefined ? [] : [[name, value ?? ""]];
    }),
  );
  return { ...sorted(runner, words.slice(at + 1)), env };
}

function sorted(runner: string, words: readonly string[]): Pick<TestScript, "options" | "targets"> {
  const options: string[] = [];
  const targets: string[] = [];
  for (let n = 0; n < words.length; n++) {
    const word = words[n] ?? "";
    const takesNext = withValue[runner]?.test(word) && !word.includes("=");
    const value = takesNext ? [words[n + 1] ?? ""] : [];
    if (takesNext) n += 1;
    if (dropped.test(word)) continue;
    if (word.startsWith("-")) options.push(word, ...value);
    else targets.push(word);
  }
  const subcommands =
    runner === "vitest" ? /^(?:run|watch|dev|related)$/ : runner === "node:test" ? /^--test$/ : /^$/;
  return {
    options: options.filter((word) => !subcommands.test(word)),
    targets: targets.filter((word, n) => n > 0 || !subcommands.test(word)),
  };
}

/** The words of a plain command line; undefined where a shell would do more than split and unquote. */
function wordsOf(command: string): string[] | undefined {
  if (/[$`<>|&()\\]/.test(command)) return undefined;
  const words = command.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
