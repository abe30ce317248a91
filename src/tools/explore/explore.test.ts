import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foregroundLimitMs } from "../../code/project/project.ts";
import { type TestWield, testWield } from "../../testing/testing.ts";
import { estimateTokens } from "../../text/tokens.ts";

let place: TestWield;
beforeAll(async () => {
  place = await testWield({
    "internal/model/issue.go": issueGo,
    "internal/store/issue.go": storeGo,
    "internal/store/mock.go": "package store\n\ntype MockIssueStore struct{}\n",
    "cmd/server/main.go": mainGo,
    "go.mod": "module example.com/app\n",
    "web/api.ts":
      'import { load as fetchIssue } from "./load";\nexport class Api {\n  get(id: string) {\n    return fetchIssue(id); // load\n  }\n}\n',
    "web/load.ts": `/** load */\nexport async function load(id: string): Promise<string> {\n  return \`load \${id}\`;\n}\nexport const version = 3;\n`,
    "web/view.ts":
      'import { Api } from "./api.js";\nexport function show(api: Api, load: () => void) {\n  load();\n  return api.get("1");\n}\n',
    "web/my file (1).ts": "export const odd = 1;\n",
    "web/[id]/пример.ts": "export const привет = 1;\n",
    "empty.ts": "",
    "data.csv": "a,b\n1,2\n",
    "latin.py": Buffer.from("# caf\xe9\ndef coffee():\n    return 'caf\xe9'\n", "latin1"),
    "node_modules/x/index.js": "exports.x = 1;\n",
    "dist/out.js": "var out;\n",
    "deep/a/b/c/d/e.txt": "deep\n",
    "min.js": `var a=${"function(b){return b+1}(".repeat(230_000)}`,
  });
  mkdirSync(join(place.root, "nothing"));
  symlinkSync("/etc", join(place.root, "outward"));
  symlinkSync("web", join(place.root, "inward"));
});
afterAll(() => place.close());

/** Written by someone else, and looked for at once: not every test waits for a second. */
async function write(path: string, content: string): Promise<void> {
  place.write(path, content);
  (await place.wield.code()).invalidate();
}

/** What the model reads. */
async function say(tool: string, input: Record<string, unknown>): Promise<string> {
  return (await place.wield.callAny(tool, input)).text;
}
async function answerOf(tool: string, input: Record<string, unknown>): Promise<Record<string, never>> {
  const { result } = await place.wield.callAny(tool, input);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value as Record<string, never>;
}
async function errorOf(
  tool: string,
  input: Record<string, unknown>,
): Promise<{ code: string; message: string }> {
  const { result } = await place.wield.callAny(tool, input);
  if (result.ok) throw new Error(`${tool} succeeded`);
  return result.error;
}

describe("tree", () => {
  test("two levels by default, directories first, connectors, what is built or fetched left out", async () => {
    expect(await say("tree", { path: "internal" })).toBe(
      [
        "internal/",
        "├── model/",
        "│   └── issue.go",
        "└── store/",
        "    ├── issue.go",
        "    └── mock.go",
      ].join("\n"),
    );
    const root = await say("tree", {});
    expect(root).not.toMatch(/node_modules|dist/);
    expect(root.indexOf("web/")).toBeLessThan(root.indexOf("go.mod"));
    expect(root).toContain("outward@");
    expect(root).not.toContain("passwd");
    expect(estimateTokens(root)).toBeLessThan(150);
  });

  test("depth is capped at four", async () => {
    const text = await say("tree", { path: "deep", depth: 9 });
    expect(text).toContain("d/");
    expect(text).not.toContain("e.txt");
    expect(text).toContain("at most 4");
  });

  test("spaces, special characters, an empty directory", async () => {
    const text = await say("tree", { path: "web" });
    expect(text).toContain("my file (1).ts");
    expect(text).toContain("[id]/");
    expect(text).toContain("пример.ts");
    expect(await say("tree", { path: "nothing" })).toBe("nothing/ is empty.");
  });

  test("a link that stays inside is followed, one that leads out is refused", async () => {
    expect(await say("tree", { path: "inward" })).toContain("api.ts");
    expect((await errorOf("tree", { path: "outward" })).code).toBe("INVALID_PATH");
  });

  test.each(["/etc/passwd", "../../../etc", "web/../../..", "../workspace-evil", "..", "a\0b"])(
    "refuses %j",
    async (path) => {
      expect((await errorOf("tree", { path })).code).toBe("INVALID_PATH");
    },
  );

  test("a file instead of a directory, and what does not exist", async () => {
    expect(await errorOf("tree", { path: "web/api.ts" })).toMatchObject({
      code: "INVALID_PATH",
      message: expect.stringContaining("symbols"),
    });
    expect((await errorOf("tree", { path: "web/nope" })).code).toBe("FILE_NOT_FOUND");
  });

  test("200 entries, then how many there are", async () => {
    mkdirSync(join(place.root, "many"));
    for (let i = 0; i < 260; i++) writeFileSync(join(place.root, "many", `f${i}`), "");
    const text = await say("tree", { path: "many" });
    expect(text.split("\n")).toHaveLength(202);
    expect(text).toContain("200 of 260 entries");
  });
});

describe("symbols", () => {
  test("package, collapsed imports, blocks, types with their methods and constructors, right-aligned lines", async () => {
    expect(await say("symbols", { file: "internal/model/issue.go" })).toBe(
      [
        "package model",
        "imports (1): context",
        "const: IssueStatusOpen, IssueStatusClosed                line  6",
        "type IssueID int64                                       line 10",
        "type Issue struct                                        line 13",
        "    fields: ID, Title                                    line 14",
        "    func NewIssue(extID int, title string) Issue         line 18",
        "    func (i Issue) IsOpen() bool                         line 22",
        "type IssueStore interface                                line 24",
        "    Get(ctx context.Context, id IssueID) (Issue, error)  line 25",
        "    Upsert(ctx context.Context, issue Issue) error       line 26",
      ].join("\n"),
    );
  });

  test("costs a fraction of the file", async () => {
    const text = await say("symbols", { file: "internal/model/issue.go" });
    expect(estimateTokens(text)).toBeLessThan(300);
  });

  test("an empty file, syntax errors, another encoding", async () => {
    expect(await say("symbols", { file: "empty.ts" })).toBe("empty.ts is empty.");
    await write("broken.ts", "export function fine() {}\nfunction broken( {{{\n");
    expect(await say("symbols", { file: "broken.ts" })).toMatch(/syntax errors[\s\S]*fine/);
    expect(await say("symbols", { file: "latin.py" })).toContain("def coffee()");
  });

  test("a language that is not known names the read tool", async () => {
    expect(await errorOf("symbols", { file: "data.csv" })).toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("read tool"),
    });
  });

  test("a minified file of 5 MB is answered or refused, and the parser is not given longer than a second", async () => {
    const { result } = await place.wield.call("symbols", { file: "min.js" });
    if (!result.ok) expect(result.error.code).toMatch(/TOO_LARGE|UNAVAILABLE/);
    expect(foregroundLimitMs).toBeLessThan(1_000);
  });

  test("100 symbols, then how many more", async () => {
    await write("big.ts", Array.from({ length: 140 }, (_, i) => `export function f${i}() {}`).join("\n"));
    const text = await say("symbols", { file: "big.ts" });
    expect(text.split("\n").at(-1)).toBe("... and 40 more");
  });
});

