import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";
import { references } from "./references.ts";

const longBody = (name: string, word: string, at: number) =>
  [
    `export function ${name}(input: string) {`,
    ...Array.from({ length: 150 }, (_, i) => (i === at ? `  ${word}(input);` : `  step${i}(input);`)),
    "}",
    "",
  ].join("\n");

let place: TestWield;
beforeAll(async () => {
  place = await testWield({
    "src/sessions.ts": [
      "// Copyright somebody. Expired sessions are removed under the licence.",
      'import { sessions } from "./expired-sessions-removed.js";',
      "",
      "/**",
      " * Removes expired sessions.",
      ...Array.from({ length: 9 }, (_, i) => ` * Line ${i} of a long explanation.`),
      " */",
      "export function removeExpiredSessions(now: number): number {",
      "  let removed = 0;",
      "  for (const [id, session] of sessions) {",
      "    if (session.expires < now) {",
      "      sessions.delete(id);",
      "      removed += countOnce(id);",
      "    }",
      "  }",
      "  return removed;",
      "}",
      "",
    ].join("\n"),
    "src/counting.ts": "export function countOnce(id: string): number {\n  return id === '' ? 0 : 1;\n}\n",
    "src/long.ts": longBody("walkThrough", "purgeZebraCache", 120),
    "src/large.ts": [
      "export class LargeThing {",
      ...Array.from(
        { length: 40 },
        (_, i) => `  method${i}(value: number) {\n    return value + ${i};\n  }\n`,
      ),
      "}",
      "",
    ].join("\n"),
    "tests/sessions.test.ts":
      "import { removeExpiredSessions } from '../src/sessions';\nremoveExpiredSessions(1);\n",
    "aaa/generated/api.ts": "export const removeExpiredSessionsUrl = '/x';\n",
    "src/many.ts": `${"mention of needle\n".repeat(70)}`,
    "src/one.py": "class Store:\n    def save(self, data):\n        needle = data\n        return needle\n",
    "docs/latin.txt": Buffer.from("caf\xe9 needle\n", "latin1"),
    "docs/wide.txt": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("first\nsecond\n", "utf16le")]),
  });
});
afterAll(() => place.close());

const say = async (tool: string, input: Record<string, unknown>) =>
  (await place.wield.callAny(tool, input)).text;

