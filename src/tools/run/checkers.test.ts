import { expect, test } from "vitest";
import { runCommand } from "../../process/run.ts";
import { testWield } from "../../testing/testing.ts";
import { checkers, chooseChecks } from "./checkers.ts";
import { newFindings } from "./findings.ts";

const eslint = JSON.stringify([
  { filePath: "/ws/a.js", messages: [{ line: 3, ruleId: "no-undef", message: "'x' is not defined." }] },
]);
const pyright = JSON.stringify({
  generalDiagnostics: [
    {
      file: "/ws/a.py",
      severity: "error",
      message: "Type mismatch\n  more",
      rule: "reportArgumentType",
      range: { start: { line: 1 } },
    },
    { file: "/ws/a.py", severity: "warning", message: "Unused", range: { start: { line: 4 } } },
  ],
});

const printed: Record<string, [text: string, file: string, line: number, code: string]> = {
  tsc: ["src/a.ts(3,7): error TS2322: Type 'x' is not assignable.\nFound 1 error.", "src/a.ts", 3, "TS2322"],
  biome: [
    "::error title=lint/suspicious/noDebugger,file=a.js,line=2,endLine=2,col=3,endColumn=12::No debugger.",
    "a.js",
    2,
    "lint/suspicious/noDebugger",
  ],
  eslint: [eslint, "/ws/a.js", 3, "no-undef"],
  ruff: ["a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.", "a.py", 1, "F401"],
  mypy: ["a.py:2: error: Incompatible return value type  [return-value]", "a.py", 2, "return-value"],
  pyright: [pyright, "/ws/a.py", 2, "reportArgumentType"],
  "cargo check": ["src/main.rs:2:18: error[E0308]: mismatched types", "src/main.rs", 2, "E0308"],
  "go vet": ["# shop\n./main.go:5:2: fmt.Printf format %d has arg of wrong type", "main.go", 5, ""],
};

test.each(checkers)("$name: what it prints is read", ({ name, read }) => {
  const [text, file, line, code] = printed[name] ?? ["", "", 0, ""];
  expect(read({ stdout: text, stderr: "" })).toMatchObject([{ file, line, code }]);
  expect(read({ stdout: "something else", stderr: "" }) ?? []).toEqual([]);
});

test("a finding that moved to another line is not new; a second one with the same words is", () => {
  const finding = (line: number) => ({ file: "a.ts", line, code: "TS1", message: "m" });
  expect(newFindings([finding(9)], [finding(3)])).toEqual([]);
  expect(newFindings([finding(3), finding(9)], [finding(3)])).toEqual([finding(9)]);
});

test("a checker runs in the nearest folder that sets it up, and only where it is installed", async () => {
  const place = await testWield({
    "tsconfig.json": "{}",
    "packages/web/tsconfig.json": "{}",
    "packages/web/src/a.ts": "",
    "node_modules/typescript/bin/tsc": "",
    "pyproject.toml": "[project]\nname = 'x'\n",
    "tool.py": "",
  });
  const host = { env: { PATH: "/nowhere" }, run: runCommand };
  const checks = await chooseChecks(["packages/web/src/a.ts", "tool.py"], place.wield.workspace, host);
  expect(checks).toMatchObject([
    { checker: { name: "tsc" }, directory: "packages/web", paths: ["src/a.ts"] },
  ]);
  expect(checks[0]?.tooling.command).toContain("/ws/node_modules/typescript/bin/tsc");
  await place.close();
});