describe("definition", () => {
  test("one match: its place and its lines, also of one line", async () => {
    expect(await say("definition", { symbol: "IssueID" })).toBe(
      "IssueID\nLocation: internal/model/issue.go:10\n10\ttype IssueID int64",
    );
  });

  test("what has the very name is told alone", async () => {
    const text = await say("definition", { symbol: "IssueStore" });
    expect(text.split("\n").slice(0, 2)).toEqual(["IssueStore", "Location: internal/model/issue.go:24-27"]);
    expect(text).not.toMatch(/issueStore|MockIssueStore/);
    expect(await say("find_definition", { symbol: "IssueStore" })).not.toMatch(/issueStore|MockIssueStore/);
  });

  test("several that are only similar: numbered, in any case, implementations marked", async () => {
    const text = await say("definition", { symbol: "issuestore" });
    expect(text.split("\n").slice(0, 3)).toEqual([
      'Nothing is called "issuestore" exactly; similar:',
      'Found 3 definitions for "issuestore":',
      "1. type IssueStore interface",
    ]);
    expect(text).toContain("type issueStore struct (implements IssueStore)");
    expect(text).toContain("MockIssueStore");
    expect(await say("find_definition", { symbol: "issuestore" })).toMatch(
      /^Nothing is called "issuestore" exactly/,
    );
  });

  test("kind narrows, a qualified name picks one", async () => {
    expect(await say("definition", { symbol: "IssueStore", kind: "interface" })).toContain(
      "Location: internal/model/issue.go:24",
    );
    expect(await say("definition", { symbol: "issueStore.Get" })).toContain("internal/store/issue.go");
    expect(await say("definition", { symbol: "web/load.ts#load" })).toContain("web/load.ts:2");
  });

  test("nothing found says what to try", async () => {
    expect(await say("definition", { symbol: "Nowhere" })).toMatch(/No definition of "Nowhere".*search_code/);
    expect(await say("definition", { symbol: "__proto__" })).toContain("No definition");
    expect(await say("definition", { symbol: "привет" })).toContain("web/[id]/пример.ts:1");
  });

  test("ten results, then a hint to narrow", async () => {
    await write("dup.ts", Array.from({ length: 14 }, (_, i) => `export class Widget${i} {}`).join("\n"));
    await expect
      .poll(() => say("definition", { symbol: "Widget" }))
      .toContain("10 of 14 shown. Narrow with kind");
  });

  test("what was changed through Wield is known at once, what others changed within a second", async () => {
    expect(await say("definition", { symbol: "brandNew" })).toContain("No definition");
    await answerOf("write_file", { path: "fresh.ts", content: "export const brandNew = 1;\n" });
    expect(await say("definition", { symbol: "brandNew" })).toContain("fresh.ts:1");
    place.write("other.ts", "export const alsoNew = 1;\n");
    await expect.poll(() => say("definition", { symbol: "alsoNew" })).toContain("other.ts:1");
  });
});

/** As many files as a small project has, and long enough to be parsed one after the other. */
const manyFiles = (count: number) => {
  const filler = "// nothing to see in this line, but it has to be read by the parser\n".repeat(60);
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`f${i}.ts`, `${filler}export function name${i}() {}\n`]),
  );
};

test("the first question in a new folder: a whole name is answered as it will be later, a part of one says what it lacks", async () => {
  const cold = await testWield(manyFiles(400));
  const ask = async (symbol: string) => (await cold.wield.call("definition", { symbol })).text;
  expect(await ask("name123")).toBe("name123\nLocation: f123.ts:61\n61\texport function name123() {}");
  const first = await ask("ame12");
  expect(first).toMatch(/definitions for "ame12"|Not all files are parsed yet/);
  await expect.poll(() => ask("ame12")).not.toContain("Not all files");
  expect(await ask("ame12")).toContain('Found 11 definitions for "ame12"');
  await cold.close();
});