describe("search_code", () => {
  test("the best function whole, numbered, its long comment folded, without imports and licence", async () => {
    const text = await say("search_code", { query: "where are expired sessions removed" });
    expect(text).toMatch(/^src\/sessions\.ts:4-25 removeExpiredSessions\n4\t\/\*\*\n5\t \* Removes/);
    expect(text).toContain("24\t  return removed;\n25\t}");
    expect(text).not.toMatch(/Line 5 of a long|Copyright|import \{ sessions/);
  });

  test("a long function is named with the lines that fit, not cut", async () => {
    const text = await say("search_code", { query: "purge zebra cache" });
    expect(text).toMatch(/^src\/long\.ts\n 1 walkThrough \(152\)\n {2}122: purgeZebraCache\(input\);/);
    expect(text).not.toContain("export function walkThrough");
  });

  test("of a long type, its members by one line each", async () => {
    const text = await say("search_code", { query: "LargeThing" });
    expect(text).toMatch(
      /^src\/large\.ts:1-\d+ LargeThing\n1\texport class LargeThing \{\n… \d+ lines; members:\n2-4 method0/,
    );
    expect(text).toContain("… 10 more members");
  });
});

describe("definition", () => {
  test("the code of the one that is meant", async () => {
    const text = await say("definition", { symbol: "Store.save" });
    expect(text).toBe(
      "Store.save\nLocation: src/one.py:2-4\n2\t    def save(self, data):\n3\t        needle = data\n4\t        return needle",
    );
  });

  test("several names in one call", async () => {
    const text = await say("definition", { symbols: ["countOnce", "Store.save", "nothingLikeIt"] });
    expect(text).toContain("countOnce\nLocation: src/counting.ts:1-3\n1\texport function countOnce");
    expect(text).toContain("Location: src/one.py:2-4");
    expect(text).toContain('No definition of "nothingLikeIt"');
  });

  test("a name that nothing declares, but code uses, is not told to be nowhere", async () => {
    expect(await say("definition", { symbol: "needle" })).toContain("The name occurs in");
    expect(await say("references", { symbol: "needle" })).toMatch(
      /not defined here, but occurs in \d+ files? of code/,
    );
    expect(await say("references", { symbol: "nothingLikeIt" })).toContain("is not defined here. ");
  });

  test("a wrong name gets the nearest right one; no name at all is refused", async () => {
    expect(await say("definition", { symbol: "countOnse" })).toContain("Did you mean countOnce?");
    expect(await say("definition", {})).toContain("INVALID_INPUT");
  });

  test("a long class is shown by its members", async () => {
    const text = await say("definition", { symbol: "LargeThing" });
    expect(text).toContain("members:\n2-4 method0(value: number)");
    expect(text).not.toContain("value + 7");
  });
});

describe("grep", () => {
  test("the function around, indentation, sources before tests and generated files", async () => {
    const text = await say("grep", { pattern: "removeExpiredSessions" });
    const order = ["src/sessions.ts", "tests/sessions.test.ts", "aaa/generated/api.ts"];
    expect(order.map((file) => text.indexOf(file))).toEqual(
      order.map((file) => text.indexOf(file)).sort((a, b) => a - b),
    );
    expect(await say("grep", { pattern: "sessions.delete|removed \\+=" })).toContain(
      '  20: [removeExpiredSessions] sessions.delete(id);\n  21: ["] removed += countOnce(id);',
    );
  });

  test("context and exclude", async () => {
    expect(await say("grep", { pattern: "needle = data", context: 1 })).toBe(
      "1 match in 1 file\nsrc/one.py\n  [Store.save]\n  2-\t    def save(self, data):\n  3:\t        needle = data\n  4-\t        return needle",
    );
    const asked = { pattern: "removeExpiredSessions" };
    for (const exclude of ["tests/**", "tests", "*.test.ts", ["nothing", "tests/"]]) {
      expect(await say("grep", { ...asked, exclude })).not.toContain("tests/");
      expect(await say("search_files", { ...asked, exclude })).not.toContain("tests/");
    }
    expect(await say("search_files", asked)).toMatch(/\nIn tests: \d+ in 1 file\ntests\/sessions.test.ts\n/);
  });

  test("one file never takes the whole page, and the next page is one short word away", async () => {
    const text = await say("grep", { pattern: "needle" });
    expect(text).toContain(
      '  … 55 more of this file: same call with include "src/many.ts" and cursor "src/many.ts:15"\nsrc/one.py',
    );
    const more = await say("grep", { pattern: "needle", include: "src/many.ts", cursor: "src/many.ts:15" });
    expect(more).toMatch(/^ {2}16, 17, [\d, ]+65: mention of needle\n\.\.\.and 5 more/m);
    const first = await say("grep", { pattern: "needle", path: "src/many.ts" });
    expect(first).toMatch(/\.\.\.and 20 more: same call with cursor "src\/many\.ts:50"$/);
    const next = await say("grep", { pattern: "needle", path: "src/many.ts", cursor: "src/many.ts:50" });
    expect(next).toMatch(/^ {2}51, 52, 53, [\d, ]*70: mention of needle$/m);
  });

  test("many matches: each with the text of its line", async () => {
    const body = Array.from({ length: 8 }, (_, i) => `  step${i}(joined);\n`).join("");
    const reset = "  reset(joined);\n";
    place.write(
      "rows/a.ts",
      `export function first() {\n${body}}\nexport function second() {\n${reset}}\nexport function third() {\n${reset}}\n`,
    );
    place.write("rows/b.ts", "const joined = 1;\n".repeat(8));
    expect(await say("grep", { pattern: "joined", path: "rows" })).toBe(
      [
        "18 matches in 2 files",
        "rows/a.ts",
        "  2: [first] step0(joined);",
        ...Array.from({ length: 7 }, (_, i) => `  ${i + 3}: ["] step${i + 1}(joined);`),
        "  12: [second] reset(joined);",
        "  15: [third] reset(joined);",
        "rows/b.ts",
        "  1, 2, 3, 4, 5, 6, 7, 8: const joined = 1;",
      ].join("\n"),
    );
  });
});

describe("read and batch_read", () => {
  test("each line as it stands, and nothing that a range cuts is closed", async () => {
    const lines = [
      "CONFIG = {",
      '    "a": 1,',
      "",
      '    "b": 2,  ',
      '    "secret": 3,',
      "}",
      "",
      "def f(",
      "\tone,",
    ];
    place.write("src/exact.py", [...lines, "\ttwo,", "):", "    return one", ""].join("\n"));
    expect(await say("batch_read", { reads: ["src/exact.py:1-4"] })).toBe(
      ["== src/exact.py", ...lines.slice(0, 4).map((line, index) => `${index + 1}\t${line}`)].join("\n"),
    );
    expect(await say("batch_read", { reads: [{ file: "src/exact.py", start_line: 8, num_lines: 2 }] })).toBe(
      "== src/exact.py\n8\tdef f(\n9\t\tone,",
    );
  });

  test("by symbol as well as by lines, without hints to read on where all was given", async () => {
    const text = await say("batch_read", {
      reads: [
        { symbol: "Store.save" },
        { file: "src/many.ts", start_line: 3, num_lines: 1 },
        { symbol: "countOnse" },
      ],
    });
    expect(text).toContain("== src/one.py Store.save\n2\t    def save(self, data):");
    expect(text).toContain("== src/many.ts\n3\tmention of needle\n==");
    expect(text).toContain("countOnse is not defined here. Did you mean countOnce?");
    expect(text).not.toContain("read on");
  });

  test("places written as text: lines, symbols, a whole file", async () => {
    const text = await say("batch_read", {
      reads: ["src/many.ts:3,5-6", "Store.save", "src/one.py#Store.save", "src/long.ts", "sessions.ts:4"],
    });
    expect(text).toContain("== src/many.ts\n3\tmention of needle\n== src/many.ts\n5\t");
    // The same lines are shown once, however they are named.
    expect(text.match(/== src\/one\.py Store\.save\n2\t {4}def save/g)).toHaveLength(1);
    // A file as the text that it is, and a path that is only the end of one.
    expect(text).toContain("== src/long.ts\n1\texport function walkThrough");
    expect(text).toContain("== src/sessions.ts\n4\t/**");
    expect(await say("batch_read", { reads: ["src/nowhere.ts", "../outside.ts:1-3"] })).toMatch(
      /INVALID_PATH/,
    );
    expect(await say("batch_read", { reads: ["src/sesions.ts:1-2"] })).toContain(
      "Did you mean src/sessions.ts?",
    );
  });

  test("a wrong path gets the right one", async () => {
    expect(await say("read", { file: "lib/src/sessions.ts" })).toContain("Did you mean src/sessions.ts?");
    expect(await say("read", { file: "src/sesions.ts" })).toContain("Did you mean src/sessions.ts?");
    expect(await say("read_file", { path: "sessions.ts" })).toContain("Did you mean src/sessions.ts?");
  });

  test("read_file returns its 2,000 lines, unless the person allows a call less", async () => {
    place.write(
      "long.ts",
      Array.from({ length: 2_500 }, (_, i) => `export const value${i + 1} = ${i + 1};`).join("\n"),
    );
    const text = await say("read_file", { path: "long.ts" });
    expect(text).toContain("2000\texport const value2000 = 2000;\n… lines 1–2000 of 2500.");
    const short = await place.wield.callAny("read_file", { path: "long.ts" }, { budget: 1_000 });
    expect(short.text).toMatch(/… lines 1–\d{2,3} of 2500\. Read on: read_file/);
  });

  test("other encodings", async () => {
    expect(await say("read", { file: "docs/latin.txt" })).toContain("1\tcafé needle");
    expect(await say("read", { file: "docs/wide.txt", start_line: 2 })).toContain("2\tsecond");
    expect(await say("read_file", { path: "docs/wide.txt" })).toBe(
      "1\tfirst\n2\tsecond\n(read as utf-16le, by its byte order mark)",
    );
  });

  test("five lines of a file of many megabytes", async () => {
    place.write("big.log", "a line of a long log\n".repeat(600_000));
    const text = await say("read", { file: "big.log", start_line: 599_990, num_lines: 5 });
    expect(text).toMatch(/^599990\ta line of a long log\n[\s\S]*\(of 600000 lines\)$/);
    expect(await say("read_file", { path: "big.log", startLine: 300_000, numLines: 2 })).toMatch(
      /^300000\ta line/,
    );
    expect(await say("read_file", { path: "big.log" })).toContain("TOO_LARGE");
  });
});

test("references that were not all looked at are never called none", () => {
  const tool = references(() => Promise.reject(new Error("not asked")));
  const place = { name: "get", kind: "func", signature: "func get()", file: "a.go", line: 1 };
  const sorted = { sure: 0, possible: 0, other: 0, why: {}, others: [], left: 812 };
  const value = { definitions: [{ ...place, startLine: 1, endLine: 1 }], references: [], sorted };
  expect(tool.render(value, { symbol: "get", path: "." })).toBe(
    [
      "No references to get in the files looked at (defined at a.go:1).",
      "812 more files hold the name and were not looked at: narrow with path or a qualified name.",
    ].join("\n"),
  );
});
