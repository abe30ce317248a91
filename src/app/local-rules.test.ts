import { expect, test } from "vitest";
import { matches, type Rule } from "../approval/rules.ts";
import { LocalRules } from "./local-rules.ts";

const root = "/data/ann/home/proj";

function isDenied(pattern: string, path: string, decision: Rule["decision"] = "deny"): boolean {
  const rules = new LocalRules(root, "/data/ann/home").of([{ decision, path: pattern }]);
  return rules.some((rule) => matches(rule, "read_file", { kind: "read", path }));
}

test.for([
  "~/**/key.txt",
  "~/*/vault",
  "~/p*/vault/**",
  "~/pro**/key.txt",
  "/data/**/key.txt",
  "/data/*/home/proj/vault",
  "/data/**/proj/vault/key.txt",
  "/data/**/ann/**/key.txt",
  "/**/key.txt",
  "/*/*/*/*/vault",
  "/data/{bob/home,ann/home}/proj/vault",
  "/data/@(ann|bob)/home/**",
  "/data/{bob,{ann/home,x}}/proj/vault",
  "/data/ann/*",
  "/DATA/ann/home/proj/vault",
  "~/../home/proj/vault",
  "../proj/vault/key.txt",
  "../*/vault",
  "../../**/key.txt",
  "vault/../vault/**",
  "x/../vault/key.txt",
  "..",
])("a rule that restricts holds however it names the folder: %s", (pattern) => {
  expect(isDenied(pattern, "vault/key.txt")).toBe(true);
});

test.for([
  "~/**/other.txt",
  "~/*/vault/x/**",
  "/data/*/proj/vault",
  "/data/bob/**",
  "/data/{bob/home,eve/home}/proj/vault",
  "/*/vault/key.txt/x",
  "../other/vault/key.txt",
  "vault/../other/**",
  "../../vault",
])("it says nothing of other files: %s", (pattern) => {
  expect(isDenied(pattern, "vault/key.txt")).toBe(false);
});

test("a rule rooted in the workspace holds there, too, and the rest of one from the machine's root is rooted", () => {
  expect(isDenied("/*/key.txt", "vault/key.txt")).toBe(true);
  expect(isDenied("../proj/key.txt", "key.txt")).toBe(true);
  expect(isDenied("../proj/key.txt", "vault/key.txt")).toBe(false);
});

test("a rule that allows is used as it is", () => {
  expect(isDenied("~/**/key.txt", "vault/key.txt", "allow")).toBe(false);
  expect(isDenied("vault/../vault/**", "vault/key.txt", "allow")).toBe(false);
});

test("many groups take no time", () => {
  const group = `{${Array.from({ length: 50 }, (_, at) => `a${at}/b`).join(",")}}`;
  const start = performance.now();
  expect(isDenied(`/data/${`${group}/`.repeat(10)}x`, "vault/key.txt")).toBe(false);
  expect(performance.now() - start).toBeLessThan(2_000);
});