test("separate commands finish the index between them, and search_code parses its candidates in any case", async () => {
  const cold = await testWield(manyFiles(400));
  const asked = await cold.wield.call("search_code", { query: "name123" });
  expect(asked.text).toMatch(/^f123\.ts:/);
  expect(asked.text).not.toMatch(/not parsed|being built/);
  await expect
    .poll(
      async () => {
        const next = await cold.reopen();
        await next.call("search_code", { query: "zebra" });
        return (await next.code()).status().then(({ code, parsed }) => code - parsed);
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  await cold.close();
});

describe("references", () => {
  test("by file with the symbol around, without definition, comments, strings and namesakes", async () => {
    const text = await say("references", { symbol: "load" });
    expect(text).toBe(
      [
        "1 use and 1 import of load in 1 file; every occurrence in code is accounted for. Not counted: 2 that belong to others: a key or argument name 1, a local variable 1",
        "defined at web/load.ts:2: export async function load(id: string): Promise<string>",
        "web/api.ts",
        '  1: import { load as fetchIssue } from "./load";',
        "  4: [Api.get] return fetchIssue(id); // load",
      ].join("\n"),
    );
  });

  test("a type of another package, below a path", async () => {
    expect(await say("references", { symbol: "IssueStore", path: "internal/store" })).toContain(
      "internal/store/issue.go",
    );
    expect(await say("references", { symbol: "IssueStore", path: "web" })).toContain("No references");
  });

  test("a method by its receiver's type", async () => {
    expect(await say("references", { symbol: "Api.get" })).toContain('  4: [show] return api.get("1");');
  });
});

describe("graph", () => {
  test("callers and callees across packages", async () => {
    expect(await say("graph", { operation: "callers", target: "NewIssue" })).toContain(
      '1 caller of NewIssue (internal/model/issue.go:18), all found\nfunc main()  cmd/server/main.go:8\n  9: issue := model.NewIssue(1, "first")',
    );
    const callees = await say("graph", { operation: "callees", target: "cmd/server/main.go#main" });
    expect(callees).toContain("NewIssue");
    expect(callees).toContain("internal/model/issue.go:18");
  });

  test("implementations by shape in Go, methods of a type, inheritors by name", async () => {
    expect(await say("graph", { operation: "implementations", target: "IssueStore" })).toContain(
      "type issueStore struct  internal/store/issue.go",
    );
    expect(await say("graph", { operation: "methods", target: "issueStore" })).toMatch(/Get[\s\S]*Upsert/);
    await write(
      "shapes.ts",
      "export interface Shape { area(): number }\nexport class Square implements Shape { area() { return 1; } }\nexport class Small extends Square {}\n",
    );
    await expect
      .poll(() => say("graph", { operation: "inheritors", target: "Shape", depth: 3 }))
      .toMatch(/Square[\s\S]*Small/);
    expect(await say("graph", { operation: "implementations", target: "Shape.area" })).toContain(
      "shapes.ts:2",
    );
  });

  test("overrides of a method at any distance, with their classes, in one call that says whether it is complete", async () => {
    await write(
      "stores/base.py",
      "class Store:\n    def close(self):\n        pass\n\n\nclass FileStore(Store):\n    def close(self):\n        self.flush()\n",
    );
    await write(
      "stores/zip.py",
      "from stores.base import FileStore\n\n\nclass ZipStore(FileStore):\n    def close(self):\n        super().close()\n\n\nclass Other:\n    def close(self):\n        pass\n",
    );
    const ask = () => say("graph", { operation: "implementations", target: "Store.close" });
    await expect.poll(ask).toContain("2 overrides of Store.close");
    expect(await ask()).toBe(
      [
        "2 overrides of Store.close (stores/base.py:2), all found: 5 places in code name it (3 declarations, 1 not counted, 1 use)",
        "method [FileStore] def close(self)  stores/base.py:7",
        "  method [ZipStore] def close(self)  stores/zip.py:5  via FileStore",
        "Not counted: 1 of other types (Other)",
      ].join("\n"),
    );
    // Larger than the index takes: what it declares is not known, and the answer says so.
    await write(
      "stores/huge.py",
      `class HugeStore(Store):\n    def close(self): pass\n${"# filler\n".repeat(300_000)}`,
    );
    await expect.poll(ask).toContain("not parsed: stores/huge.py");
    expect(await ask()).not.toContain("all found");
    expect(await say("grep", { pattern: "def close|super", path: "stores/zip.py" })).toBe(
      [
        "3 matches in 1 file",
        "stores/zip.py",
        "  5: [ZipStore] def close(self):",
        "  6: [ZipStore.close] super().close()",
        "  10: [Other] def close(self):",
      ].join("\n"),
    );
  });

  test("importers and imports of a file", async () => {
    expect(await say("graph", { operation: "importers", target: "web/api.ts" })).toContain("web/view.ts:1");
    expect(await say("graph", { operation: "imports", target: "web/view.ts" })).toContain("web/api.ts");
    expect(await say("graph", { operation: "importers", target: "web/load.ts", depth: 2 })).toContain(
      "  web/view.ts:1",
    );
    await write("late/part.ts", "export const part = 1;\n");
    await write(
      "late/use.ts",
      'async function load() {\n  const { part } = await import("./part.ts");\n  return part;\n}\n',
    );
    await write("late/talk.ts", "// part is elsewhere\nexport const talk = 1;\n");
    expect(await say("graph", { operation: "importers", target: "late/part.ts" })).toBe(
      [
        "1 file imports late/part.ts, all found: 1 import, dynamic ones included; the 3 files that could name it were checked",
        'late/use.ts:2  [load] const { part } = await import("./part.ts")',
      ].join("\n"),
    );
  });

  test("imports that read the same have their text once, and paths without an import are marked", async () => {
    for (const name of ["a", "b", "c"])
      await write(`rs/src/${name}.rs`, "use crate::gadget::Part;\nfn f(x: Part) {}\n");
    await write("rs/src/lib.rs", "mod gadget;\n");
    await write("rs/src/gadget.rs", "pub struct Part;\n");
    await write("rs/src/d.rs", "fn f(x: crate::gadget::Part) {}\nfn g(x: crate::gadget::Part) {}\n");
    expect(await say("graph", { operation: "importers", target: "rs/src/gadget.rs" })).toBe(
      [
        "5 files import rs/src/gadget.rs, all found: 4 imports, 2 lines with an inline path; the 5 files that could name it were checked",
        "use crate::gadget::Part;",
        "  rs/src/a.rs:1",
        "  rs/src/b.rs:1",
        "  rs/src/c.rs:1",
        "rs/src/d.rs:1,2  [f] inline: fn f(x: crate::gadget::Part) {}",
        "rs/src/lib.rs:1  mod gadget;",
      ].join("\n"),
    );
  });

  test("members that only look like an implementation are counted apart", async () => {
    await write("stub/runtime.ts", "export interface Runtime {\n  register(): void;\n}\n");
    await write(
      "stub/use.ts",
      'import type { Runtime } from "./runtime.ts";\nconst real: Runtime = { register() {} };\nconst cast = { register: () => {} } as unknown as Runtime;\nreal.register();\nclass Other { register() {} }\nconst plain = {\n  register() {},\n};\nconst short = {\n  register() {},\n} satisfies Runtime;\n',
    );
    const text = await say("graph", { operation: "implementations", target: "Runtime.register" });
    expect(text).toContain("all found: 7 places in code name it (3 declarations, 3 not counted, 1 use)");
    expect(text).toContain(
      "object literal [real: Runtime] const real: Runtime = { register() {} };  stub/use.ts:2",
    );
    expect(text).toContain("object literal [short satisfies Runtime] register() {},  stub/use.ts:10");
    expect(text).toContain(
      'Not counted: 1 of other types (Other); 2 in objects not checked against it: "as unknown as Runtime" stub/use.ts:3, "no type" stub/use.ts:7',
    );
  });

  test("an ambiguous target lists what it could be; an unknown one is an error", async () => {
    const text = await say("graph", { operation: "callers", target: "Get" });
    expect(text).toMatch(
      /"Get" means 2 things[\s\S]*internal\/model\/issue.go#IssueStore.Get|internal\/store\/issue.go#issueStore.Get/,
    );
    expect((await errorOf("graph", { operation: "callers", target: "Nowhere" })).code).toBe("FILE_NOT_FOUND");
  });
});

describe("search_types, search_code", () => {
  test("types by pattern", async () => {
    expect(await say("search_types", { pattern: "*issuestore" })).toMatch(
      /IssueStore interface[\s\S]*MockIssueStore/,
    );
    expect(await say("search_types", { pattern: "Zzz*" })).toContain("No type matches");
  });

  test("the right place first, within its budget", async () => {
    const value = await answerOf("search_code", { query: "insert or update an issue in the store" });
    const [first] = value["chunks"] as unknown as { file: string; symbol: string }[];
    expect(first).toMatchObject({ file: "internal/store/issue.go", symbol: "issueStore.Upsert" });
    const text = await say("search_code", { query: "issue" });
    expect(estimateTokens(text)).toBeLessThanOrEqual(2_000);
  });

  test("a search for what is not here says that nothing fits, and shows no code; files can be left out", async () => {
    const words = "redeem the open balance of an account in a foreign currency";
    await write("fit/ledger.ts", `// ${words}\nexport function redeem() {\n  return 1;\n}\n`);
    const missing = await say("search_code", { query: "rotate the certificate of an account", path: "fit" });
    expect(missing).toMatch(
      /^Nothing fits "rotate the certificate of an account" well: .*Nearest:\nfit\/ledger\.ts\b/,
    );
    expect(missing).not.toMatch(/\d\texport|\/\/ redeem/);
    const found = await say("search_code", { query: words, path: "fit" });
    expect(found).not.toContain("Nothing fits");
    expect(found).toContain("export function redeem");
    expect(await say("search_code", { query: words, exclude: "fit/**" })).not.toContain("fit/");
  });
});

describe("grep and glob", () => {
  test("cold and warm index, ripgrep and our own engine: the same answer", async () => {
    const patterns = [
      "IssueStore",
      "func \\w+",
      "load|odd",
      "^export",
      "id\\b",
      "return .*id",
      "[Ii]ssue",
      "привет",
      "nothing-like-it",
    ];
    for (const pattern of patterns) {
      const cold = await testWield();
      const warm = await answerOf("grep", { pattern, path: "web" });
      await cold.close();
      const other = await place.reopen();
      const direct = await other.call("grep", { pattern, path: "web" });
      expect(direct.result).toMatchObject({ ok: true, value: warm });
    }
  });

  test("true totals, paging, modes", async () => {
    await write("lines.txt", Array.from({ length: 130 }, (_, i) => `needle ${i}`).join("\n"));
    const first = await answerOf("grep", { pattern: "needle \\d", path: "lines.txt", limit: 500 });
    expect(first["matches"]).toHaveLength(100);
    expect(first["total"]).toBe(130);
    const second = await answerOf("grep", {
      pattern: "needle \\d",
      path: "lines.txt",
      limit: 100,
      cursor: first["nextCursor"],
    });
    expect(second["matches"]).toHaveLength(30);
    expect(await say("grep", { pattern: "needle", mode: "count" })).toContain("lines.txt: 130");
    expect(await say("grep", { pattern: "package", include: "*.go", mode: "files" })).toMatch(
      /internal\/model\/issue.go/,
    );
  });

  test("matches in tests come behind the others, under their own heading", async () => {
    await write("fold/store.ts", "const folded = 1;\n".repeat(3));
    await write("fold/store.test.ts", "use(folded);\n".repeat(16));
    const ask = (input: object) => say("grep", { pattern: "folded", path: "fold", ...input });
    const text = await ask({});
    expect(text).toContain("  1, 2, 3: const folded = 1;");
    expect(text).toMatch(
      /\nIn tests: 16 in 1 file\nfold\/store\.test\.ts\n {2}1, 2, [\d, ]+16: use\(folded\);$/,
    );
    expect(await ask({ context: 1 })).toContain("  11:\tuse(folded);");
    const wide = `${"x".repeat(150)}\n`.repeat(10);
    await write("fold/wide.ts", `${wide}const folded = 2;\n`.repeat(20));
    const cut = await ask({ context: 8, include: "wide.ts" });
    expect(cut).toContain(`  19-\t${"x".repeat(109)}…`);
    expect(cut).toMatch(/\n\.\.\.and \d+ more: same call with cursor "fold\/wide\.ts:\d+"$/);
  });

  test("what is on no page is counted by kind", async () => {
    await write("kinds/a.ts", Array.from({ length: 12 }, (_, i) => `kind(${i});\n`).join(""));
    for (const name of "abcd") await write(`kinds/${name}.test.ts`, "kind();\nkind();\n");
    await write("kinds/fixtures/a.yaml", "kind: 1\n");
    await write("kinds/README.md", "kind\n");
    await write("kinds/guide.md", "kind\n");
    const text = await say("grep", { pattern: "kind", path: "kinds", limit: 12 });
    expect(text).toContain("  12: kind(11);");
    expect(text).toMatch(
      /\.\.\.and 11 more: same call with cursor "kinds\/a\.ts:12"\nalso in: 4 tests \(8\), 2 documents \(2\), 1 test data file \(1\)$/,
    );
    expect(await say("grep", { pattern: "kind", path: "kinds", include: "*.test.ts" })).toContain(
      "kinds/d.test.ts\n  1, 2: kind();",
    );
  });

  test("more than a page, for one who looks for something: the files with most matches, and counts of the others", async () => {
    for (const name of "abcdefghijklm")
      await write(`spread/${name}.ts`, `use("spread ${name}");\n`.repeat(4));
    const main = Array.from({ length: 14 }, (_, i) => `${i === 12 ? "sort" : "keep"}("spread", ${i});\n`);
    await write("spread/z.ts", main.join(""));
    await write("spread/data.json", '"spread"\n'.repeat(9));
    const ask = async (more: object, options: { topic?: string }) =>
      (await place.wield.callAny("grep", { pattern: "spread", path: "spread", ...more }, options)).text;
    const text = await ask({}, { topic: "how is a spread sorted" });
    expect(text).toMatch(/^75 matches in 15 files\nspread\/z\.ts\n {2}1: keep\("spread", 0\);/);
    expect(text).toContain('\n  … 4 more of this file: same call with include "spread/z.ts"\n');
    // The matches that speak of the topic come first, data last.
    expect(text).toContain('  13: sort("spread", 12);');
    expect(text).toMatch(/\nalso in: spread\/f\.ts 4, .*spread\/k\.ts 4 and 3 more files; include narrows$/);
    expect(await ask({}, {})).toMatch(/and \d+ more: same call with cursor "spread\/\w\.ts:\d"\nalso in: /);
    expect(await ask({ cursor: "spread/m.ts:2" }, { topic: "x" })).toContain('keep("spread", 13)');
  });

  test("a glob that would match nothing by mistake is refused", async () => {
    const { result } = await place.wield.callAny("grep", { pattern: "x", include: "!(*.test|*.spec).ts" });
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
  });

  test("where the lines around do not fit, there are fewer matches on the page", async () => {
    const apart = "a line that is neither long nor short, but there\n".repeat(30);
    await write("around/a.ts", `${apart}const around = 1;\n`.repeat(9));
    const text = await say("grep", { pattern: "around", path: "around", context: 14 });
    expect(text).toContain("  17-\ta line");
    const [, end] = /\n\.\.\.and \d+ more: same call with cursor "([^"]+)"$/.exec(text) ?? [];
    const next = await say("grep", { pattern: "around", path: "around", context: 14, cursor: end });
    expect(next).not.toContain(`  ${end?.split(":")[1]}:\t`);
    expect(next).toContain(`  ${Number(end?.split(":")[1]) + 31}:\tconst around = 1;`);
  });

  test("a broad pattern comes back as counts by directory with advice", async () => {
    await write("wide/a.txt", "common\n".repeat(400));
    await write("wide/sub/b.txt", "common\n".repeat(10));
    const text = await say("grep", { pattern: "common" });
    expect(text).toContain("410 matches in 2 files: too broad to list");
    expect(text).toContain("wide/ 400 in 1");
    expect(text).toContain('Narrow it: grep({"pattern":"common","include":"wide/**"})');
    expect(estimateTokens(text)).toBeLessThan(200);
  });

  test("glob: newest first, true total", async () => {
    utimesSync(join(place.root, "web/load.ts"), 2_000_000_000, 2_000_000_000);
    expect((await say("glob", { pattern: "web/*.ts" })).split("\n")[0]).toBe("web/load.ts");
    expect(await say("glob", { pattern: "f*", path: "many" })).toContain("100 of 260 shown");
    expect(await say("glob", { pattern: "*.nope" })).toContain("No file matches");
  });
});

