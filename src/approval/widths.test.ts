import { expect, test } from "vitest";
import { rememberChoices } from "./widths.ts";

test("a remembered yes has widths in words: this file, its folder, the tool for this session, always", () => {
  const rules = [{ decision: "allow" as const, tool: "write_file", path: "src/main.js" }];
  const choices = rememberChoices({ tool: "write_file", remember: { rules, scopes: ["session", "user"] } });
  expect(choices.map(({ label, scope }) => `${scope}: ${label}`)).toEqual([
    "session: write_file on src/main.js, for this session",
    "session: everything in src/, for this session",
    "session: every file with write_file, for this session",
    "user: write_file on src/main.js, always in this folder",
    "user: everything in src/, always",
  ]);
  expect(choices[1]?.rules).toEqual([{ decision: "allow", tool: "write_file", path: "src/**" }]);
});

test("a command and an address are remembered as they are, and nothing is offered where no rule would do", () => {
  const command = [{ decision: "allow" as const, tool: "run_code", command: "npm test" }];
  const asked = { tool: "run_code", remember: { rules: command, scopes: ["session" as const] } };
  expect(rememberChoices(asked).map(({ label }) => label)).toEqual([
    "the command npm test, for this session",
  ]);
  expect(rememberChoices({ tool: "x", remember: undefined })).toEqual([]);
});
