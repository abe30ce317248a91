export interface TestFailure {
  name: string;
  file?: string;
  message: string;
}

export interface TestReport {
  passed: number;
  failed: number;
  skipped: number;
  failures: TestFailure[];
}

export type ReportFormat = keyof typeof readers;

export interface TestOutput {
  /** What the runner wrote to the outbox; empty when it wrote nothing. */
  report: string;
  stdout: string;
  stderr: string;
}

/** Reads what a runner reported; undefined when there is nothing to read, because it did not get that far. */
export function readReport(format: ReportFormat, output: TestOutput): TestReport | undefined {
  try {
    return readers[format](output);
  } catch {
    return undefined;
  }
}

const readers = { jest, mocha, junit, go, cargo, unittest, none: () => undefined } satisfies Record<
  string,
  (output: TestOutput) => TestReport | undefined
>;

function count(states: readonly string[], failures: TestFailure[]): TestReport {
  const of = (...words: string[]) => states.filter((state) => words.includes(state)).length;
  return {
    passed: of("passed", "pass", "ok"),
    failed: Math.max(of("failed", "fail", "FAILED"), failures.length),
    skipped: of("pending", "skipped", "skip", "todo", "ignored", "disabled"),
    failures,
  };
}

interface JestReport {
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
}

/** jest, and vitest in its likeness. A file that could not even be loaded is a failure of its own. */
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
  return count(
    testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status)),
    failures,
  );
}

interface MochaReport {
  stats: { passes: number; pending: number };
  failures: { fullTitle: string; file?: string; err: { message?: string; stack?: string } }[];
}

function mocha({ report }: TestOutput): TestReport {
  const { stats, failures } = JSON.parse(report) as MochaReport;
  const list = failures.map(({ fullTitle, file, err }) => ({
    name: fullTitle,
    ...(file !== undefined && { file: inWorkspace(file) }),
    message: short(err.stack ?? err.message ?? ""),
  }));
  return { passed: stats.passes, failed: list.length, skipped: stats.pending, failures: list };
}

/** pytest and node:test. Only what both write is read: cases with a failure, an error or a skip inside. */
function junit({ report }: TestOutput): TestReport {
  const cases = [...report.matchAll(/<testcase\b((?:[^>"]|"[^"]*")*?)(?:\/>|>(.*?)<\/testcase>)/gs)];
  if (cases.length === 0 && !report.includes("<testsuite")) throw new Error("no report");
  const failures: TestFailure[] = [];
  const states = cases.map(([, attributes = "", body = ""]) => {
    const problem = /<(?:failure|error)\b((?:[^>"]|"[^"]*")*?)(?:\/>|>(.*?)<\/(?:failure|error)>)/s.exec(
      body,
    );
    if (!problem) return /<skipped\b/.test(body) ? "skipped" : "passed";
    const file = attribute(attributes, "file") ?? fileOfClass(attribute(attributes, "classname"));
    const text = unescapeXml(problem[2] ?? "").trim();
    failures.push({
      name: attribute(attributes, "name") ?? "",
      ...(file !== undefined && { file: inWorkspace(file) }),
      message: short(text || (attribute(problem[1] ?? "", "message") ?? "")),
    });
    return "failed";
  });
  return count(states, failures);
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
  return count(
    ended.filter(({ Test }) => Test !== undefined).map(({ Action }) => Action),
    failures,
  );
}

function cargo({ stdout, stderr }: TestOutput): TestReport {
  const tests = [...stdout.matchAll(/^test (.+?)(?: - .*)? \.\.\. (ok|FAILED|ignored)/gm)];
  if (tests.length === 0) {
    const problem = /^error(?:\[\w+\])?: .*(?:\n {1,}.*)*/m.exec(stderr)?.[0];
    if (problem === undefined) throw new Error("no report");
    return { passed: 0, failed: 1, skipped: 0, failures: [{ name: "build", message: short(problem) }] };
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
    tests.map(([, , state = ""]) => state),
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
  return { passed: Number(ran) - failures.length - skipped, failed: failures.length, skipped, failures };
}

function inWorkspace(file: string): string {
  return file.replace(/^(file:\/\/)?\/ws\//, "");
}

const maxMessage = 2_000;

function short(message: string): string {
  const text = message.trim().replaceAll("/ws/", "");
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

function unescapeXml(text: string): string {
  const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return text
    .replace(/<!\[CDATA\[(.*?)\]\]>/gs, "$1")
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return hex === undefined ? (named[name] ?? whole) : String.fromCodePoint(Number.parseInt(hex, 16));
    });
}