describe("read and batch_read", () => {
  test("numbered lines, the total, how to read on", async () => {
    const text = await say("read", { file: "lines.txt", start_line: 5, num_lines: 2 });
    expect(text).toBe("5\tneedle 4\n6\tneedle 5\n(of 130 lines)");
    expect(await say("read", { file: "lines.txt", start_line: 5 })).toContain(
      '… 26 of 130 lines follow: read({"file":"lines.txt","start_line":105})',
    );
    expect((await errorOf("read", { file: "lines.txt", start_line: 500 })).message).toContain("130 lines");
    expect(await say("read", { file: "empty.ts" })).toBe("empty.ts is empty.");
  });

  test("at most 300 lines", async () => {
    await write("long.txt", "x\n".repeat(900));
    expect((await answerOf("read", { file: "long.txt", num_lines: 900 }))["lines"]).toHaveLength(300);
  });

  test("one budget shared fairly, one bad file does not spoil the rest", async () => {
    await write("wide.txt", `${"y".repeat(300)}\n`.repeat(200));
    const reads = [
      { file: "go.mod" },
      { file: "wide.txt", num_lines: 200 },
      { file: "long.txt" },
      { file: "nope" },
    ];
    const { text } = await place.wield.call("batch_read", { reads }, { budget: 1_000 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_000);
    expect(text).toContain("module example.com/app");
    expect(text).toContain("FILE_NOT_FOUND");
    expect(text).toMatch(/read on: "wide.txt:\d+-200"/);
  });
});

test("a file that is named and could not be parsed is reported, not taken for one without the symbol", async () => {
  // Takes the parser longer than a question may last.
  await write(
    "huge/deep.ts",
    `export const deep = ${"[".repeat(60_000)}${"]".repeat(60_000)};\n${"a(b(c(d(e)))) + ".repeat(40_000)}1;\n`,
  );
  const text = await say("references", { symbol: "huge/deep.ts#deep" });
  expect(text).toMatch(/could not be parsed in time|defined at huge\/deep\.ts:1/);
  expect(text).not.toContain("is not defined here");
});

describe("batch_read for reading once", () => {
  const linesOf = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `  call(${from + i}, "a line of ordinary length");`);

  test("several ranges are whole, each up to its page; where all are too much, the first ones are", async () => {
    await write("long/body.ts", linesOf(1, 2_000).join("\n"));
    const reads = [
      "long/body.ts:1-150",
      "long/body.ts:301-450",
      "long/body.ts:601-740",
      "long/body.ts:1001-1400",
    ];
    const shownIn = (text: string, lines: readonly number[]) =>
      lines.filter((line) => text.includes(`\n${line}\t`));
    const { text } = await place.wield.callAny("batch_read", { reads });
    const all = [1, 150, 301, 450, 601, 740, 1001, 1300];
    expect(shownIn(text, [...all, 1301])).toEqual(all);
    expect(text.match(/read on.*/g)).toEqual(['read on: "long/body.ts:1301-1400"']);
    const more = await place.wield.callAny("batch_read", {
      reads: [...reads, "long/body.ts:1401-1700", "long/body.ts:1701-2000"],
    });
    expect(shownIn(more.text, all)).toEqual(expect.arrayContaining(all.slice(0, 6)));
    expect(more.text).toMatch(/read on: "long\/body\.ts:\d+-2000"/);
  });

  test("a getter with its setter, overloads with the function", async () => {
    await write(
      "pair/zone.ts",
      "export class Zone {\n  get first() {\n    return 1;\n  }\n\n  /** Sets it. */\n  set first(value) {\n    keep(value);\n  }\n}\n",
    );
    const text = await say("batch_read", { reads: ["pair/zone.ts#Zone.first"] });
    expect(text).toContain("get first()");
    expect(text).toContain("set first(value)");
    expect(text).not.toContain("also");
    await write(
      "pair/convert.py",
      "@overload\ndef convert_it(a: int) -> int: ...\n\n@overload\ndef convert_it(a: str) -> str: ...\n\ndef convert_it(a):\n    return real(a)\n",
    );
    expect(await say("batch_read", { reads: ["convert_it"] })).toContain("return real(a)");
  });

  test("what the lines call: each by its signature, a short one that speaks of the question whole", async () => {
    const long = linesOf(1, 20).join("\n");
    await write("calls/other.ts", `export function measureLoad() {\n${long}\n}\nexport function tiny() {}\n`);
    await write(
      "calls/main.ts",
      `import { tiny, measureLoad } from "./other.ts";\nexport function shipParcel() {\n  tiny();\n  if (isHeavy(measureLoad())) return 1;\n}\nfunction isHeavy(weight) {\n  return weight > 30;\n}\n`,
    );
    const text = await say("batch_read", { reads: ["shipParcel"] });
    expect(text).toContain("\n== calls, by signature\ncalls/other.ts:1 export function measureLoad() (22)");
    expect(text).not.toMatch(/tiny \(|isHeavy \(called above/);
    const about = await place.wield.callAny("batch_read", { reads: ["shipParcel"] }, { topic: "its weight" });
    expect(about.text).toContain(
      "== calls/main.ts isHeavy (called above)\n6\tfunction isHeavy(weight) {\n7\t  return weight > 30;\n8\t}\n==",
    );
    expect(await say("batch_read", { reads: ["calls/main.ts:1-8"] })).not.toContain("called above");
    const found = await say("search_code", { query: "ship a parcel" });
    expect(found).toMatch(/shipParcel[^→]*→ measureLoad \(22\)\n/);
  });

  test("imports that were asked for are shown; constants of the file come with what names them", async () => {
    const imports = linesOf(1, 8).map((_, i) => `import { part${i} } from "./part${i}.ts";`);
    const head = ["// What ships.", ...imports, "const patience = 30;", 'const log = makeLog("x");'];
    const body = Array.from({ length: 90 }, (_, i) => `export const value${i} = ${i};`);
    const wait = ["export function waitForIt() {", "  log(patience);", "}"];
    await write("heads/main.ts", `${[...head, ...body, ...wait].join("\n")}\n`);
    const whole = await say("batch_read", { reads: ["heads/main.ts:1-90"] });
    expect(whole).toContain('\n9\timport { part7 } from "./part7.ts";\n10\tconst patience = 30;\n');
    const text = await say("batch_read", { reads: ["waitForIt"] });
    expect(text).toContain("== constants named above\nheads/main.ts:10\tconst patience = 30;");
    expect(text).not.toContain("makeLog");
  });

  test("what a function gives back is told before what else it calls, and not more than a few", async () => {
    const body = (word: string) => Array.from({ length: 18 }, (_, i) => `  ${word}(${i});`).join("\n");
    const all = Array.from({ length: 12 }, (_, i) => `step${i}`);
    const parts = [...all, "verdictOf"].map((name) => `export function ${name}() {\n${body("count")}\n}\n`);
    await write("back/parts.ts", parts.join(""));
    const calls = all.map((name) => `  ${name}();\n`).join("");
    await write(
      "back/main.ts",
      `import * as parts from "./parts.ts";\nimport { ${all.join(", ")}, verdictOf } from "./parts.ts";\nexport function judgeIt() {\n${calls}  return verdictOf();\n}\n`,
    );
    const reads = ["judgeIt"];
    const { text } = await place.wield.callAny("batch_read", { reads }, { topic: "what is counted" });
    expect(text).toMatch(
      /== calls, by signature\nback\/parts\.ts:\d+ export function verdictOf\(\) \(20\)\n/,
    );
    expect(text.match(/\nback\/parts\.ts:/g)).toHaveLength(6);
  });

  test("a function of one line that only calls another one leads to that one", async () => {
    const long = linesOf(1, 20).join("\n");
    await write(
      "handed/store.ts",
      `export function loadParcel() {\n${long}\n}\nexport class Hatch {\n  take() {\n    return loadParcel();\n  }\n}\n`,
    );
    await write(
      "handed/main.ts",
      'import { Hatch } from "./store.ts";\nexport function receiveParcel(hatch: Hatch) {\n  return hatch.take();\n}\n',
    );
    expect(await say("batch_read", { reads: ["receiveParcel"] })).toContain(
      "== calls, by signature\nhanded/store.ts:1 export function loadParcel() (22) by Hatch.take",
    );
  });

  test("where it is known what the caller is after, what the lines call is chosen by that", async () => {
    const body = (word: string) => Array.from({ length: 10 }, (_, i) => `  ${word}(${i});`).join("\n");
    await write(
      "chosen/other.ts",
      `export function sealEnvelope() {\n${body("glue")}\n}\nexport function openBox() {\n${body("lift")}\n}\n`,
    );
    await write(
      "chosen/main.ts",
      `import { openBox, sealEnvelope } from "./other.ts";\nexport function postLetter() {\n  weighIt();\n  openBox();\n  sealEnvelope();\n  return 1;\n}\nfunction weighIt() {\n  return 30;\n}\n`,
    );
    const reads = ["postLetter"];
    expect((await place.wield.callAny("batch_read", { reads })).text).toContain(
      "chosen/other.ts:1 export function sealEnvelope() (12)",
    );
    const { text } = await place.wield.callAny(
      "batch_read",
      { reads },
      { topic: "how is an envelope sealed" },
    );
    expect(text).toContain("== chosen/other.ts sealEnvelope (called above)");
    expect(text).not.toContain("openBox (called above)");
    expect(text).toContain("\nchosen/other.ts:13 export function openBox() (12)");
    expect(text).not.toContain("weighIt (called above)");
  });

  test("where it is known what the caller is after, the only call comes with the condition around it", async () => {
    const filler = Array.from({ length: 40 }, (_, i) => `    step${i}();`).join("\n");
    await write("places/low.ts", "export function sealParcel() {\n  return 1;\n}\n");
    await write(
      "places/high.ts",
      `import { sealParcel } from "./low.ts";\nexport function sendAll(isUrgent) {\n  if (isUrgent) {\n${filler}\n    sealParcel();\n  }\n}\n`,
    );
    const reads = ["sealParcel"];
    const { text } = await place.wield.callAny("batch_read", { reads }, { topic: "when is a parcel sealed" });
    expect(text).toContain(
      "== places/high.ts [sendAll] calls sealParcel\n3\t  if (isUrgent) {\n… 40 lines\n44\t    sealParcel();",
    );
    expect(text).not.toContain("called from");
    expect((await place.wield.callAny("batch_read", { reads })).text).toContain("== called from");
  });

  test("a very long function is folded to what the caller is after; lines that are asked for are not", async () => {
    const block = (name: string) =>
      `  if (${name}) {\n${Array.from({ length: 60 }, (_, i) => `    ${name}${i}();`).join("\n")}\n  }`;
    await write(
      "folds/long.ts",
      `export function handleAll() {\n${block("alpha")}\n  refundOrder();\n${block("beta")}\n${block("gamma")}\n}\n`,
    );
    const topic = { topic: "where is an order refunded" };
    const { text } = await place.wield.callAny("batch_read", { reads: ["handleAll"] }, topic);
    expect(text).toContain(
      '\n2\t  if (alpha) {\n… 60 lines: "folds/long.ts:3-62" shows them\n63\t  }\n64\t  refundOrder();\n',
    );
    expect(text).toContain("\n65\t  if (beta) {\n… 60 lines\n126\t  }\n");
    expect(text).not.toContain("beta7");
    const part = await place.wield.callAny("batch_read", { reads: ["folds/long.ts:1-188"] }, topic);
    expect(part.text).toContain("beta7();");
    // Without a topic, nothing is folded.
    expect((await place.wield.callAny("batch_read", { reads: ["handleAll"] })).text).toContain("beta7();");
  });

  test("functions of up to 120 lines are whole, however many are asked for, and so are lines and files", async () => {
    const work = Array.from({ length: 20 }, (_, i) => `    prepareIt${i}();\n`).join("");
    const steps = Array.from({ length: 4 }, (_, i) => `  if (step${i}) {\n${work}  }\n`).join("");
    const names = ["one", "two", "three", "four", "five", "six", "seven"];
    for (const name of names)
      await write(`together/${name}.ts`, `export function ${name}() {\n${steps}  refundOrder(${name});\n}\n`);
    const topic = { topic: "where is an order refunded" };
    const { text } = await place.wield.callAny("batch_read", { reads: names }, topic);
    expect(text.match(/prepareIt19\(\);/g)).toHaveLength(4 * names.length);
    expect(text).not.toContain("…");
    const reads = ["together/one.ts:1-91", "together/two.ts"];
    const { text: lines } = await place.wield.callAny("batch_read", { reads }, topic);
    expect(lines.match(/prepareIt19\(\);/g)).toHaveLength(8);
    expect(lines).not.toContain("…");
  });

  test("a private name is read as it is printed", async () => {
    await write(
      "private/a.ts",
      "export class Box {\n  #open() {\n    return 1;\n  }\n  run() {\n    return this.#open();\n  }\n}\n",
    );
    expect(await say("symbols", { path: "private/a.ts" })).toContain("#open");
    for (const name of ["Box.#open", "private/a.ts#Box.#open"])
      expect(await say("batch_read", { reads: [name] })).toMatch(
        /^== private\/a\.ts Box\.#open\n2\t {2}#open\(\) \{/,
      );
    expect(await say("references", { symbol: "private/a.ts#Box.#open" })).toContain("private/a.ts");
  });

  test("lines that begin inside a function name it; a function that they only touch brings no callers", async () => {
    const body = Array.from({ length: 20 }, (_, i) => `  work${i}();`).join("\n");
    await write(
      "touched/a.ts",
      `export class Box {\n  open() {\n${body}\n  }\n}\nexport function next() {\n${body}\n}\n`,
    );
    await write("touched/b.ts", 'import { next } from "./a.ts";\nexport function caller() {\n  next();\n}\n');
    const read = async (lines: string) =>
      (await place.wield.callAny("batch_read", { reads: [`touched/a.ts:${lines}`] }, { topic: "who works" }))
        .text;
    expect(await read("10-25")).toMatch(/^== touched\/a\.ts \[Box\.open 2\]\n/);
    expect(await read("10-26")).not.toContain("caller");
    expect(await read("25-48")).toContain("caller");
  });

  test("a range that ends just before a function does is shown to that end; lines by number are not", async () => {
    await write(
      "ends/a.ts",
      "export function cut() {\n  one();\n  two();\n  three();\n}\nexport const after = 1;\n",
    );
    const range = await say("batch_read", { reads: ["ends/a.ts:1-3"] });
    expect(range).toContain("\n4\t  three();\n5\t}");
    expect(range).not.toContain("after");
    expect(
      await say("batch_read", { reads: [{ file: "ends/a.ts", start_line: 1, num_lines: 3 }] }),
    ).not.toContain("three");
  });

  test("of several functions with one name, the one in a file that something else is read from", async () => {
    await write("pair/first.ts", "export function twice() {\n  return 1;\n}\n");
    await write(
      "pair/second.ts",
      "export function twice() {\n  return 2;\n}\nexport function once() {\n  twice();\n}\n",
    );
    const text = await say("batch_read", { reads: ["twice", "once"] });
    expect(text).toContain("== pair/second.ts twice");
    expect(text).toContain("another of the name: pair/first.ts:1-3");
  });

  test("the members of a long interface once; a class of a hundred lines whole", async () => {
    const members = Array.from({ length: 160 }, (_, i) => `  member${i + 1}(): void;`);
    await write("wide/port.ts", `export interface WidePort {\n${members.join("\n")}\n}\n`);
    const text = await say("batch_read", { reads: ["WidePort"] });
    expect(text.match(/\bmember5\(\)/g)).toHaveLength(1);
    expect(text).toContain("lines; members:\n");
    expect(text).toContain("\n41 member40(): void");
    await write("wide/kept.ts", `export class KeptWhole {\n${linesOf(1, 100).join("\n")}\n}\n`);
    expect(await say("batch_read", { reads: ["KeptWhole"] })).toContain("\n101\t  call(100,");
  });

  test("a wrong name: those of that file, and where it is; many of one name are counted", async () => {
    await write("names/a.ts", "export function listTools() {}\nexport function getAll() {}\n");
    for (const n of [1, 2, 3, 4, 5])
      await write(`names/b${n}.ts`, "export function getTools() {\n  a();\n}\n");
    const wrong = await say("batch_read", { reads: ["names/a.ts#fetchZebra"] });
    expect(wrong).toContain("fetchZebra is not defined in names/a.ts. It declares listTools, getAll.");
    const elsewhere = await say("batch_read", { reads: ["names/a.ts#getTools"] });
    expect(elsewhere).not.toMatch(/Did you mean[^?]*getTools/);
    expect(elsewhere).toMatch(/getTools is in names\/b1\.ts:1-3, .* and 2 more\./);
    expect(await say("batch_read", { reads: ["getTools"] })).toMatch(
      /\(others of the name: (names\/b\d\.ts:1-3(, )?){3} and 1 more\)/,
    );
  });
});

describe("find_definition and find_importers", () => {
  test("constants that the lines name come with their values, those of an enumeration do not", async () => {
    await write("limits/limits.ts", "export const MAX_TRIES = 3;\nexport const UNUSED_LIMIT = 4;\n");
    await write(
      "limits/run.ts",
      'import { MAX_TRIES } from "./limits.ts";\nimport { Kind } from "./kind.ts";\nexport function runOften() {\n  for (let i = 0; i < MAX_TRIES; i++) use(Kind.NOT_SAID);\n  return env("DEFAULT_LEVEL");\n}\n',
    );
    await write("limits/env.sh", "export DEFAULT_LEVEL=0.5\n");
    await write("limits/kind.ts", "export enum Kind {\n  NOT_SAID = 1,\n}\n");
    expect(await say("batch_read", { reads: ["runOften"] })).toBe(
      [
        "== limits/run.ts runOften",
        "3\texport function runOften() {",
        "4\t  for (let i = 0; i < MAX_TRIES; i++) use(Kind.NOT_SAID);",
        '5\t  return env("DEFAULT_LEVEL");',
        "6\t}",
        "== constants named above",
        "limits/limits.ts:1\texport const MAX_TRIES = 3;",
      ].join("\n"),
    );
    // Who calls it, from lines that are not shown; tests are no answer to what starts it.
    await write(
      "limits/start.ts",
      'import { runOften } from "./run.ts";\nexport function start() {\n  runOften();\n  runOften();\n}\n',
    );
    await write("limits/run.test.ts", 'import { runOften } from "./run.ts";\nrunOften();\n');
    expect(await say("batch_read", { reads: ["runOften"] })).toMatch(
      /MAX_TRIES = 3;\n== called from[^\n]*\nrunOften: limits\/start\.ts:3,4 \[start\]$/,
    );
    expect(await say("batch_read", { reads: ["runOften", "start"] })).not.toContain("called from");
    await write(
      "limits/pair.rs",
      "pub fn pair() {}\n\nfn begin() {\n    pair();\n}\n\n#[cfg(test)]\nmod tests {\n    fn checks() {\n        super::pair();\n    }\n}\n",
    );
    expect(await say("batch_read", { reads: ["limits/pair.rs:1-1"] })).toMatch(
      /== called from[^\n]*\npair: limits\/pair\.rs:4 \[begin\]$/,
    );
    // A call that may be of it is no caller, but it is said that there is one.
    await write(
      "limits/gate.py",
      "class Gate:\n    def unlatch(self):\n        return 1\n\ndef visit(thing):\n    return thing.unlatch()\n",
    );
    expect(await say("batch_read", { reads: ["Gate.unlatch"] })).toMatch(
      /\n== callers not listed, many or only possible: Gate\.unlatch; references lists them$/,
    );
  });

  test("by type of symbol", async () => {
    expect(await say("find_definition", { symbol: "Api", type: "class" })).toMatch(/^web\/api.ts:2 /);
    expect(await say("find_definition", { symbol: "version", type: "variable" })).toContain("web/load.ts:5");
    expect(await say("find_definition", { symbol: "fetchIssue", type: "import" })).toContain("web/api.ts:1");
    expect(await say("find_definition", { symbol: "load", type: "class" })).toContain("No class");
  });

  test.each(["web/load.ts", "web/load", "./load", "../web/load", "web/load.js"])(
    "importers of %s",
    async (modulePath) => {
      expect(await say("find_importers", { modulePath })).toContain(
        'web/api.ts:1  import { load as fetchIssue } from "./load";',
      );
    },
  );

  test("a Go package by its folder; a module that is not here", async () => {
    expect(await say("find_importers", { modulePath: "internal/model" })).toContain("cmd/server/main.go");
    expect((await errorOf("find_importers", { modulePath: "react" })).code).toBe("FILE_NOT_FOUND");
  });
});

const issueGo = `package model

import "context"

const (
	IssueStatusOpen = iota
	IssueStatusClosed
)

type IssueID int64

// Issue is one issue.
type Issue struct {
	ID    IssueID
	Title string
}

func NewIssue(extID int, title string) Issue {
	return Issue{ID: IssueID(extID), Title: title}
}

func (i Issue) IsOpen() bool { return i.Title != "" }

type IssueStore interface {
	Get(ctx context.Context, id IssueID) (Issue, error)
	Upsert(ctx context.Context, issue Issue) error
}
`;
const storeGo = `package store

import (
	"context"

	"example.com/app/internal/model"
)

type issueStore struct{ rows map[model.IssueID]model.Issue }

var _ model.IssueStore = (*issueStore)(nil)

func (s *issueStore) Get(ctx context.Context, id model.IssueID) (model.Issue, error) {
	return s.rows[id], nil
}

// Upsert inserts an issue, or updates it.
func (s *issueStore) Upsert(ctx context.Context, issue model.Issue) error {
	s.rows[issue.ID] = issue
	return nil
}
`;
const mainGo = `package main

import (
	"fmt"
	"example.com/app/internal/model"
)

func main() {
	issue := model.NewIssue(1, "first")
	fmt.Println(issue.IsOpen())
}
`;
