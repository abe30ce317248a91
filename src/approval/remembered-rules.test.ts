import { describe, expect, test } from "vitest";
import fc from "../testing/properties.ts";
import type { Effect } from "../tool/effects.ts";
import { decide, type Policy } from "./decide.ts";
import { rulesToRemember, withRule } from "./remembered-rules.ts";
import { matches, type Rule } from "./rules.ts";

const write = (path: string): Effect => ({ kind: "write", path, replaces: true });
const none: Policy = { user: [], workspace: { rules: [], trusted: false }, session: [] };
const tool = { name: "edit_files", can: ["read", "write", "delete", "fetch", "run"] as const };
const remember = (effects: readonly Effect[], policy = none, byDefault: "auto" | "ask" = "ask") =>
  rulesToRemember(tool, { byDefault, judged: effects, policy });
const rulesOf = (...effects: Effect[]) => [...(remember(effects)?.rules ?? [])];
const covers = (rules: readonly Rule[], path: string) =>
  decide({ tool: tool.name, byDefault: "ask", effects: [write(path)] }, { ...none, session: rules })
    .decision === "allow";

describe("what a remembered yes saves", () => {
  test.each([
    [["a.txt", "b.txt"]],
    [["a..b", "c"]],
    [["x{1,2}", "y[0]/z"]],
    [["(g)/page", "a|b", "!x", "a\\b", "*", "$x"]],
    [["package.json", "src/a.ts"]],
    [[".github/workflows/ci.yml", "x/Makefile", "[a] b.code-workspace"]],
  ])("covers %j and nothing else", (paths) => {
    const rules = rulesOf(...paths.map(write));
    expect(rules).not.toEqual([]);
    for (const path of paths) expect(covers(rules, path), path).toBe(true);
    for (const path of [
      "c.txt",
      "1",
      "b",
      "x1",
      "y",
      "z/q",
      "a",
      "(g)",
      "a..c",
      "sub/package.json",
      "Makefile",
    ])
      expect(covers(rules, path) && !paths.includes(path), path).toBe(false);
  });

  test("of very many names in one folder is that folder, and protected names in it one by one", () => {
    const many = Array.from({ length: 30 }, (_, n) => write(`src/(a)/f${n}`));
    expect(rulesOf(...many, write("src/(a)/.npmrc")).map(({ path }) => path)).toEqual([
      "src/\\(a\\)/**",
      "src/\\(a\\)/.npmrc",
    ]);
    expect(covers(rulesOf(...many, write("b")), "c")).toBe(false);
  });

  test("of reading is about what is read", () => {
    expect(rulesOf({ kind: "read", path: "secrets/a" }).map(({ path }) => path)).toEqual(["secrets/a"]);
  });

  test("leaves out what is allowed already", () => {
    const policy = { ...none, user: [{ decision: "allow" as const, path: "src/**" }] };
    expect(remember([write("src/a.ts"), write("b.ts")], policy)?.rules).toEqual([
      { decision: "allow", tool: "edit_files", path: "b.ts" },
    ]);
  });

  test("is not offered where the tool as a whole would have to be allowed, though it can do more", () => {
    const record: Effect = { kind: "record", what: "a note" };
    expect(remember([record])).toBeUndefined();
    expect(remember([])).toBeUndefined();
    const plan = { name: "createPlan", can: ["record"] as const };
    expect(rulesToRemember(plan, { byDefault: "ask", judged: [record], policy: none })?.rules).toEqual([
      { decision: "allow", tool: "createPlan" },
    ]);
  });

  test("is never a pattern over hosts", () => {
    expect(remember([{ kind: "fetch", url: "http://*.example.com/", method: "GET" }])).toBeUndefined();
  });

  test("is offered for the session alone where the workspace wants to be asked", () => {
    const workspace = { rules: [{ decision: "ask" as const, path: "a.txt" }], trusted: false };
    expect(remember([write("a.txt")], { ...none, workspace })?.scopes).toEqual(["session"]);
    expect(remember([write("b.txt")], { ...none, workspace })?.scopes).toEqual(["session", "user"]);
  });
});

test("a rule is saved once, before what denies and behind what asks", () => {
  const rules: Rule[] = [
    { decision: "ask", path: "a" },
    { decision: "deny", path: "b" },
  ];
  const allow: Rule = { decision: "allow", tool: "edit_file", path: "a" };
  const once = withRule(rules, allow);
  expect(once.map(({ decision }) => decision)).toEqual(["ask", "allow", "deny"]);
  expect(withRule(once, { ...allow })).toEqual(once);
});

test("for any effects: the same call goes through next time, in this session and in the next process", () => {
  const name = fc.oneof(
    fc.constantFrom(
      "a.txt",
      "package.json",
      ".git",
      "src",
      "Makefile",
      "@(x)",
      "a b",
      "!n",
      "..x",
      "team.code-workspace",
    ),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }).map((text) => text.replaceAll("/", "_")),
  );
  const path = fc
    .array(name, { minLength: 1, maxLength: 3 })
    .map((names) => names.join("/"))
    .filter((one) => one !== "." && !one.split("/").some((part) => part === ".." || part === "."));
  const effect: fc.Arbitrary<Effect> = fc.oneof(
    path.map((one): Effect => ({ kind: "read", path: one })),
    path.map((one): Effect => write(one)),
    path.map((one): Effect => ({ kind: "delete", path: one })),
    fc.webUrl().map((url): Effect => ({ kind: "fetch", url, method: "GET" })),
    fc.string({ minLength: 1 }).map((command): Effect => ({ kind: "run", command, network: "off" })),
  );
  const rule: fc.Arbitrary<Rule> = fc.oneof(
    fc.constantFrom<Rule>(
      { decision: "ask" },
      { decision: "ask", path: "src" },
      { decision: "allow", path: "**" },
    ),
    fc.constantFrom<Rule>({ decision: "ask", tool: "edit_*" }, { decision: "allow", tool: "edit_files" }),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(effect, { minLength: 1, maxLength: 30, selector: (one) => JSON.stringify(one) }),
      fc.array(rule, { maxLength: 3 }),
      fc.constantFrom("auto" as const, "ask" as const),
      (effects, user, byDefault) => {
        const policy = { ...none, user };
        const judged = (later: Policy) => decide({ tool: tool.name, byDefault, effects }, later).decision;
        if (judged(policy) !== "ask") return;
        const { rules = [], scopes = [] } = remember(effects, policy, byDefault) ?? {};
        expect(judged({ ...policy, session: rules })).toBe("allow");
        expect(scopes).toEqual(["session", "user"]);
        const saved = rules.reduce(withRule, user);
        expect(judged({ ...policy, user: saved })).toBe("allow");
        expect(rules.reduce(withRule, saved)).toEqual(saved);
        for (const one of rules) expect(effects.some((each) => matches(one, tool.name, each))).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
