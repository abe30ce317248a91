import { realHostProgram } from "../../process/host-programs.ts";
import { workspaceInside } from "../../sandbox/confine.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Finding, jsonFindings, lineFindings, type ReadFindings } from "./findings.ts";
import type { Host } from "./host.ts";
import { type ProjectEnvironment, projectEnvironment } from "./project-environment.ts";
import { exists, inside, namesIn, textOf, upward } from "./project-files.ts";
import {
  cargoTooling,
  goTooling,
  programTooling,
  pythonTooling,
  scriptTooling,
  sitePackages,
  type Tooling,
} from "./toolchain.ts";

/** A type checker or linter. All of them are data: which files, whether it is set up, how it is run, what it prints. */
export interface Checker {
  name: string;
  files: RegExp;
  /** `project`: looks at everything from its directory on; `paths`: only at the files that it is given. */
  scope: "project" | "paths";
  /** Names of files that set it up; the nearest directory above a changed file that has one is where it runs. */
  setUp: readonly RegExp[];
  /** Whether a file of that name really sets it up; left out: its name is enough. */
  accepts?(name: string, text: string): boolean;
  /** The program; undefined: it is not installed. */
  tooling(project: Project): Promise<Tooling | undefined>;
  args(paths: readonly string[]): string[];
  read: ReadFindings;
}

/** Where a checker runs. */
interface Project {
  workspace: Workspace;
  directory: string;
  host: Host;
  environment: ProjectEnvironment;
}

const scripts = /\.[cm]?[jt]sx?$/;
const pythonFiles = /\.pyi?$/;

