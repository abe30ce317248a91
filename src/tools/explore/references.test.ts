import { afterEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";

let place: TestWield;
afterEach(() => place.close());

async function say(files: Record<string, string>, symbol: string): Promise<string[]> {
  place = await testWield(files);
  const { text } = await place.wield.callAny("references", { symbol });
  return text.split("\n");
}

test("an import of several lines shows its beginning and the name, and a re-export who uses it", async () => {
  const lines = await say(
    {
      "a.ts": "export function load() {}\nexport function save() {}\n",
      "index.ts": "export {\n  save,\n  load,\n} from './a';\n",
      "unused.ts": "export { load } from './a';\n",
      "b.ts": "import { load } from './index';\nload();\n",
      "c.ts": "import {\n  load,\n  save,\n} from './a';\nload();\n",
    },
    "load",
  );
  expect(lines).toEqual([
    "2 uses and 4 imports of load in 4 files; every occurrence in code is accounted for",
    "defined at a.ts:1: export function load()",
    "b.ts",
    "  1: import { load } from './index';",
    "  2: load();",
    "c.ts",
    "  2: load, (import { load … } from './a';)",
    "  5: load();",
    "index.ts",
    "  3: load, (export { … load } from './a';) (re-export, used through it in 1 file)",
    "unused.ts",
    "  1: export { load } from './a'; (re-export, used by nothing here)",
  ]);
});

test("Rust: of a tree of imports, the branch with the name", async () => {
  const lines = await say(
    {
      "Cargo.toml": '[package]\nname = "app"\n',
      "src/lib.rs": "pub mod a;\npub mod b;\npub mod c;\n",
      "src/a.rs": "pub fn load() {}\npub fn save() {}\n",
      "src/b.rs": "pub use super::a::{\n    load,\n    save,\n};\n",
      "src/c.rs":
        "use crate::{\n    a::{load, save},\n    b,\n};\nfn f() { load(); }\nfn g() { b::load(); }\n",
    },
    "src/a.rs#load",
  );
  expect(lines).toContain(
    "  2: load, (pub use super::a::{ load … };) (re-export, used through it in 1 file)",
  );
  expect(lines.find((line) => line.includes("(use"))).toBe(
    "  2: a::{load, save}, (use crate::{ a::{ load … }, b, };)",
  );
});

test("a possible use comes with the line that binds what stands before the dot", async () => {
  const lines = await say(
    {
      "store.py": "class Store:\n    def load(self):\n        pass\n",
      "use.py": "def f(items):\n    for one in items:\n        one.load()\n        one.load()\n",
    },
    "Store.load",
  );
  expect(lines).toEqual([
    "2 uses of Store.load in 1 file: 0 sure, 2 possible (unknown receiver); every occurrence in code is accounted for",
    "defined at store.py:2: def load(self)",
    "use.py",
    "  3?: [f] one.load()",
    "    from 2: for one in items:",
    '  4?: ["] one.load()',
    "? = possible: nothing proves or excludes it",
  ]);
});

test("uses in tests come behind the others, under their own heading", async () => {
  const lines = await say(
    {
      "a.ts": "export function load() {}\nload(load());\n",
      "b/z.ts": 'import { load } from "../a";\nload();\n',
      "api.test.ts": 'import { load } from "./a";\nload();\nload();\n',
      "notes.md": "load\n",
      "more.md": "load\n",
      "ci.yml": "load\n",
    },
    "load",
  );
  expect(lines).toEqual([
    "5 uses and 2 imports of load in 3 files; every occurrence in code is accounted for",
    "defined at a.ts:1: export function load()",
    "a.ts",
    "  2: load(load()); (2 in this line)",
    "b/z.ts",
    '  1: import { load } from "../a";',
    "  2: load();",
    "In tests: 3 in 1 file",
    "api.test.ts",
    '  1: import { load } from "./a";',
    "  2, 3: load();",
    "The name is also in 3 files that are not code (2 .md, 1 .yml).",
  ]);
  const { text } = await place.wield.callAny("references", { symbol: "load", exclude: "*.test.ts" });
  expect(text).toMatch(/^3 uses and 1 import of load in 2 files\n/);
  expect(text).toContain("Left out by exclude: 3.");
  expect(text).not.toContain("api.test.ts");
});

test("what does not fit is told by its lines, with the call that shows the texts", async () => {
  const uses = (name: string, count: number) =>
    `import { load } from "./a";\n${Array.from({ length: count }, (_, i) => `export const ${name}${i} = load("${name}", ${i});\n`).join("")}`;
  place = await testWield({
    "a.ts": "export function load(...all: unknown[]) {}\n",
    ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`part${10 + i}.ts`, uses(`value${i}_`, 12)])),
  });
  const ask = async (more: object) =>
    (await place.wield.callAny("references", { symbol: "load", ...more })).text.split("\n");
  const rowsOf = (lines: string[]) => lines.filter((line) => /^ {2}\d+: /.test(line));
  const first = await ask({});
  const rest = first.find((line) => line.startsWith("...and")) ?? "";
  const [, left, cursor] =
    /^\.\.\.and (\d+) more: same call with cursor "(\S+)" shows their text$/.exec(rest) ?? [];
  expect(rowsOf(first).length + Number(left)).toBe(260);
  expect(first).toContain("part29.ts: import 1; top level 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13");
  const shown = new Set(rowsOf(first));
  let next = cursor;
  while (next !== undefined) {
    const page = await ask({ cursor: next });
    for (const row of rowsOf(page)) shown.add(row);
    next = page.map((line) => /same call with cursor "(\S+)"/.exec(line)?.[1]).find(Boolean);
  }
  // Each use has a text of its own; all imports read the same.
  expect(shown.size).toBe(241);
});

