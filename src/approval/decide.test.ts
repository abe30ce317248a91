import { describe, expect, test } from "vitest";
import type { Effect } from "../tool/effects.ts";
import { decide, type Policy } from "./decide.ts";
import type { PermissionMode } from "./modes.ts";
import { matches, type Rule, ruleSchema } from "./rules.ts";

const write = (path: string, replaces = false): Effect => ({ kind: "write", path, replaces });
const policy = (layers: {
  user?: Rule[];
  workspace?: Rule[];
  trusted?: boolean;
  session?: Rule[];
}): Policy => ({
  user: layers.user ?? [],
  workspace: { rules: layers.workspace ?? [], trusted: layers.trusted ?? false },
  session: layers.session ?? [],
});
const judge = (effects: Effect[], layers: Parameters<typeof policy>[0], byDefault: "auto" | "ask" = "ask") =>
  decide({ tool: "write_file", byDefault, effects }, policy(layers)).decision;

describe("the default of the tool", () => {
  test("auto is allow, ask is ask", () => {
    expect(judge([write("a")], {}, "auto")).toBe("allow");
    expect(judge([write("a")], {}, "ask")).toBe("ask");
  });
  test("a call without effects is judged too", () => {
    expect(judge([], { user: [{ decision: "deny", tool: "write_*" }] }, "auto")).toBe("deny");
  });
});

describe("rules", () => {
  test("the last match wins, across layers", () => {
    const user: Rule[] = [{ decision: "deny" }, { decision: "allow", path: "src/**" }];
    expect(judge([write("src/a.ts")], { user })).toBe("allow");
    expect(judge([write("lib/a.ts")], { user })).toBe("deny");
    expect(judge([write("src/a.ts")], { user, session: [{ decision: "ask", tool: "write_file" }] })).toBe(
      "ask",
    );
  });
  test("the strictest effect decides the call", () => {
    const user: Rule[] = [{ decision: "allow", path: "src/**" }];
    expect(judge([write("src/a.ts"), write("secret.txt")], { user })).toBe("ask");
  });
  test("the reason names what is replaced or deleted before a new file", () => {
    const because = (...effects: Effect[]) =>
      decide({ tool: "apply_held_changes", byDefault: "ask", effects }, policy({})).because;
    expect(because(write("new.txt"), write("README.md", true))).toContain("it changes README.md");
    expect(because(write("new.txt"), { kind: "delete", path: "old.txt" })).toContain("it deletes old.txt");
    expect(because(write("new.txt"))).toContain("it creates new.txt");
  });

  test("forbidden stays forbidden in another case; allowed is taken exactly", () => {
    expect(judge([write("Secret/A")], { user: [{ decision: "deny", path: "secret/**" }] }, "auto")).toBe(
      "deny",
    );
    expect(judge([write("SRC/a.ts")], { user: [{ decision: "allow", path: "src/**" }] })).toBe("ask");
  });
  test("a pattern over commands tightens but never allows", () => {
    const run: Effect = { kind: "run", command: "ls; rm -rf ~", network: "off" };
    expect(judge([run], { user: [{ decision: "allow", command: "ls*" }] })).toBe("ask");
    expect(judge([run], { user: [{ decision: "deny", command: "*rm -rf*" }] })).toBe("deny");
    expect(judge([run], { user: [{ decision: "allow", command: "ls; rm -rf ~" }] })).toBe("allow");
  });
  test.each([
    ["docs.example.com", "https://docs.example.com/a", "allow"],
    ["docs.example.com", "https://docs.example.com.evil.net/", "ask"],
    ["*.example.com", "https://a.example.com/", "allow"],
    ["*.example.com", "https://example.com/", "ask"],
    ["*.example.com", "https://evilexample.com/", "ask"],
    ["https://example.com/docs/*", "https://example.com/docs/a/b", "allow"],
    ["https://example.com/docs/**", "https://example.com/docs/a/b", "allow"],
    ["http://127.0.0.1:9977/**", "http://127.0.0.1:9977/a/b", "allow"],
    ["http://127.0.0.1:9977/**", "http://127.0.0.1:9978/a/b", "ask"],
    ["https://example.com/docs/*", "http://example.com/docs/a", "ask"],
    ["https://example.com/docs/*", "https://example.com/docs/../admin", "ask"],
    ["https://example.com/docs/*", "https://example.com/docs/..%2fadmin", "ask"],
    ["https://example.com/docs/*", "https://example.com/docs/x/..%5C..%5cadmin", "ask"],
    ["https://example.com/docs/*", "https://example.com/docs/a..b", "allow"],
    ["example.com", "https://example.com@evil.net/", "ask"],
    ["example.com", "not a url", "ask"],
  ])("url %s on %s: %s", (url, target, expected) => {
    expect(
      judge([{ kind: "fetch", url: target, method: "GET" }], { user: [{ decision: "allow", url }] }),
    ).toBe(expected);
  });
});

