import { describe, expect, test } from "vitest";
import type { Effect } from "../tool/effects.ts";
import { decide } from "./decide.ts";
import { nextMode, type PermissionMode, permissionModes } from "./modes.ts";
import type { Rule } from "./rules.ts";

const replace = (path: string): Effect => ({ kind: "write", path, replaces: true });
const create = (path: string): Effect => ({ kind: "write", path, replaces: false });
const remove = (path: string): Effect => ({ kind: "delete", path });
const page: Effect = { kind: "fetch", url: "https://docs.example.com/a", method: "GET" };
const confined: Effect = { kind: "run", command: "make", network: "off" };
const commit: Effect = { kind: "run", command: "git commit", network: "off" };

function judge(
  mode: PermissionMode,
  effect: Effect | undefined,
  byDefault: "auto" | "ask" = "ask",
  user: Rule[] = [],
) {
  const policy = { user, workspace: { rules: [], trusted: true }, session: [], mode };
  return decide({ tool: "some_tool", byDefault, effects: effect ? [effect] : [] }, policy).decision;
}

describe.each<[string, Effect | undefined, "auto" | "ask", Record<PermissionMode, string>]>([
  ["a file is replaced", replace("src/a.ts"), "ask", all("ask", "allow", "deny", "allow")],
  ["a new file", create("src/a.ts"), "auto", all("allow", "allow", "deny", "allow")],
  ["a file is deleted", remove("src/a.ts"), "ask", all("ask", "allow", "deny", "allow")],
  ["a manifest is made", create("package.json"), "auto", all("ask", "allow", "deny", "allow")],
  ["a protected name", replace(".git/hooks/pre-commit"), "ask", all("ask", "ask", "deny", "ask")],
  ["a protected name, new", create(".envrc"), "auto", all("ask", "ask", "deny", "ask")],
  ["a page", page, "ask", all("ask", "ask", "deny", "allow")],
  ["a page that needs no approval", page, "auto", all("allow", "allow", "deny", "allow")],
  ["confined code", confined, "auto", all("allow", "allow", "allow", "allow")],
  ["a commit", commit, "ask", all("ask", "ask", "deny", "allow")],
  ["a command outside the sandbox", { ...commit, outside: true }, "ask", all("ask", "ask", "deny", "ask")],
  ["a file is read", { kind: "read", path: "a" }, "auto", all("allow", "allow", "allow", "allow")],
  ["a document", { kind: "record", what: "document" }, "auto", all("allow", "allow", "allow", "allow")],
  ["nothing is known of it", undefined, "ask", all("ask", "ask", "deny", "allow")],
])("%s", (_, effect, byDefault, expected) => {
  test.each(permissionModes)("in the mode %s", (mode) => {
    expect(judge(mode, effect, byDefault)).toBe(expected[mode]);
  });
});

function all(ask: string, edits: string, plan: string, auto: string): Record<PermissionMode, string> {
  return { ask, edits, plan, auto };
}

test.each(permissionModes)("no mode overrides a deny: %s", (mode) => {
  expect(judge(mode, replace("src/a.ts"), "ask", [{ decision: "deny", path: "src/**" }])).toBe("deny");
});

test.each(["edits", "auto"] as const)("a rule that asks, asks in the mode %s", (mode) => {
  expect(judge(mode, replace("src/a.ts"), "ask", [{ decision: "ask", path: "src/**" }])).toBe("ask");
});

test("plan stands above rules that allow, and says what to do instead", () => {
  const user: Rule[] = [{ decision: "allow" }];
  expect(judge("plan", replace("src/a.ts"), "ask", user)).toBe("deny");
  const policy = { user, workspace: { rules: [], trusted: true }, session: [], mode: "plan" } as const;
  const { because } = decide({ tool: "t", byDefault: "auto", effects: [page] }, policy);
  expect(because).toMatch(/in plan mode nothing is changed and nothing is sent; read what you need/);
});

test("a key walks through all modes", () => {
  const seen: PermissionMode[] = ["ask"];
  for (const _ of permissionModes) seen.push(nextMode(seen.at(-1) ?? "ask"));
  expect(seen).toEqual(["ask", "edits", "plan", "auto", "ask"]);
});
