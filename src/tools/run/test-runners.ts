import { posix } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { realHostProgram } from "../../process/host-programs.ts";
import { filesInside } from "../../sandbox/confine.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Host } from "./host.ts";
import { gradleArguments, isGradleRoot, isMavenRoot, mavenArguments } from "./java-tests.ts";
import { collectReports, gradleTooling, mavenTooling } from "./java-toolchain.ts";
import { nodeTestFiles } from "./node-test-files.ts";
import { type ProjectEnvironment, projectEnvironment } from "./project-environment.ts";
import { exists, inside, namesIn, textOf, undefinedOnFailure, upward } from "./project-files.ts";
import { projectPython } from "./project-python.ts";
import { nodeReporter, vitestReporter } from "./reporters.ts";
import type { ReportFormat } from "./test-reports.ts";
import { type TestScript, testScript } from "./test-script.ts";
import {
  cargoTooling,
  goTooling,
  pythonTooling,
  scriptTooling,
  sitePackages,
  type Tooling,
} from "./toolchain.ts";

/** How one project is tested. */
export interface TestRun {
  runner: string;
  tooling: Tooling;
  environment: ProjectEnvironment;
  args: readonly string[];
  /** Where it is started, below the workspace. */
  directory: string;
  format: ReportFormat;
  files: Readonly<Record<string, string>>;
}

interface Choice {
  /** Below the directory of the project. */
  path: string | undefined;
  /** The files to run, where the runner takes no directory. */
  files?: readonly string[] | undefined;
  filter: string | undefined;
  /** What the project's own test script gives the runner. */
  script: Pick<TestScript, "options" | "targets">;
}

interface Runner {
  format: ReportFormat;
  /** Put beside the run: a reporter. */
  files?: Readonly<Record<string, string>>;
  /** Whether a directory is the root of such a project. */
  fits(workspace: Workspace, directory: string, host: Host): Promise<boolean>;
  tooling(
    workspace: Workspace,
    host: Host,
    environment: ProjectEnvironment,
    directory: string,
  ): Promise<Tooling> | Tooling;
  /** The files of a directory, where the runner takes no directory. */
  filesIn?(workspace: Workspace, directory: string, path: string): Promise<string[]>;
  args(choice: Choice): string[];
}

/** Reports go to the outbox, so that nothing the tests print can be taken for one. */
const json = "/out/report.json";
const xml = "/out/report.xml";

const ownReporter = `${filesInside}/report.mjs`;

const given = (value: string | undefined, ...before: string[]) =>
  value === undefined ? [] : [...before, value];

/** The files of one call, else those that the script names. */
const targetsOf = ({ path, files, script }: Choice) =>
  files ?? (path === undefined ? script.targets : [path]);

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [`${name}=${value}`]);