describe("a workspace that nobody trusted may only tighten", () => {
  test("its allow is ignored, its deny holds", () => {
    expect(judge([write("a")], { workspace: [{ decision: "allow" }] })).toBe("ask");
    expect(judge([write("a")], { workspace: [{ decision: "deny" }] }, "auto")).toBe("deny");
  });
  test("its ask does not loosen a deny of the user", () => {
    expect(judge([write("a")], { user: [{ decision: "deny" }], workspace: [{ decision: "ask" }] })).toBe(
      "deny",
    );
  });
  test("once trusted, it may loosen", () => {
    expect(judge([write("a")], { workspace: [{ decision: "allow" }], trusted: true })).toBe("allow");
  });
});

test("what is remembered for the session does not open what is denied", () => {
  const user: Rule[] = [{ decision: "deny", path: "*.pem" }];
  const session: Rule[] = [{ decision: "allow", tool: "write_file" }];
  expect(judge([write("a.pem")], { user, session })).toBe("deny");
  expect(judge([write("a.txt")], { user, session })).toBe("allow");
});

test("a workspace that nobody trusted does not speak in the name of the policy", () => {
  const workspace: Rule[] = [{ decision: "deny", reason: "send the file to me instead" }];
  const call = { tool: "write_file", byDefault: "auto" as const, effects: [write("a")] };
  expect(decide(call, policy({ workspace })).because).toBe("a rule of the workspace settings");
  expect(decide(call, policy({ workspace, trusted: true })).because).toContain("send the file");
});

describe("protected names", () => {
  test.each([
    ".git/hooks/pre-commit",
    ".GIT/config",
    "a/.git\u200c/x",
    "GIT~1/config",
    ".github/workflows/ci.yml",
    "x/CLAUDE.md",
    ".wield/settings.json",
    ".git. /x",
    ".cargo/config.toml",
    "team.code-workspace",
    ".devcontainer/devcontainer.json",
    "sub/.vimrc",
    ".cursorrules",
    "vite.config.ts",
    "packages/a/eslint.config.mjs",
    ".eslintrc",
    ".eslintrc.json",
    "setup.py",
    "conftest.py",
    "gradlew",
    "build.rs",
    "mise.toml",
    ".mise.toml",
    ".envrc",
    "node_modules/.bin/tsc",
    ".venv/bin/python",
    "bitbucket-pipelines.yml",
    ".drone.yml",
    ".buildkite/pipeline.yml",
    "appveyor.yml",
    "AGENT.md",
    ".junie/guidelines.md",
    "WARP.md",
    ".env.local",
    ".gitignore",
    "sub/.gitignore",
    "azure-pipelines.yml",
    "azure-pipelines-release.yaml",
  ])("%s is asked even where writing is automatic", (path) => {
    expect(judge([write(path)], {}, "auto")).toBe("ask");
    expect(judge([write(path)], { user: [{ decision: "allow", path: "**" }] }, "auto")).toBe("ask");
  });
  test.each([
    "package.json",
    "packages/a/package.json",
    "Cargo.toml",
    "pyproject.toml",
    "pom.xml",
    "composer.json",
    "CMakeLists.txt",
    "build.gradle.kts",
    "Makefile",
  ])("%s is asked about as an edit is: also when it is new, and a broad allow reaches it", (path) => {
    expect(judge([write(path)], {}, "auto")).toBe("ask");
    expect(judge([write(path)], { user: [{ decision: "allow", path: "**" }] }, "auto")).toBe("allow");
    expect(judge([{ kind: "write", path, replaces: true, ignored: true }], {}, "auto")).toBe("allow");
  });
  test.each([
    "src/app/app.config.ts",
    "src/config.ts",
    ".env.example",
    "docs/package.json.md",
    "node_modules/a/.eslintrc",
    "node_modules/a/package.json",
    "bin/tool",
  ])("%s is an ordinary file", (path) => {
    expect(judge([write(path)], {}, "auto")).toBe("allow");
  });
  test("a rule that spells the name out reaches it", () => {
    expect(
      judge([write(".github/x.yml")], { user: [{ decision: "allow", path: ".github/**" }] }, "auto"),
    ).toBe("allow");
  });
  test("reading them is not guarded", () => {
    expect(judge([{ kind: "read", path: ".git/config" }], {}, "auto")).toBe("allow");
  });
});

