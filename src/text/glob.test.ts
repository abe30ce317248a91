import { expect, test } from "vitest";
import { globMatcher, isBoundedGlob } from "./glob.ts";

test.each(["\n", "\r", "\u2028", "\u2029", "\u0085", "\t"])("a wildcard takes %j in a name", (odd) => {
  const file = `vault/a${odd}b/c.txt`;
  for (const pattern of ["vault/**", "**/*.txt", "**", "vault/*/c.txt", "vault/a?b/c.txt", "{vault,safe}/**"])
    expect(globMatcher(pattern)(file), pattern).toBe(true);
  expect(globMatcher("VAULT/**", { anyCase: true })(file)).toBe(true);
  expect(globMatcher("*.txt", { byName: true })(file)).toBe(true);
  expect(globMatcher("open/**")(file)).toBe(false);
});

test.each([1, 2, 3, 4, 5, 6])("%d backslashes of a name are matched as they are, and no others", (count) => {
  const signs = "\\".repeat(count);
  for (const [before, after] of [
    ["a/", ""],
    ["", "a"],
    ["a/[", "b"],
    ["", "*"],
  ]) {
    const matches = globMatcher(`${before}${signs}${after}`.replaceAll(/[\\[*]/g, "\\$&"));
    expect(matches(`${before}${signs}${after}`)).toBe(true);
    expect(matches(`${before}${signs}\\${after}`)).toBe(false);
    expect(matches(`${before}${signs.slice(1)}${after}`)).toBe(false);
  }
  expect(globMatcher(`a${signs}${signs}`)(`a${"[\\]".repeat(count)}`)).toBe(false);
  expect(globMatcher(`[a${signs}${signs}]`)("\\")).toBe(true);
});

test("a name in brackets means itself too, one with a backslash only what it escapes", () => {
  expect(globMatcher("app/[id].ts")("app/[id].ts")).toBe(true);
  expect(globMatcher("a\\(b")("a(b")).toBe(true);
  expect(globMatcher("a\\(b")("a\\(b")).toBe(false);
});

test("what is made of a pattern says yes or no, whoever calls it", () => {
  expect(["a", "b", "c"].filter(globMatcher("a"))).toEqual(["a"]);
});

test.each([
  "**/*.test.ts",
  "src/**/{store,model}*.go",
  "**/src/**/__tests__/**",
  "**/*test*/**/*.ts",
  "*foo*bar*",
  "@(a|b|c)",
  ".env*",
  "a\\(b\\)*",
])("%s is matched in good time", (pattern) => {
  expect(isBoundedGlob(pattern)).toBe(true);
});

test.each([
  "**/a/**/a/**/a/**/x",
  "*a*a*a*a*a*a*a*x",
  "*a*/*a*/*a*/*a*/x",
  "+(a|aa)+(a|aa)x",
  "(a|aa)+x",
  "{a,aa}".repeat(30),
])("%s would not be", (pattern) => {
  expect(isBoundedGlob(pattern)).toBe(false);
});