/** In the order in which they are tried in one directory. */
const runners: Record<string, Runner> = {
  vitest: {
    format: "own",
    files: { "report.mjs": vitestReporter },
    fits: uses("vitest"),
    tooling: (_workspace, _host, environment) => scriptTooling("node_modules/vitest/vitest.mjs", environment),
    args: (choice) => [
      ...["run", ...choice.script.options],
      ...["--reporter=default", `--reporter=${ownReporter}`],
      ...[...option("--testNamePattern", choice.filter), ...targetsOf(choice)],
    ],
  },
  jest: {
    format: "jest",
    fits: uses("jest"),
    tooling: (_workspace, _host, environment) => scriptTooling("node_modules/jest/bin/jest.js", environment),
    args: (choice) => [
      ...[...choice.script.options, "--json", `--outputFile=${json}`],
      ...[...option("--testNamePattern", choice.filter), ...targetsOf(choice)],
    ],
  },
  mocha: {
    format: "mocha",
    fits: uses("mocha"),
    tooling: (_workspace, _host, environment) =>
      scriptTooling("node_modules/mocha/bin/mocha.js", environment),
    args: (choice) => [
      ...[...choice.script.options, "--reporter", "json", "--reporter-option", `output=${json}`],
      ...[...option("--grep", choice.filter), ...targetsOf(choice)],
    ],
  },
  "node:test": {
    format: "own",
    files: { "report.mjs": nodeReporter },
    fits: async (workspace, directory) =>
      /\bnode\b.*--test\b/.test(await textOf(workspace, inside(directory, "package.json"))),
    tooling: (_workspace, _host, environment) => scriptTooling("--test", environment),
    filesIn: nodeTestFiles,
    args: (choice) => [
      ...[...choice.script.options, "--test-reporter=spec", "--test-reporter-destination=stdout"],
      ...[`--test-reporter=${ownReporter}`, `--test-reporter-destination=${json}`],
      ...[...option("--test-name-pattern", choice.filter), ...targetsOf(choice)],
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
      path === undefined ? "./..." : path.endsWith(".go") ? `./${posix.dirname(path)}` : `./${path}/...`,
    ],
  },
  "cargo test": {
    format: "cargo",
    fits: (workspace, directory) => exists(workspace, inside(directory, "Cargo.toml")),
    tooling: (_workspace, host) => cargoTooling(host),
    args: ({ filter }) => ["test", "--offline", "--no-fail-fast", ...given(filter)],
  },
  maven: {
    format: "junit",
    files: collectReports,
    fits: isMavenRoot,
    tooling: (_workspace, host) => mavenTooling(host),
    args: mavenArguments,
  },
  gradle: {
    format: "junit",
    files: collectReports,
    fits: isGradleRoot,
    tooling: (workspace, host, _environment, directory) => gradleTooling(workspace, directory, host),
    args: gradleArguments,
  },
  pytest: {
    format: "junit",
    fits: async (workspace, directory, host) =>
      (await isPythonRoot(workspace, directory)) && (await hasPytest(workspace, directory, host)),
    tooling: (workspace, _host, { python }) => pythonTooling(workspace, python),
    args: ({ path, filter }) => [
      ...["-m", "pytest", "-p", "no:cacheprovider", `--junitxml=${xml}`],
      ...[...given(filter, "-k"), ...given(path)],
    ],
  },
  unittest: {
    format: "unittest",
    fits: isPythonRoot,
    tooling: (workspace, _host, { python }) => pythonTooling(workspace, python),
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
      if (!(await runner.fits(workspace, directory, host))) continue;
      if (name === "unittest") await requirePytestWhereNamed(workspace, directory);
      const path = choice.path === undefined ? undefined : below(directory, choice.path);
      const environment = await projectEnvironment(workspace, directory, host);
      const tooling = await runner.tooling(workspace, host, environment, directory);
      const isFolder = path !== undefined && (await isDirectory(workspace, inside(directory, path)));
      const files = isFolder ? await runner.filesIn?.(workspace, directory, path) : undefined;
      if (files?.length === 0)
        throw new Failure("FILE_NOT_FOUND", `There are no tests of ${name} below ${choice.path}.`);
      const script = (await testScript(name, workspace, directory)) ?? noScript;
      return {
        runner: name,
        tooling: { ...tooling, env: { ...tooling.env, ...script.env } },
        environment,
        args: runner.args({ path, files, filter: choice.filter, script }),
        directory,
        format: runner.format,
        files: runner.files ?? {},
      };
    }
    await requireNodeRunner(workspace, directory);
  }
  const known = Object.keys(runners).join(", ");
  throw new Failure(
    "UNAVAILABLE",
    `No tests that Wield can run were found at ${start} (it knows ${known}). If the project's packages are not installed, call install_package first; otherwise have the person name the test command in the settings (execution.testCommand).`,
  );
}