export const checkers: readonly Checker[] = [
  {
    name: "tsc",
    files: /\.([cm]?tsx?|json)$/,
    scope: "project",
    setUp: [/^tsconfig\.json$/],
    tooling: (project) => nodeProgram(project, "typescript/bin/tsc"),
    args: () => ["--noEmit", "--pretty", "false", "-p", "."],
    read: lineFindings(/^(?<file>[^\s(][^(]*)\((?<line>\d+),\d+\): \w+ (?<code>TS\d+): (?<message>.*)$/),
  },
  {
    name: "biome",
    files: /\.([cm]?[jt]sx?|jsonc?|css)$/,
    scope: "paths",
    setUp: [/^biome\.jsonc?$/],
    tooling: (project) => nodeProgram(project, "@biomejs/biome/bin/biome"),
    args: (paths) => ["lint", "--reporter=github", "--no-errors-on-unmatched", ...paths],
    read: lineFindings(
      /^::\w+ title=(?<code>[^,]*),file=(?<file>[^,]*),line=(?<line>\d+),[^:]*::(?<message>.*)$/,
    ),
  },
  {
    name: "eslint",
    files: scripts,
    scope: "paths",
    setUp: [/^eslint\.config\.[cm]?[jt]s$/, /^\.eslintrc(\.\w+)?$/],
    tooling: (project) => nodeProgram(project, "eslint/bin/eslint.js"),
    args: (paths) => ["--format", "json", "--no-warn-ignored", ...paths],
    read: jsonFindings((results: { filePath: string; messages: EslintMessage[] }[]) =>
      results.flatMap(({ filePath, messages }) =>
        messages.map(({ line = 1, ruleId, message }) => ({
          ...{ file: filePath, line, code: ruleId ?? "", message },
        })),
      ),
    ),
  },
  {
    name: "ruff",
    files: pythonFiles,
    scope: "paths",
    setUp: [/^\.?ruff\.toml$/, /^pyproject\.toml$/],
    accepts: (name, text) => name !== "pyproject.toml" || text.includes("[tool.ruff"),
    tooling: async ({ host }) => machineProgram("ruff", host),
    args: (paths) => ["check", "--no-cache", "--output-format", "concise", ...paths],
    read: lineFindings(/^(?<file>[^:]+):(?<line>\d+):\d+: (?<code>[A-Z]+\d+) (?<message>.*)$/),
  },
  {
    name: "mypy",
    files: pythonFiles,
    scope: "paths",
    setUp: [/^\.?mypy\.ini$/, /^pyproject\.toml$/, /^setup\.cfg$/],
    accepts: (_name, text) => /^\[(tool\.)?mypy/m.test(text),
    tooling: (project) => pythonModule(project, "mypy"),
    args: (paths) => [
      ...["-m", "mypy", "--no-color-output", "--no-error-summary", "--show-error-codes"],
      ...["--cache-dir=/tmp/mypy", ...paths],
    ],
    read: lineFindings(
      /^(?<file>[^:]+):(?<line>\d+)(?::\d+)?: error: (?<message>.*?)(?: {2}\[(?<code>[\w-]+)\])?$/,
    ),
  },
  {
    name: "pyright",
    files: pythonFiles,
    scope: "paths",
    setUp: [/^pyrightconfig\.json$/],
    tooling: (project) => nodeProgram(project, "pyright/index.js"),
    args: (paths) => ["--outputjson", ...paths],
    read: jsonFindings(({ generalDiagnostics }: { generalDiagnostics: PyrightMessage[] }) =>
      generalDiagnostics
        .filter(({ severity }) => severity === "error")
        .map(({ file, range, rule = "", message }) => ({
          ...{ file, line: range.start.line + 1, code: rule, message: message.replaceAll("\n", " ") },
        })),
    ),
  },
  {
    name: "cargo check",
    files: /\.rs$|^Cargo\.toml$/,
    scope: "project",
    setUp: [/^Cargo\.toml$/],
    tooling: ({ host }) => unlessMissing("cargo", host, cargoTooling),
    args: () => ["check", "--quiet", "--offline", "--message-format", "short"],
    read: lineFindings(
      /^(?<file>[^:\s]+):(?<line>\d+):\d+: (?:error|warning)(?:\[(?<code>\w+)\])?: (?<message>.*)$/,
    ),
  },
  {
    name: "go vet",
    files: /\.go$/,
    scope: "project",
    setUp: [/^go\.mod$/],
    tooling: ({ host }) => unlessMissing("go", host, goTooling),
    args: () => ["vet", "./..."],
    read: lineFindings(/^(?:vet: )?(?:\.\/)?(?<file>[^:\s#]+\.go):(?<line>\d+):(?:\d+:)? (?<message>.*)$/),
  },
];

interface EslintMessage {
  line?: number;
  ruleId: string | null;
  message: string;
}

interface PyrightMessage {
  file: string;
  severity: string;
  message: string;
  rule?: string;
  range: { start: { line: number } };
}

/** One checker in one directory, with the changed files that concern it, relative to that directory. */
export interface Check {
  checker: Checker;
  directory: string;
  tooling: Tooling;
  environment: ProjectEnvironment;
  paths: string[];
}

/** What is set up for these files. */
export async function chooseChecks(
  paths: readonly string[],
  workspace: Workspace,
  host: Host,
): Promise<Check[]> {
  const checks = new Map<string, Check>();
  for (const checker of checkers)
    for (const path of paths.filter((each) => checker.files.test(each))) {
      const directory = await directoryOf(checker, path, workspace);
      if (directory === undefined) continue;
      const key = `${checker.name} ${directory}`;
      const below = directory === "." ? path : path.slice(directory.length + 1);
      const known = checks.get(key);
      if (known) {
        known.paths.push(below);
        continue;
      }
      const environment = await projectEnvironment(workspace, directory, host);
      const tooling = await checker.tooling({ workspace, directory, host, environment });
      if (tooling) checks.set(key, { checker, directory, tooling, environment, paths: [below] });
    }
  return [...checks.values()];
}

async function directoryOf(
  { setUp, accepts }: Checker,
  path: string,
  workspace: Workspace,
): Promise<string | undefined> {
  for (const directory of upward(path).slice(1)) {
    const names = (await namesIn(workspace, directory)).filter((name) =>
      setUp.some((pattern) => pattern.test(name)),
    );
    for (const name of names)
      if (!accepts || accepts(name, await textOf(workspace, inside(directory, name)))) return directory;
  }
  return undefined;
}

/** A program in the nearest `node_modules` above. */
async function nodeProgram(
  { workspace, directory, environment }: Project,
  program: string,
): Promise<Tooling | undefined> {
  for (const above of upward(directory)) {
    const path = inside(above, `node_modules/${program}`);
    if (await exists(workspace, path)) return scriptTooling(`${workspaceInside}/${path}`, environment);
  }
  return undefined;
}

async function pythonModule(
  { workspace, environment: { python } }: Project,
  module: string,
): Promise<Tooling | undefined> {
  const packages = await sitePackages(workspace, python.minor);
  const isThere = packages !== undefined && (await exists(workspace, `${packages}/${module}`));
  return isThere ? pythonTooling(workspace, python) : undefined;
}

function machineProgram(name: string, host: Host): Tooling | undefined {
  return realHostProgram(name, host.env["PATH"] ?? "") === undefined
    ? undefined
    : programTooling(name, host, "");
}

async function unlessMissing(
  name: string,
  host: Host,
  tooling: (host: Host) => Promise<Tooling>,
): Promise<Tooling | undefined> {
  return realHostProgram(name, host.env["PATH"] ?? "") === undefined ? undefined : tooling(host);
}

export type { Finding };
