import { expect, test } from "vitest";
import type { Effect } from "../tool/effects.ts";
import { rulesToRemember } from "./remembered-rules.ts";
import { rememberChoices } from "./widths.ts";

const policy = { user: [], workspace: { rules: [], trusted: false }, session: [] };
const choicesFor = (name: string, effect: Effect) =>
  rememberChoices({
    remember: rulesToRemember({ name, can: [effect.kind] }, { byDefault: "ask", judged: [effect], policy }),
  });

test("a remembered yes has widths in words: this file, its folder, the tool; for this session, always", () => {
  const choices = choicesFor("write_file", { kind: "write", path: "src/main.js", replaces: true });
  expect(choices.map(({ label, scope }) => `${scope}: ${label}`)).toEqual([
    "session: write_file on src/main.js, for this session",
    "session: everything in src/, for this session",
    "session: every file with write_file, for this session",
    "user: write_file on src/main.js, always in this folder",
    "user: everything in src/, always in this folder",
    "user: every file with write_file, always in this folder",
  ]);
  expect(choices[1]?.rules).toEqual([{ decision: "allow", tool: "write_file", path: "src/**" }]);
});

test("a command is remembered as it is, a protected name by its name alone, and nothing is offered where no rule would do", () => {
  const command = choicesFor("run_code", { kind: "run", command: "npm test", network: "off" });
  expect(new Set(command.map(({ label }) => label.split(",")[0]))).toEqual(new Set(["the command npm test"]));
  const secret = choicesFor("write_file", { kind: "write", path: "src/.env", replaces: true });
  expect(secret.every(({ rules }) => rules.every(({ path }) => path === "src/.env"))).toBe(true);
  expect(rememberChoices({ remember: undefined })).toEqual([]);
});
