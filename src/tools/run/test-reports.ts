import { withoutTerminalCodes } from "../../text/terminal-codes.ts";
import type { ReportedTest } from "./reporters.ts";

export interface TestFailure {
  name: string;
  file?: string;
  message: string;
}

export interface TestState {
  /** With the names of the groups around it. */
  name: string;
  state: "passed" | "failed" | "skipped";
}

export interface TestReport {
  passed: number;
  failed: number;
  skipped: number;
  failures: TestFailure[];
  /** Every test by name, where the runner lists them. */
  tests: TestState[];
}

export type ReportFormat = keyof typeof readers;

export interface TestOutput {
  /** What the runner wrote to the outbox; empty when it wrote nothing. */
  report: string;
  stdout: string;
  stderr: string;
  /** Only tests of some names were asked for. */
  isFiltered?: boolean;
}

/** Reads what a runner reported; undefined when there is nothing to read, because it did not get that far. */
export function readReport(format: ReportFormat, output: TestOutput): TestReport | undefined {
  try {
    return readers[format](output);
  } catch {
    return undefined;
  }
}

const readers = { own, jest, mocha, junit, go, cargo, unittest, none: () => undefined } satisfies Record<
  string,
  (output: TestOutput) => TestReport | undefined
>;

function count(tests: TestState[], failures: TestFailure[]): TestReport {
  const of = (state: TestState["state"]) => tests.filter((test) => test.state === state).length;
  return {
    passed: of("passed"),
    failed: Math.max(of("failed"), failures.length),
    skipped: of("skipped"),
    failures,
    tests,
  };
}

function stateOf(word: string): TestState["state"] {
  if (["passed", "pass", "ok"].includes(word)) return "passed";
  return ["failed", "fail", "FAILED"].includes(word) ? "failed" : "skipped";
}

/** What the reporters in reporters.ts write. */
function own({ report, isFiltered }: TestOutput): TestReport {
  const reported = JSON.parse(report) as ReportedTest[];
  const hasTests = new Set(reported.flatMap(({ kind, file }) => (kind === "test" ? [file] : [])));
  const tests = reported.filter(
    // A file of plain statements is a test of its own; one in which a filter left nothing is none.
    ({ kind, file, state }) =>
      kind === "test" || state === "failed" || (kind === "file" && !isFiltered && !hasTests.has(file)),
  );
  const explained = tests.filter(({ state, message }) => state === "failed" && message !== "");
  const failures = explained.length > 0 ? explained : tests.filter(({ state }) => state === "failed");
  return count(
    tests.map(({ name, state, kind }) => ({ name: kind === "file" ? inWorkspace(name) : name, state })),
    failures.map(({ name, file, kind, message = "" }) => ({
      name: kind === "file" ? inWorkspace(name) : name,
      ...(file !== undefined && { file: inWorkspace(file) }),
      message: short(message),
    })),
  );
}

interface JestReport {
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
}

/** A file that could not even be loaded is a failure of its own. */
function jest({ report }: TestOutput): TestReport {
  const { testResults } = JSON.parse(report) as JestReport;
  const failures = testResults.flatMap(({ name, status, message, assertionResults }): TestFailure[] => {
    const file = inWorkspace(name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed")
      return [{ name: file, file, message: short(message ?? "") }];
    return failed.map((test) => ({
      name: test.fullName.trim(),
      file,
      message: short((test.failureMessages ?? []).join("\n")),
    }));
  });
  const tests = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ name: fullName.trim(), state: stateOf(status) })),
  );
  return count(tests, failures);
}

interface MochaReport {
  passes: { fullTitle: string }[];
  pending: { fullTitle: string }[];
  failures: { fullTitle: string; file?: string; err: { message?: string; stack?: string } }[];
}

function mocha({ report }: TestOutput): TestReport {
  const { passes, pending, failures } = JSON.parse(report) as MochaReport;
  const list = failures.map(({ fullTitle, file, err }) => ({
    name: fullTitle,
    ...(file !== undefined && { file: inWorkspace(file) }),
    message: short(err.stack ?? err.message ?? ""),
  }));
  const named = (tests: { fullTitle: string }[], state: TestState["state"]) =>
    tests.map(({ fullTitle }) => ({ name: fullTitle, state }));
  const all = [...named(passes, "passed"), ...named(failures, "failed"), ...named(pending, "skipped")];
  return count(all, list);
}

