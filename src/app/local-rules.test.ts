import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { matches, type Rule } from "../approval/rules.ts";
import { LocalRules } from "./local-rules.ts";

const root = "/data/ann/home/proj";

function isDenied(
  pattern: string,
  path: string,
  decision: Rule["decision"] = "deny",
  folder = root,
): boolean {
  const rules = new LocalRules(folder, "/data/ann/home").of([{ decision, path: pattern }]);
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

test.for([
  "f5/link/link/link/link/link/key.txt",
  "f5/link/link/link/link/link/*.txt",
  "f5/link/link/link/link/link",
])("a path through many links holds for where it leads: %s", (pattern) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "wield-links-")));
  try {
    for (let at = 0; at < 6; at++) {
      mkdirSync(join(folder, `f${at}`));
      if (at > 0) symlinkSync(`../f${at - 1}`, join(folder, `f${at}/link`));
    }
    writeFileSync(join(folder, "f0/key.txt"), "secret");
    expect(isDenied(pattern, "f0/key.txt", "deny", folder)).toBe(true);
    expect(isDenied(pattern, "f1/key.txt", "deny", folder)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("many groups take no time", () => {
  const group = `{${Array.from({ length: 50 }, (_, at) => `a${at}/b`).join(",")}}`;
  const start = performance.now();
  expect(isDenied(`/data/${`${group}/`.repeat(10)}x`, "vault/key.txt")).toBe(false);
  expect(performance.now() - start).toBeLessThan(2_000);
});
