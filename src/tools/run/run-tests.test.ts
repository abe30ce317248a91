import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { reportTexts } from "./test-report-text.ts";
import { readReport } from "./test-reports.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const hasPytest = existsSync("/usr/bin/pytest-3") || existsSync("/usr/bin/pytest");
const modules = resolve(import.meta.dirname, "../../../node_modules");
const open: TestWield[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});
const start = async (...given: Parameters<typeof testWield>) => {
  const made = await testWield(...given);
  open.push(made);
  return made;
};
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever value the tool gave
async function runTests(place: TestWield, input: Record<string, unknown> = {}): Promise<any> {
  const { result, text } = await place.wield.call("run_tests", input);
  if (!result.ok) throw new Error(text);
  return result.value;
}

/** Installs a package with all it needs, from our own. */
function install(root: string, name: string, done = new Set<string>()): void {
  const from = join(modules, name);
  if (done.has(name) || !existsSync(from)) return;
  done.add(name);
  const to = join(root, "node_modules", name);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(from, "package.json"), "utf8"),
  );
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) install(root, needed, done);
}

describe.skipIf(!hasBubblewrap)("run_tests", () => {
  test("packages that are not installed are named, with the call that installs them", async () => {
    const place = await start({
      "package.json": JSON.stringify({ devDependencies: { vitest: "*" }, scripts: { test: "vitest run" } }),
      "web/package.json": JSON.stringify({ devDependencies: { jest: "*" } }),
      "py/conftest.py": "",
      "py/test_a.py": "def test_a(): assert True\n",
    });
    const told = async (input: object) => (await place.wield.call("run_tests", input)).text;
    expect(await told({})).toContain(
      'package.json names vitest, but its packages are not installed: there is no node_modules/vitest. Call install_package({"manager":"npm","packages":[]}) first',
    );
    expect(await told({ path: "web" })).toContain("web/package.json names jest, but");
    if (!hasPytest)
      expect(await told({ path: "py" })).toContain(
        'The tests are for pytest (py/conftest.py), which is not installed. Call install_package({"manager":"pip","packages":["pytest"]})',
      );
  });

  test("a build that was not made is named, with its script", async () => {
    const place = await start({
      "package.json": JSON.stringify({
        ...{ type: "module", main: "./lib/out.js" },
        scripts: { test: "node --test", "build:all": "make" },
      }),
      "a.test.js": 'import "./lib/out.js"; import { test } from "node:test"; test("a", () => {});',
    });
    const { text } = await place.wield.call("run_tests", {});
    expect(text).toContain("lib/out.js, which package.json names, is not there: it is made by the build.");
    expect(text).toContain("with the script build:all of package.json");
    expect(text).toContain("node_modules is not there either");
  });

  test("a Python package in src/ that is not installed is found, and variables of the call are set", async () => {
    const place = await start({
      "pyproject.toml": '[project]\nname = "shop"\n',
      "src/shop/__init__.py": "VALUE = 1\n",
      "tests/__init__.py": "",
      "tests/test_shop.py": `import os, unittest
import shop
class T(unittest.TestCase):
    def test_zone(self): self.assertEqual(os.environ.get("TZ"), "Asia/Tokyo")
`,
    });
    const { text } = await place.wield.call("run_tests", { env: { TZ: "Asia/Tokyo" } });
    expect(text).toMatch(/1 passed, 0 failed/);
    expect(text).toContain(
      "The package shop is in src/ and is not installed: the tests ran with PYTHONPATH=src.",
    );
    expect((await place.wield.call("run_tests", {})).text).toMatch(/0 passed, 1 failed/);
    const wrong = await place.wield.callAny("run_tests", { env: { "A;B": "x" } });
    expect(wrong.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
  });

  test("a vitest project: failures with name, file and message, and a broken file", async () => {
    const place = await start({
      "package.json": JSON.stringify({ type: "module", devDependencies: { vitest: "*" } }),
      ".node-version": process.version,
      "src/sum.test.ts": `import { expect, test } from "vitest";
test("adds", () => expect(1 + 1).toBe(2));
test("adds wrongly", () => expect(1 + 1).toBe(3));
test.skip("later", () => {});`,
      "src/broken.test.ts": "throw new Error('cannot load')",
    });
    for (const name of ["vitest", "vite"]) install(place.root, name);
    const value = await runTests(place);
    expect(value).toMatchObject({ runner: "vitest", passed: 1, failed: 2, skipped: 1 });
    expect(value.failures).toContainEqual({
      name: "adds wrongly",
      file: "src/sum.test.ts",
      message: expect.stringMatching(/expected 2 to be 3/),
    });
    expect(value.failures).toContainEqual({
      name: "src/broken.test.ts",
      file: "src/broken.test.ts",
      message: expect.stringMatching(/cannot load/),
    });

    const one = await runTests(place, { path: "src/sum.test.ts", filter: "adds wrongly" });
    expect(one).toMatchObject({ passed: 0, failed: 1 });
    const { text } = await place.wield.call("run_tests", { path: "src/sum.test.ts", filter: "^adds$" });
    expect(text).toMatch(/^vitest: 1 passed, 0 failed/);
  });

  test("a node:test project in a folder of its own", async () => {
    const place = await start({
      "pkg/package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
      "pkg/a.test.js": `import assert from "node:assert"; import { test } from "node:test";
test("good", () => {}); test("bad <&>", () => assert.strictEqual("a", "b")); test("later", { skip: true }, () => {});`,
    });
    const value = await runTests(place, { path: "pkg" });
    expect(value).toMatchObject({ runner: "node:test", passed: 1, failed: 1, skipped: 1 });
    place.write("pkg/deep/test/b.js", 'import { test } from "node:test"; test("deep", () => {});');
    expect(await runTests(place, { path: "pkg/deep" })).toMatchObject({ passed: 1, failed: 0 });
    place.write("pkg/none/c.js", "throw new Error('no test');");
    await expect(runTests(place, { path: "pkg/none" })).rejects.toThrow(
      "no tests of node:test below pkg/none",
    );
    expect(value.failures).toEqual([
      { name: "bad <&>", file: "pkg/a.test.js", message: expect.stringMatching(/strictly equal/) },
    ]);
  });

  test.each([[process.version], ["20"]])(
    "node:test with Node %s: hooks and files that break tell why; frames and paths are the project's",
    async (version) => {
      const place = await start({
        ".node-version": version,
        "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
        "a.test.js": `import assert from "node:assert"; import { before, describe, it, test } from "node:test";
test("good", () => {});
describe("group", () => { before(() => { throw new Error("hook broke"); }); it("never runs", () => {}); });
describe("outer", () => { it("inner", () => assert.strictEqual("a", "b")); });`,
        "b.test.js": 'import { test } from "node:test"; test("other", () => {});',
        "c.test.js": 'throw new Error("cannot load");',
      });
      const value = await runTests(place);
      expect(value).toMatchObject({ passed: 2, skipped: 0 });
      const names = value.failures.map(({ name }: { name: string }) => name);
      expect(names.toSorted()).toEqual(["c.test.js", "group", "outer > inner"]);
      const messageOf = (name: string) =>
        value.failures.find((failure: { name: string }) => failure.name === name).message;
      expect(messageOf("group")).toMatch(/Error: hook broke\n\s+at .*a\.test\.js:3/);
      expect(messageOf("c.test.js")).toMatch(/cannot load/);
      expect(messageOf("outer > inner")).toMatch(/\(?a\.test\.js:4:\d+\)?/);
      const all = value.failures.map(({ message }: { message: string }) => message).join("\n");
      expect(all).not.toMatch(/file:\/\/|\/ws\/|node:internal|node:async_hooks/);

      const filtered = await runTests(place, { filter: "^good$" });
      expect(filtered).toMatchObject({ passed: 1 });
      const none = await place.wield.call("run_tests", { path: "b.test.js", filter: "no such name" });
      expect(none.result).toMatchObject({ ok: true, value: { passed: 0, failed: 0 } });
      expect(none.text).toContain('No test matched "no such name": nothing was tested.');
    },
  );

  test("a vitest hook that fails tells why, each failure once, without frames of the runner", async () => {
    const place = await start({
      ".node-version": process.version,
      "package.json": JSON.stringify({ type: "module", devDependencies: { vitest: "*" } }),
      "a.test.js": `import { beforeAll, describe, expect, test } from "vitest";
describe("group", () => { beforeAll(() => { throw new Error("hook broke"); }); test("never runs", () => {}); });
test("bad", () => { expect({ a: 1 }).toEqual({ a: 2 }); });`,
    });
    for (const name of ["vitest", "vite"]) install(place.root, name);
    const { result, text } = await place.wield.call("run_tests", {});
    expect(result).toMatchObject({ ok: true, value: { runner: "vitest", failed: 2 } });
    expect(text.match(/hook broke/g)).toHaveLength(1);
    expect(text).toMatch(/✗ group \(a\.test\.js\)\n\s+Error: hook broke\n\s+at .*a\.test\.js:2:/);
    expect(text).toMatch(/✗ bad \(a\.test\.js\)/);
    expect(text).not.toMatch(/node_modules|file:\/\/|\/ws\/|\\u\{1b\}/);
  });

  test("options, files and variables of the project's own test script hold", async () => {
    const place = await start({
      "package.json": JSON.stringify({
        scripts: { test: "MODE=strict node --test --require ./setup.cjs 'spec/*.cjs' && echo done" },
      }),
      "setup.cjs": "globalThis.isSetUp = true;",
      "spec/a.cjs": `require("node:test").test("sees it", () => {
  if (!globalThis.isSetUp || process.env.MODE !== "strict") throw new Error("not set up"); });`,
      "test/b.cjs": 'throw new Error("not named by the script")',
      ".node-version": process.version,
    });
    expect(await runTests(place)).toMatchObject({ runner: "node:test", passed: 1, failed: 0 });
  });

  test("tests past their time are a failure, not a result", async () => {
    const place = await start(
      {},
      { settings: { execution: { testCommand: ["bash", "-c", "echo begun; exec sleep 60"] } } },
    );
    const { result, text } = await place.wield.call("run_tests", { timeout: 5 });
    expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
    expect(text).toContain("begun");
  });

  test.skipIf(!hasPytest)("a pytest project; the workspace stays clean", async () => {
    const place = await start({
      "pyproject.toml": "[project]\nname = 'x'\n",
      "app.py": "def add(a, b):\n    return a - b\n",
      "tests/test_app.py":
        "from app import add\nimport pytest\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_ok():\n    pass\n\n@pytest.mark.skip\ndef test_later():\n    pass\n",
      "conftest.py": "",
    });
    const value = await runTests(place);
    expect(value).toMatchObject({ runner: "pytest", passed: 1, failed: 1, skipped: 1 });
    expect(value.failures).toEqual([
      { name: "test_add", file: "tests/test_app.py", message: expect.stringMatching(/assert -1 == 3/) },
    ]);
    expect(existsSync(join(place.root, "__pycache__"))).toBe(false);
    expect(await runTests(place, { filter: "ok" })).toMatchObject({ passed: 1, failed: 0 });
  });

  test.skipIf(!hasPytest)("one file of a folder of tests runs where all of them run", async () => {
    const place = await start({
      "shop/__init__.py": "",
      "test/data.txt": "12\n",
      "test/__init__.py": "",
      "test/test_shop.py":
        "import shop\n\ndef test_data():\n    assert open('test/data.txt').read() == '12\\n'\n",
      "tools/py/test_tool.py": "def test_tool():\n    assert open('tools/py/test_tool.py')\n",
    });
    for (const path of ["test/test_shop.py", "test", "tools/py/test_tool.py"])
      expect(await runTests(place, { path })).toMatchObject({ runner: "pytest", passed: 1, failed: 0 });
  });

  test("a configured command, passing and failing", async () => {
    const settings = (code: string) => ({ settings: { execution: { testCommand: ["bash", "-c", code] } } });
    const failing = await runTests(await start({}, settings("echo running; echo broken >&2; exit 2")));
    expect(failing).toMatchObject({ passed: 0, failed: 1, output: "running\n\nbroken\n" });
    expect(failing.failures[0].message).toMatch(/Exit code 2 after \d+ ms\.\nbroken/);
    expect(await runTests(await start({}, settings("true")))).toMatchObject({
      passed: 1,
      failed: 0,
      failures: [],
    });
  });

  test("python's own unittest where there is no pytest", async () => {
    const stderr = `test_a (test_x.T) ... ok
test_b (test_x.T) ... FAIL
test_c (test_x.T) ... skipped 'why'

======================================================================
FAIL: test_b (test_x.T)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/ws/test_x.py", line 7, in test_b
    self.assertEqual(1, 2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 3 tests in 0.001s

FAILED (failures=1, skipped=1)
`;
    expect(readReport("unittest", { report: "", stdout: "", stderr })).toMatchObject({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: [
        {
          name: "test_b (test_x.T)",
          file: "test_x.py",
          message: expect.stringMatching(/AssertionError: 1 != 2$/),
        },
      ],
    });
  });

  test("a project without tests is told what is missing", async () => {
    const { text } = await (await start({ "a.txt": "" })).wield.call("run_tests", {});
    expect(text).toMatch(/^UNAVAILABLE: No tests that Wield can run were found at \. \(it knows vitest, /);
  });
});

test("failures that differ only in their values are told once, with the names of the others", () => {
  const failures = [1, 2, 3, 4, 5].map((hour) => ({
    name: `zone ${hour}`,
    file: "a.test.js",
    message: `Expected: "T0${hour}:00-04:00"\nReceived: "T0${hour + 4}:00+00:00"\n    at a.test.js:${hour}:1`,
  }));
  const other = { name: "sum", file: "b.test.js", message: "Expected: 3\nTypeError: no" };
  const run = { runner: "jest", passed: 0, failed: 6, skipped: 0, output: "" };
  const [text = ""] = reportTexts({ ...run, failures: [...failures, other] });
  expect(text.match(/Received/g)).toHaveLength(2);
  expect(text).toContain("3 more fail in the same way, with other values:\n✗ zone 3 (a.test.js)\n");
  expect(text).toMatch(/✗ sum \(b\.test\.js\)\n {4}Expected: 3\n {4}TypeError: no/);
});

test("where not all failures fit, the first ones are shown completely and the others by name", () => {
  const failures = Array.from({ length: 60 }, (_, i) => ({
    name: `case ${"x".repeat(i)}`,
    message: `${"because ".repeat(20 + i)}it failed`,
  }));
  const [, fitting] = reportTexts({ runner: "x", passed: 0, failed: 60, skipped: 0, failures, output: "" });
  const text = fitting(900);
  expect(estimateTokens(text)).toBeLessThanOrEqual(900);
  expect(text).toContain("✗ case \n    because because");
  expect(text.match(/it failed/g)?.length).toBeGreaterThan(3);
  expect(text).toMatch(/✗ case x{12}\n.*\n… and \d+ more$/s);
  expect(fitting(100_000).match(/it failed/g)).toHaveLength(60);
});

describe("reports of other runners", () => {
  test("mocha", () => {
    const report = JSON.stringify({
      passes: [{ fullTitle: "math starts" }, { fullTitle: "math ends" }],
      pending: [{ fullTitle: "math divides" }],
      failures: [
        {
          fullTitle: "math adds",
          file: "/ws/test/math.js",
          err: { message: "no", stack: "AssertionError: no\n  at /ws/test/math.js:3:1" },
        },
      ],
    });
    expect(readReport("mocha", { report, stdout: "", stderr: "" })).toMatchObject({
      passed: 2,
      failed: 1,
      skipped: 1,
      failures: [
        { name: "math adds", file: "test/math.js", message: "AssertionError: no\n  at test/math.js:3:1" },
      ],
    });
  });

  test("go test", () => {
    const event = (Action: string, Test?: string, Output?: string) =>
      JSON.stringify({ Action, Package: "ex/p", Test, Output });
    const stdout = [
      event("run", "TestA"),
      event("output", "TestA", "    p_test.go:7: got 1\n"),
      event("fail", "TestA"),
      event("pass", "TestB"),
      event("skip", "TestC"),
      event("fail"),
    ].join("\n");
    expect(readReport("go", { report: "", stdout, stderr: "" })).toMatchObject({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: [{ name: "ex/p TestA", file: "p_test.go", message: "p_test.go:7: got 1" }],
    });
  });

  test("cargo test, and a build that fails", () => {
    const stdout = `running 3 tests
test tests::good ... ok
test tests::bad ... FAILED
test tests::later ... ignored

failures:

---- tests::bad stdout ----

thread 'tests::bad' (54) panicked at src/lib.rs:9:9:
assertion failed


failures:
    tests::bad

`;
    expect(readReport("cargo", { report: "", stdout, stderr: "" })).toMatchObject({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: [
        {
          name: "tests::bad",
          file: "src/lib.rs",
          message: expect.stringMatching(/^thread .*\nassertion failed$/),
        },
      ],
    });
    const build = readReport("cargo", {
      report: "",
      stdout: "",
      stderr: "error[E0425]: cannot find value `x`\n --> src/lib.rs:1:1\n",
    });
    expect(build?.failures[0]).toEqual({ name: "build", message: expect.stringMatching(/E0425/) });
  });

  test("what is no report is none", () => {
    for (const format of ["jest", "mocha", "junit", "go", "cargo", "unittest"] as const) {
      expect(readReport(format, { report: "oops", stdout: "oops", stderr: "oops" })).toBeUndefined();
    }
  });
});
