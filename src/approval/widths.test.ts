import { expect, test } from "vitest";
import type { Effect } from "../tool/effects.ts";
import { decide } from "./decide.ts";
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
    "session: every change in src/ by any tool, for this session",
    "session: every file with write_file, for this session",
    "user: write_file on src/main.js, always in this folder",
    "user: every change in src/ by any tool, always in this folder",
    "user: every file with write_file, always in this folder",
  ]);
  const session = [...(choices[1]?.rules ?? [])];
  const decisionOn = (tool: string, effect: Effect) =>
    decide({ tool, byDefault: "ask", effects: [effect] }, { ...policy, session }).decision;
  for (const tool of ["write_file", "edit_file", "apply_patch", "run_code"])
    expect(decisionOn(tool, { kind: "write", path: "src/deep/other.js", replaces: true })).toBe("allow");
  expect(decisionOn("delete_file", { kind: "delete", path: "src/main.js" })).toBe("allow");
  expect(decisionOn("write_file", { kind: "write", path: "lib/main.js", replaces: true })).toBe("ask");
  expect(decisionOn("write_file", { kind: "write", path: "src/.git/config", replaces: true })).toBe("ask");
  expect(decisionOn("run_code", { kind: "run", command: "cd src", network: "off" })).toBe("ask");
  const reading = choicesFor("read_file", { kind: "read", path: "src/main.js" });
  expect(reading[1]).toMatchObject({
    label: "every file in src/ with read_file, for this session",
    rules: [{ decision: "allow", tool: "read_file", path: "src/**" }],
  });
});

test("a command is remembered as it is, a protected name by its name alone, and nothing is offered where no rule would do", () => {
  const command = choicesFor("run_code", { kind: "run", command: "npm test", network: "off" });
  expect(new Set(command.map(({ label }) => label.split(",")[0]))).toEqual(new Set(["the command npm test"]));
  const secret = choicesFor("write_file", { kind: "write", path: "src/.env", replaces: true });
  expect(secret.every(({ rules }) => rules.every(({ path }) => path === "src/.env"))).toBe(true);
  expect(rememberChoices({ remember: undefined })).toEqual([]);
});
