import { Failure } from "../../failure/failure.ts";
import { findProgram } from "../../process/find-program.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { exists, inside, namesIn, textOf, upward } from "./project-files.ts";
import type { ReportFormat } from "./test-reports.ts";
import {
  cargoTooling,
  goTooling,
  type Host,
  nodeTooling,
  pythonTooling,
  sitePackages,
  type Tooling,
} from "./toolchain.ts";

/** How one project is tested. */
export interface TestRun {
  runner: string;
  tooling: Tooling;
  args: readonly string[];
  /** Where it is started, below the workspace. */
  directory: string;
  format: ReportFormat;
}

interface Choice {
  /** Below the directory of the project. */
  path: string | undefined;
  filter: string | undefined;
}

interface Runner {
  format: ReportFormat;
  /** Whether a directory is the root of such a project. */
  fits(workspace: Workspace, directory: string): Promise<boolean>;
  tooling(workspace: Workspace, host: Host): Promise<Tooling> | Tooling;
  args(choice: Choice): string[];
}

/** Reports go to the outbox, so that nothing the tests print can be taken for one. */
const json = "/out/report.json";
const xml = "/out/report.xml";

const given = (value: string | undefined, ...before: string[]) =>
  value === undefined ? [] : [...before, value];

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [`${name}=${value}`]);

/** In the order in which they are tried in one directory. */
const runners: Record<string, Runner> = {
  vitest: {
    format: "jest",
    fits: uses("vitest"),
    tooling: () => nodeTooling("node_modules/vitest/vitest.mjs"),
    args: ({ path, filter }) => [
      ...["run", "--reporter=default", "--reporter=json", `--outputFile.json=${json}`],
      ...[...option("--testNamePattern", filter), ...given(path)],
    ],
  },
  jest: {
    format: "jest",
    fits: uses("jest"),
    tooling: () => nodeTooling("node_modules/jest/bin/jest.js"),
    args: ({ path, filter }) => [
      ...["--json", `--outputFile=${json}`],
      ...[...option("--testNamePattern", filter), ...given(path)],
    ],
  },
  mocha: {
    format: "mocha",
    fits: uses("mocha"),
    tooling: () => nodeTooling("node_modules/mocha/bin/mocha.js"),
    args: ({ path, filter }) => [
      ...["--reporter", "json", "--reporter-option", `output=${json}`],
      ...[...option("--grep", filter), ...given(path)],
    ],
  },
  "node:test": {
    format: "junit",
    fits: async (workspace, directory) =>
      /\bnode\b.*--test\b/.test(await textOf(workspace, inside(directory, "package.json"))),
    tooling: () => nodeTooling("--test"),
    args: ({ path, filter }) => [
      ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
      ...["--test-reporter=junit", `--test-reporter-destination=${xml}`],
      ...[...option("--test-name-pattern", filter), ...given(path)],
    ],
  },
  "go test": {
    format: "go",
    fits: (workspace, directory) => exists(workspace, inside(directory, "go.mod")),
    tooling: (_workspace, host) => goTooling(host),
    args: ({ path, filter }) => [
      "test",
      "-json",
      ...option("-run", filter),
      path === undefined ? "./..." : `./${path}/...`,
    ],
  },
  "cargo test": {
    format: "cargo",
    fits: (workspace, directory) => exists(workspace, inside(directory, "Cargo.toml")),
    tooling: (_workspace, host) => cargoTooling(host),
    args: ({ filter }) => ["test", "--offline", "--no-fail-fast", ...given(filter)],
  },
  pytest: {
    format: "junit",
    fits: async (workspace, directory) =>
      (await isPython(workspace, directory)) && (await hasPytest(workspace)),
    tooling: pythonTooling,
    args: ({ path, filter }) => [
      ...["-m", "pytest", "-p", "no:cacheprovider", `--junitxml=${xml}`],
      ...[...given(filter, "-k"), ...given(path)],
    ],
  },
  unittest: {
    format: "unittest",
    fits: isPython,
    tooling: pythonTooling,
    args: ({ path, filter }) => [
      ...["-m", "unittest", ...(path === undefined ? ["discover", "-v"] : ["-v", moduleOf(path)])],
      ...given(filter, "-k"),
    ],
  },
};

/** The project that a path belongs to: the nearest directory upward that one of the runners knows. */
export async function chooseRunner(
  choice: { path: string | undefined; filter: string | undefined },
  workspace: Workspace,
  host: Host,
): Promise<TestRun> {
  const start = choice.path ?? ".";
  for (const directory of upward(start)) {
    for (const [name, runner] of Object.entries(runners)) {
      if (!(await runner.fits(workspace, directory))) continue;
      const path = choice.path === undefined ? undefined : below(directory, choice.path);
      return {
        runner: name,
        tooling: await runner.tooling(workspace, host),
        args: runner.args({ path, filter: choice.filter }),
        directory,
        format: runner.format,
      };
    }
  }
  const known = Object.keys(runners).join(", ");
  throw new Failure(
    "UNAVAILABLE",
    `No tests that Wield can run were found at ${start} (it knows ${known}). Install the project's packages first, or have the person name the test command in the settings (execution.testCommand).`,
  );
}

function uses(name: string): Runner["fits"] {
  return async (workspace, directory) =>
    (await exists(workspace, inside(directory, `node_modules/${name}/package.json`))) &&
    (await textOf(workspace, inside(directory, "package.json"))).includes(`"${name}"`);
}

const pythonProject = ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "conftest.py"];
const pythonTest = /^test_.*\.py$|_test\.py$/;

async function isPython(workspace: Workspace, directory: string): Promise<boolean> {
  const names = await namesIn(workspace, directory);
  if (names.some((name) => pythonProject.includes(name) || pythonTest.test(name))) return true;
  for (const folder of names.filter((name) => name === "test" || name === "tests")) {
    if ((await namesIn(workspace, inside(directory, folder))).some((name) => pythonTest.test(name)))
      return true;
  }
  return false;
}

async function hasPytest(workspace: Workspace): Promise<boolean> {
  const packages = await sitePackages(workspace);
  if (packages !== undefined && (await exists(workspace, `${packages}/pytest`))) return true;
  return ["/usr/bin/pytest", "/usr/bin/pytest-3"].some((file) => findProgram(file, "") !== undefined);
}

function below(directory: string, path: string): string | undefined {
  if (directory === ".") return path;
  return path === directory ? undefined : path.slice(directory.length + 1);
}

function moduleOf(path: string): string {
  return path.replace(/\.py$/, "").replaceAll("/", ".");
}