/** pytest, Maven and Gradle: cases with a failure, an error or a skip inside. */
function junit({ report }: TestOutput): TestReport {
  const cases = [...report.matchAll(/<testcase\b((?:[^>"]|"[^"]*")*?)(?:\/>|>(.*?)<\/testcase>)/gs)];
  if (cases.length === 0 && !report.includes("<testsuite")) throw new Error("no report");
  const failures: TestFailure[] = [];
  const tests = cases.map(([, attributes = "", body = ""]): TestState => {
    const title = attribute(attributes, "name") ?? "";
    const name = [attribute(attributes, "classname") ?? "", title].filter(Boolean).join(" > ");
    const problem = /<(?:failure|error)\b((?:[^>"]|"[^"]*")*?)(?:\/>|>(.*?)<\/(?:failure|error)>)/s.exec(
      body,
    );
    if (!problem) return { name, state: /<skipped\b/.test(body) ? "skipped" : "passed" };
    const text = unescapeXml(problem[2] ?? "").trim();
    const className = attribute(attributes, "classname");
    const file = attribute(attributes, "file") ?? fileOfClass(className) ?? javaFile(className, text);
    failures.push({
      name: title,
      ...(file !== undefined && { file: inWorkspace(file) }),
      message: short(text || (attribute(problem[1] ?? "", "message") ?? "")),
    });
    return { name, state: "failed" };
  });
  return count(tests, failures);
}

interface GoEvent {
  Action: string;
  Package: string;
  Test?: string;
  Output?: string;
}

function go({ stdout }: TestOutput): TestReport {
  const events = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as GoEvent);
  if (events.length === 0) throw new Error("no report");
  const nameOf = ({ Package, Test }: GoEvent) => (Test === undefined ? Package : `${Package} ${Test}`);
  const output = Map.groupBy(
    events.filter(({ Action }) => Action === "output"),
    nameOf,
  );
  const ended = events.filter(({ Action }) => ["pass", "fail", "skip"].includes(Action));
  const failedTests = ended.filter(({ Action, Test }) => Action === "fail" && Test !== undefined);
  const brokenPackages = ended.filter(
    ({ Action, Test, Package }) =>
      Action === "fail" && Test === undefined && !failedTests.some((test) => test.Package === Package),
  );
  const failures = [...failedTests, ...brokenPackages].map((event) => {
    const message = (output.get(nameOf(event)) ?? []).map(({ Output = "" }) => Output).join("");
    const file = /(\S+_test\.go):\d+/.exec(message)?.[1];
    return { name: nameOf(event), ...(file !== undefined && { file }), message: short(message) };
  });
  const tests = ended
    .filter(({ Test }) => Test !== undefined)
    .map((event) => ({ name: nameOf(event), state: stateOf(event.Action) }));
  return count(tests, failures);
}

function cargo({ stdout, stderr }: TestOutput): TestReport {
  const tests = [...stdout.matchAll(/^test (.+?)(?: - .*)? \.\.\. (ok|FAILED|ignored)/gm)];
  if (tests.length === 0) {
    const problem = /^error(?:\[\w+\])?: .*(?:\n {1,}.*)*/m.exec(stderr)?.[0];
    if (problem === undefined) throw new Error("no report");
    return count([], [{ name: "build", message: short(problem) }]);
  }
  const failures = tests
    .filter(([, , state]) => state === "FAILED")
    .map(([, name = ""]): TestFailure => {
      const header = `---- ${name} stdout ----`;
      const [, after = ""] = stdout.split(header);
      const message = after.split(/^(?:---- .* stdout ----|failures:)$/m)[0] ?? "";
      const file = /panicked at (?:.*, )?(\S+\.rs):\d+/.exec(message)?.[1];
      return { name, ...(file !== undefined && { file }), message: short(message) };
    });
  return count(
    tests.map(([, name = "", state = ""]) => ({ name, state: stateOf(state) })),
    failures,
  );
}

/** `python -m unittest -v`, which reports on stderr. */
function unittest({ stderr }: TestOutput): TestReport {
  const ran = /^Ran (\d+) tests? in/m.exec(stderr)?.[1];
  if (ran === undefined) throw new Error("no report");
  const blocks = stderr.split(/^={70}$/m).slice(1);
  const failures = blocks.map((block): TestFailure => {
    const name = /^(?:FAIL|ERROR): (.*)$/m.exec(block)?.[1] ?? "";
    const file = [...block.matchAll(/^ {2}File "([^"]+)", line \d+/gm)].at(-1)?.[1];
    const message = block.split(/^-{70}$/m)[1] ?? block;
    return { name, ...(file !== undefined && { file: inWorkspace(file) }), message: short(message) };
  });
  const skipped = Number(/skipped=(\d+)/.exec(stderr)?.[1] ?? 0);
  const tests = [...stderr.matchAll(/^(\w+ \([\w.]+\)).*? \.\.\. (ok|FAIL|ERROR|skipped)/gm)].map(
    ([, name = "", word = ""]): TestState => ({
      name,
      state: word === "ok" ? "passed" : word === "skipped" ? "skipped" : "failed",
    }),
  );
  const passed = Number(ran) - failures.length - skipped;
  return { passed, failed: failures.length, skipped, failures, tests };
}

function inWorkspace(file: string): string {
  return file.replace(/^(file:\/\/)?\/ws\//, "");
}

/** Frames of the runtime and of the runner: they lead to nothing that the project could change. */
const runnerFrame =
  /^\s+at (?:java\.base\/|jdk\.internal\.|sun\.reflect\.|org\.junit\.|org\.opentest4j\.|junit\.|org\.hamcrest\.|org\.assertj\.|org\.apache\.maven\.|org\.gradle\.)|^\s+at (?:async )?(?:.*\()?(?:node:|(?:file:\/\/)?\S*\/node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?(?:@?vitest|@?jest|jest-[\w-]+|mocha|chai|expect|tinypool|vite-node)\/|new Promise \(<anonymous>|Array\.map \(<anonymous>)/;

/** What Node prints of an assertion beside the two values; the line with `==` says it already. */
const assertionDetail =
  /^\s+(?:generatedMessage: (?:true|false)|code: 'ERR_ASSERTION'|operator: '[\w=!]+'|diff: '\w+'),?$/;

const maxMessage = 2_000;

function short(message: string): string {
  const text = withoutTerminalCodes(message)
    .split("\n")
    .filter((line) => !runnerFrame.test(line) && !assertionDetail.test(line))
    .join("\n")
    .trim()
    .replaceAll(/(?:file:\/\/)?\/ws\//g, "");
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text;
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
  return found === undefined ? undefined : unescapeXml(found);
}

/** pytest names the module, not the file: `tests.test_a.TestClass` is in `tests/test_a.py`. */
function fileOfClass(className: string | undefined): string | undefined {
  const parts = className?.split(".") ?? [];
  const end = parts.findIndex((part) => /^test_|_test$/.test(part));
  return end === -1 ? undefined : `${parts.slice(0, end + 1).join("/")}.py`;
}

/** By the frame of the class in the stack: `shop.PriceTest` in `PriceTest.java` is `shop/PriceTest.java`, below some folder of sources. */
function javaFile(className: string | undefined, stack: string): string | undefined {
  const outer = className?.replace(/\$.*/, "");
  const frame = stack.split("\n").find((line) => outer !== undefined && line.includes(`at ${outer}`));
  const name = /\((\w+\.\w+):\d+\)/.exec(frame ?? "")?.[1];
  if (outer === undefined || name === undefined) return undefined;
  return [...outer.split(".").slice(0, -1), name].join("/");
}

function unescapeXml(text: string): string {
  const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return text
    .replace(/<!\[CDATA\[(.*?)\]\]>/gs, "$1")
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return hex === undefined ? (named[name] ?? whole) : String.fromCodePoint(Number.parseInt(hex, 16));
    });
}