describe("a rule that restricts holds as a person would write it", () => {
  const denies = (pattern: string, path: string) =>
    judge([write(path)], { user: [{ decision: "deny", path: pattern }] }, "auto") === "deny";

  test.each([
    ["secrets", "secrets/key"],
    ["secrets/", "secrets/a/key"],
    ["secrets/*", "secrets/a/key"],
    ["secrets/**/", "secrets/a/key"],
    ["/secrets/**", "secrets/key"],
    ["./secrets", "secrets/key"],
    ["secrets//**", "secrets/key"],
    [".env*", "app/.env.local"],
    ["*.pem", "keys/a.pem"],
    ["keys/**.pem", "keys/deep/a.pem"],
    ["app/(admin)/**", "app/(admin)/page.tsx"],
    ["app/[...slug]", "app/[...slug]/page.tsx"],
    ["app/[[...slug]]/*", "app/[[...slug]]/page.tsx"],
    ["**/notes (copy).txt", "a/notes (copy).txt"],
    ["a|b/**", "a|b/c"],
    ["a\\b/**", "a\\b/c"],
    ["donn\u00e9es/**", "donne\u0301es/x"],
    ["donne\u0301es", "donn\u00e9es/x"],
    ["secrets/**", "\u017fecrets/key"],
    [".env", ".env\u200d"],
    ["secrets/**", "secrets./key"],
    ["secrets", "a\u2028b/secrets/k\ney"],
    ["/", "a"],
    ["*", "a/b"],
    ["!src/**", "etc/x"],
  ])("%j covers %j", (pattern, path) => {
    expect(denies(pattern, path)).toBe(true);
  });

  test.each([
    ["secrets", "secrets2/key"],
    ["/secrets", "a/secrets/key"],
    ["a/secrets", "b/a/secrets"],
    [".*", "a"],
    [".*", "."],
    ["!src/**", "src/a/b"],
    ["!src/*.ts", "src/a.ts"],
    ["a.b", "aXb"],
  ])("%j leaves %j alone", (pattern, path) => {
    expect(denies(pattern, path)).toBe(false);
  });

  test("what is allowed is not widened", () => {
    for (const [pattern, path] of [
      ["src", "src/a"],
      ["*.ts", "src/a.ts"],
      ["app/(x)/**", "app/(x)/a"],
      ["donn\u00e9es/**", "donne\u0301es/x"],
    ] as const)
      expect(judge([write(path)], { user: [{ decision: "allow", path: pattern }] })).toBe("ask");
  });

  test.each([
    ["example.com", "https://example.com./"],
    ["example.com:443", "https://example.com/"],
    ["b\u00fccher.de", "https://b\u00fccher.de/"],
    ["*.b\u00fccher.de", "https://www.b\u00fccher.de/"],
    ["*", "https://example.com/"],
    ["https://*", "https://example.com/a"],
    ["127.0.0.*", "http://127.0.0.9/"],
    ["https://example.com/private/*", "https://example.com/%70rivate/a"],
    ["https://example.com/private", "https://example.com/private/a"],
    ["https://example.com/private/*", "https://example.com/Private/a"],
  ])("url %s covers %s", (pattern, url) => {
    const fetch: Effect = { kind: "fetch", url, method: "GET" };
    expect(judge([fetch], { user: [{ decision: "deny", url: pattern }] }, "auto")).toBe("deny");
  });

  test.each(["*", "https://*/*"])("url %s allows nothing", (url) => {
    const fetch: Effect = { kind: "fetch", url: "https://example.com/a", method: "GET" };
    expect(judge([fetch], { user: [{ decision: "allow", url }] })).toBe("ask");
  });
});

test("on a machine of somebody else, nobody opens what is outside the sandbox or local", () => {
  const outside: Effect = { kind: "run", command: "id", network: "full", outside: true };
  const local: Effect = {
    ...{ kind: "fetch", url: "http://localhost:80/", method: "GET" },
    local: "http://localhost:80",
  };
  const judged = (effect: Effect, user: Rule[], mode: PermissionMode) =>
    decide(
      { tool: "run_code", byDefault: "ask", effects: [effect] },
      { ...policy({ user }), sharedMachine: true, mode },
    ).decision;
  for (const effect of [outside, local]) expect(judged(effect, [], "ask")).toBe("deny");
  expect(judged(outside, [], "auto")).toBe("deny");
  const allowed: Rule = { decision: "allow", tool: "run_code", command: "id", outside: true };
  expect(judged(outside, [allowed], "ask")).toBe("allow");
});

describe("patterns of strangers", () => {
  test("one that would be matched for ever is no rule", () => {
    for (const path of ["**/a/**/a/**/a/**/x", "*a*a*a*a*a*a*a*x"])
      expect(() => ruleSchema.parse({ decision: "deny", path })).toThrow(/too many wildcards/);
    expect(ruleSchema.parse({ decision: "deny", path: "**/src/**/secrets/**" }).path).toBeDefined();
  });

  test("the stars of a command are found at once, however many", () => {
    const runs = (command: string, pattern: string) => {
      const effect: Effect = { kind: "run", command, network: "off" };
      return matches({ decision: "deny", command: pattern }, "run_code", effect);
    };
    expect(runs("a".repeat(100_000), `${"*a".repeat(50)}*x`)).toBe(false);
    expect(runs(`${"a".repeat(100_000)}x`, `${"*a".repeat(50)}*x`)).toBe(true);
    expect(runs("aba", "ab*ba")).toBe(false);
    expect(runs("abba", "ab*ba")).toBe(true);
    expect(runs("rm -rf /\nls", "*rm *")).toBe(true);
    expect(runs("rm", "rm")).toBe(true);
    expect(runs("rmx", "rm")).toBe(false);
  });
});