/** A runner of Node that the project depends on must be there: without it, tests elsewhere would be run instead. */
async function requireNodeRunner(workspace: Workspace, directory: string): Promise<void> {
  const manifest = await textOf(workspace, inside(directory, "package.json"));
  const named = ["vitest", "jest", "mocha"].filter((name) => new RegExp(`"${name}"\\s*:`).test(manifest));
  const places = named.flatMap((name) =>
    upward(directory).map((folder) => inside(folder, `node_modules/${name}/package.json`)),
  );
  const isThere = await Promise.all(places.map((place) => exists(workspace, place)));
  if (named.length === 0 || isThere.includes(true)) return;
  const call =
    directory === "."
      ? 'Call install_package({"manager":"npm","packages":[]}) first; a person is asked.'
      : "Have the person install them.";
  throw new Failure(
    "UNAVAILABLE",
    `${inside(directory, "package.json")} names ${named.join(" and ")}, but its packages are not installed: there is no node_modules/${named[0]}. ${call}`,
  );
}

/** Tests that are written for pytest say nothing, or something wrong, when unittest runs them. */
async function requirePytestWhereNamed(workspace: Workspace, directory: string): Promise<void> {
  const names = await namesIn(workspace, directory);
  const lists = names.filter((name) =>
    /^(?:pyproject\.toml|setup\.cfg|tox\.ini|requirements.*\.txt)$/.test(name),
  );
  const texts = await Promise.all(lists.map((name) => textOf(workspace, inside(directory, name))));
  const own = names.filter((name) => name === "pytest.ini" || name === "conftest.py");
  const by = own[0] ?? lists[texts.findIndex((text) => /\bpytest\b/.test(text))];
  if (by === undefined) return;
  throw new Failure(
    "UNAVAILABLE",
    `The tests are for pytest (${inside(directory, by)}), which is not installed. Call install_package({"manager":"pip","packages":["pytest"]}) first, with the packages that the project needs; a person is asked.`,
  );
}

async function isDirectory(workspace: Workspace, path: string): Promise<boolean> {
  return (await undefinedOnFailure(() => workspace.stat(path)))?.type === "directory";
}

const noScript: TestScript = { options: [], targets: [], env: {} };

function uses(name: string): Runner["fits"] {
  return async (workspace, directory) =>
    (await exists(workspace, inside(directory, `node_modules/${name}/package.json`))) &&
    (await textOf(workspace, inside(directory, "package.json"))).includes(`"${name}"`);
}

const pythonProject = ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini"];
const pythonTest = /^test_.*\.py$|_test\.py$|^conftest\.py$/;

/** A folder that only holds tests belongs to the project above it: they find the package and their data from there. */
async function isPythonRoot(workspace: Workspace, directory: string): Promise<boolean> {
  if ((await namesIn(workspace, directory)).some((name) => pythonProject.includes(name))) return true;
  if (!(await isPython(workspace, directory))) return false;
  const above = upward(directory).filter((folder) => folder !== directory);
  return !(await Promise.all(above.map((folder) => isPython(workspace, folder)))).includes(true);
}

async function isPython(workspace: Workspace, directory: string): Promise<boolean> {
  const names = await namesIn(workspace, directory);
  if (names.some((name) => pythonProject.includes(name) || pythonTest.test(name))) return true;
  for (const folder of names.filter((name) => name === "test" || name === "tests")) {
    if ((await namesIn(workspace, inside(directory, folder))).some((name) => pythonTest.test(name)))
      return true;
  }
  return false;
}

async function hasPytest(workspace: Workspace, directory: string, host: Host): Promise<boolean> {
  const { bin, minor } = await projectPython(workspace, directory, host);
  const packages = await sitePackages(workspace, minor);
  if (packages !== undefined && (await exists(workspace, `${packages}/pytest`))) return true;
  const programs = bin === undefined ? ["/usr/bin/pytest", "/usr/bin/pytest-3"] : [`${bin}/pytest`];
  return programs.some((file) => realHostProgram(file, "") !== undefined);
}

function below(directory: string, path: string): string | undefined {
  if (path === directory) return undefined;
  return directory === "." ? path : path.slice(directory.length + 1);
}

function moduleOf(path: string): string {
  return path.replace(/\.py$/, "").replaceAll("/", ".");
}
