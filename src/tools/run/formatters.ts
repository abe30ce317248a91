import { Failure } from "../../failure/failure.ts";
import { realHostProgram } from "../../process/host-programs.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Host } from "./host.ts";
import { type ProjectEnvironment, projectEnvironment } from "./project-environment.ts";
import { exists, textOf } from "./project-files.ts";
import {
  cargoTooling,
  goTooling,
  programTooling,
  pythonTooling,
  scriptTooling,
  sitePackages,
  type Tooling,
} from "./toolchain.ts";

/** One formatter, ready to be run on the workspace. */
export interface FormatRun {
  formatter: string;
  tooling: Tooling;
  environment: ProjectEnvironment;
  args: readonly string[];
}

interface Formatter {
  /** Formatters of one kind see to the same files: the first that fits does it. */
  kind: string;
  files: RegExp;
  fits(workspace: Workspace, host: Host): Promise<boolean>;
  tooling(workspace: Workspace, host: Host, environment: ProjectEnvironment): Promise<Tooling> | Tooling;
  args(paths: readonly string[]): string[];
}

const scripts = /\.([cm]?[jt]sx?|jsonc?|css|html|graphql|vue|svelte|astro)$/;

const formatters: Record<string, Formatter> = {
  biome: {
    kind: "scripts",
    files: scripts,
    fits: (workspace) => hasAll(workspace, [/^biome\.jsonc?$/], "node_modules/@biomejs/biome/bin/biome"),
    tooling: (_workspace, _host, environment) =>
      scriptTooling("node_modules/@biomejs/biome/bin/biome", environment),
    args: (paths) => ["format", "--write", "--no-errors-on-unmatched", ...paths],
  },
  prettier: {
    kind: "scripts",
    files: /\.([cm]?[jt]sx?|jsonc?|json5|css|scss|less|html|vue|md|mdx|ya?ml|graphql)$/,
    fits: async (workspace) => (await prettierIn(workspace)) !== undefined,
    tooling: async (workspace, _host, environment) =>
      scriptTooling((await prettierIn(workspace)) ?? "", environment),
    args: (paths) => ["--write", "--ignore-unknown", "--log-level=warn", ...paths],
  },
  ruff: {
    kind: "python",
    files: /\.pyi?$/,
    fits: async (workspace, host) =>
      (await isPython(workspace)) && realHostProgram("ruff", host.env["PATH"] ?? "") !== undefined,
    tooling: (_workspace, host) => programTooling("ruff", host, ""),
    args: (paths) => ["format", "--no-cache", ...paths],
  },
  black: {
    kind: "python",
    files: /\.pyi?$/,
    fits: async (workspace) => (await isPython(workspace)) && (await hasBlack(workspace)),
    tooling: (workspace, _host, { python }) => pythonTooling(workspace, python),
    args: (paths) => ["-m", "black", "--quiet", ...paths],
  },
  gofmt: {
    kind: "go",
    files: /\.go$/,
    fits: (workspace) => exists(workspace, "go.mod"),
    tooling: async (_workspace, host) => ({ ...(await goTooling(host)), command: ["/opt/go/bin/gofmt"] }),
    args: (paths) => ["-w", ...paths],
  },
  rustfmt: {
    kind: "rust",
    files: /\.rs$/,
    fits: (workspace) => exists(workspace, "Cargo.toml"),
    tooling: (_workspace, host) => cargoTooling(host),
    args: (paths) => ["fmt", ...(paths.includes(".") ? [] : ["--", ...paths])],
  },
};

/** The formatters of this workspace that have something to do for the given paths. */
export async function chooseFormatters(
  paths: readonly string[],
  workspace: Workspace,
  host: Host,
): Promise<FormatRun[]> {
  const runs: FormatRun[] = [];
  const kinds = new Set<string>();
  const environment = await projectEnvironment(workspace, ".", host);
  for (const [formatter, { kind, files, fits, tooling, args }] of Object.entries(formatters)) {
    const its = paths.filter((path) => !/\.\w+$/.test(path) || files.test(path));
    if (kinds.has(kind) || its.length === 0 || !(await fits(workspace, host))) continue;
    kinds.add(kind);
    const program = await tooling(workspace, host, environment);
    runs.push({ formatter, tooling: program, environment, args: args(its) });
  }
  if (runs.length > 0) return runs;
  const known = Object.keys(formatters).join(", ");
  throw new Failure(
    "UNAVAILABLE",
    `No formatter of this workspace fits ${paths.join(", ")} (Wield knows ${known}). Install the project's packages first, or have the person name the command in the settings (execution.formatCommand).`,
  );
}

/** Its program, of version 3 or of an earlier one. */
async function prettierIn(workspace: Workspace): Promise<string | undefined> {
  for (const program of ["node_modules/prettier/bin/prettier.cjs", "node_modules/prettier/bin-prettier.js"])
    if (await exists(workspace, program)) return program;
  return undefined;
}

async function hasAll(workspace: Workspace, names: RegExp[], program: string): Promise<boolean> {
  const present = (await workspace.list(".")).map(({ name }) => name);
  return names.every((name) => present.some((one) => name.test(one))) && exists(workspace, program);
}

async function isPython(workspace: Workspace): Promise<boolean> {
  const names = (await workspace.list(".")).map(({ name }) => name);
  return (
    names.some((name) => /\.py$|^pyproject\.toml$|^setup\.(py|cfg)$/.test(name)) ||
    (await textOf(workspace, "ruff.toml")) !== ""
  );
}

async function hasBlack(workspace: Workspace): Promise<boolean> {
  const packages = await sitePackages(workspace);
  if (packages !== undefined && (await exists(workspace, `${packages}/black`))) return true;
  return realHostProgram("/usr/bin/black", "") !== undefined;
}