test("texts that are just the name are counted where members are reached by text", async () => {
  const lines = await say(
    {
      "a.py": "class Store:\n    def save(self):\n        pass\n",
      "b.py": "getattr(store, 'save')()\nnames = ['saved', \"save\"]\n# 'save'\n",
    },
    "Store.save",
  );
  expect(lines).toEqual([
    "No references to Store.save (defined at a.py:2).",
    "Not counted: 2 texts that are just this name (b.py:1, b.py:2).",
  ]);
});

test("a misspelt member gets the nearest one of its type, a line what it declares or what is around it", async () => {
  const files = {
    "store.ts": [
      "export class Store {",
      "  save() {}",
      "  #count = 1;",
      "}",
      "export function run() {",
      "  new Store().save();",
      "}",
    ].join("\n"),
  };
  const found = async (symbol: string) => {
    const lines = await say(files, symbol);
    await place.close();
    return lines;
  };
  expect(await found("Store.saave")).toContain("Did you mean Store.save?");
  expect(await found("Stoer.save")).toContain("Did you mean Store.save?");
  expect(await found("Store.count")).toContain("Did you mean Store.#count?");
  expect((await found("store.ts:2")).join("\n")).toMatch(
    /^1 use of [\s\S]*\n {2}6: .*new Store\(\)\.save\(\)/,
  );
  expect(await say(files, "store.ts:6")).toContain("Did you mean run?");
});

test("callers and importers that do not fit go on by a cursor, and files can be left out", async () => {
  const uses = (at: number) =>
    `import { load } from "./a";\nexport function caller${at}(first: string, second: number): string {\n  return load(first, second, ${at});\n}\n`;
  place = await testWield({
    "a.ts": "export function load(...all: unknown[]): string { return String(all); }\n",
    ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`part${100 + i}.ts`, uses(i)])),
    "old/part.test.ts": uses(500).replace("./a", "../a"),
  });
  for (const [tool, input, pattern] of [
    ["graph", { operation: "callers", target: "load" }, /load\(first, second, (\d+)\)/g],
    ["graph", { operation: "importers", target: "a.ts" }, /^ *(part\d+\.ts:1|old\/part\.test\.ts:1)/gm],
    ["find_importers", { modulePath: "a.ts" }, /^ *(part\d+\.ts:1|old\/part\.test\.ts:1)/gm],
  ] as const) {
    const shown = new Set<string>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const asked = { ...input, ...(cursor && { cursor }) };
      const { text } = await place.wield.callAny(tool, asked, { budget: 600 });
      for (const [, one = ""] of text.matchAll(pattern)) shown.add(one);
      cursor = /same call with cursor "(\d+)"/.exec(text)?.[1];
      pages++;
    } while (cursor !== undefined);
    expect(shown.size).toBe(201);
    expect(pages).toBeGreaterThan(1);
    const { text } = await place.wield.callAny(tool, { ...input, exclude: ["old/**", "part1*"] });
    expect(text).toContain("Left out by exclude: 101.");
    expect(text).not.toMatch(/old\/part|part1/);
    const wrong = await place.wield.callAny(tool, { ...input, cursor: "a.ts:1" });
    expect(wrong.result).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
  }
});
