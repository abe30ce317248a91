import { execFileSync } from "node:child_process";
import { lutimesSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Command } from "../../process/process.ts";
import { runCommand } from "../../process/run.ts";
import fc from "../../testing/properties.ts";
import { type TestWield, testWield } from "../../testing/testing.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { searchTree } from "./ripgrep.ts";

type Wield = TestWield["wield"];

let place: TestWield;
let cold: Wield;
beforeAll(async () => {
  place = await testWield({
    ".gitignore": "*.log\ndist/\n!keep.log\n",
    "t/.wieldignore": "secret*\n",
  });
  symlinkSync("a.txt", join(place.root, "link.txt"));
  symlinkSync("t", join(place.root, "inward"));
  // Never asked about code, so it has no index and every search is ripgrep's.
  cold = await place.reopen();
  await place.wield.call("definition", { symbol: "anything" });
});
afterAll(() => place.close());

async function grep(wield: Wield, input: Record<string, unknown>): Promise<unknown> {
  const { result } = await wield.callAny("grep", { limit: 100, ...input });
  return result.ok ? result.value : result.error;
}

async function sameAnswer(input: Record<string, unknown>): Promise<unknown> {
  const warm = await grep(place.wield, input);
  expect(warm, JSON.stringify(input)).toEqual(await grep(cold, input));
  return warm;
}

async function sameFiles(input: Record<string, unknown>, tool = "find_files"): Promise<string> {
  const warm = (await place.wield.callAny(tool, input)).text;
  expect(warm, `${tool} ${JSON.stringify(input)}`).toBe((await cold.callAny(tool, input)).text);
  return warm;
}

async function write(files: Record<string, Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) place.write(path, content);
  (await place.wield.code()).invalidate();
}

const utf16 = (text: string, order: "le" | "be") => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};

test("a text is found however it is encoded, and named the same way with and without an index", async () => {
  await write({
    "enc/le.txt": utf16("first\r\nthe needle über alles\r\n", "le"),
    "enc/be.txt": utf16("needle at the start\n", "be"),
    "enc/bom.txt": Buffer.from("\ufeffneedle after a mark\n"),
    "enc/latin.txt": Buffer.from("needle caf\xe9\n", "latin1"),
    "enc/nul.txt": Buffer.from("needle\0needle\n"),
    "enc/late.txt": Buffer.from(`needle\n${"x".repeat(80_000)}\nneedle\n\0`),
  });
  expect(await sameAnswer({ pattern: "needle", path: "enc" })).toMatchObject({
    total: 4,
    matches: [
      { file: "enc/be.txt", line: 1, text: "needle at the start" },
      { file: "enc/bom.txt", line: 1, text: "needle after a mark" },
      { file: "enc/latin.txt", line: 1 },
      { file: "enc/le.txt", line: 2, text: "the needle über alles" },
    ],
  });
  expect(await sameAnswer({ pattern: "^needle", path: "enc" })).toMatchObject({ total: 3 });
  rmSync(join(place.root, "enc"), { recursive: true });
});

const piece = fc.constantFrom(
  "needle",
  "Needle",
  " ",
  "x",
  "über",
  "日本",
  "a.b",
  "\u2028",
  "\u{1f600}",
  "y".repeat(260),
  "z".repeat(6_000),
);
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "\n\n");
const text = fc
  .array(fc.tuple(fc.array(piece, { maxLength: 5 }), lineEnd), { maxLength: 6 })
  .map((lines) => lines.map(([pieces, end]) => pieces.join("") + end).join(""));
const content = fc.oneof(
  { weight: 4, arbitrary: text.map((t) => Buffer.from(t)) },
  text.map((t) => Buffer.from(t.trimEnd())),
  text.map((t) => Buffer.from(`\ufeff${t}`)),
  text.map((t) => utf16(t, "le")),
  text.map((t) => utf16(t, "be")),
  text.map((t) => Buffer.from(t, "latin1")),
  text.map((t) => Buffer.concat([Buffer.from(t), Buffer.from("needle\0\nneedle\n")])),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);
const names = [
  "a.txt",
  ".hidden",
  "t/b.go",
  "t/.env/c.txt",
  "t/secret.txt",
  "t/note.log",
  "t/keep.log",
  "t/dist/d.txt",
  "t/sub/dist.txt",
  "t/sub/with space.md",
  "t/line\nbreak.txt",
];
const tree = fc.tuple(...names.map(() => content));
const question = fc.record(
  {
    pattern: fc.constantFrom(
      "needle",
      "^needle",
      "needle$",
      "ne+dle.",
      "\\bneedle\\b",
      "ber|日本",
      "needle\\s",
      "n[^x]edle",
    ),
    path: fc.constantFrom(".", "t", "t/sub", "t/dist", "t/note.log", "a.txt", "link.txt", "inward"),
    include: fc.constantFrom("*.txt", "*.log", "t/**", "!*.go", "dist/**"),
  },
  { requiredKeys: ["pattern", "path"] },
);

test("files of every odd kind: the index changes how long an answer takes, never the answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      tree,
      fc.array(question, { minLength: 3, maxLength: 3 }),
      fc.array(fc.constantFrom(...names), { maxLength: 4 }),
      async (contents, questions, older) => {
        for (const [i, bytes] of contents.entries()) place.write(names[i] ?? "", bytes);
        // Some have the time of another, or one between two milliseconds.
        for (const [i, name] of older.entries())
          utimesSync(join(place.root, name), 1_000_000.0004 * (i >> 1), 1_000_000.0004 * (i >> 1));
        (await place.wield.code()).invalidate();
        for (const asked of questions) await sameAnswer(asked);
        for (const { path } of questions) {
          for (const pattern of ["*", "*.txt", "**/d*"]) {
            await sameFiles({ pattern, path });
            await sameFiles({ pattern, path }, "glob");
          }
        }
      },
    ),
    { numRuns: 25 },
  );
});

test("find_files knows at once what came, went and moved, by Wield and by others", async () => {
  const { wield } = place;
  await wield.call("write_file", { path: "n/new.txt", content: "", createDirs: true });
  expect(await sameFiles({ pattern: "new*" })).toBe("n/new.txt");
  await wield.call("move_file", { from: "n/new.txt", to: "n/newer.txt" });
  expect(await sameFiles({ pattern: "new*" })).toBe("n/newer.txt");
  symlinkSync("newer.txt", join(place.root, "n/newest"));
  (await wield.code()).invalidate();
  expect(await sameFiles({ pattern: "new*", path: "n" })).toBe("n/newer.txt\nn/newest");
  rmSync(join(place.root, "n"), { recursive: true });
  (await wield.code()).invalidate();
  expect(await sameFiles({ pattern: "new*" })).toContain("No file matches");
});

test("glob knows what is newest at once, by whomever, of links too", async () => {
  const { wield } = place;
  const paths = ["g/a.txt", "g/b.md", "g/c.txt"];
  for (const [i, path] of paths.entries()) {
    place.write(path, "");
    utimesSync(join(place.root, path), 1_000 + i, 1_000 + i);
  }
  symlinkSync("a.txt", join(place.root, "g/link"));
  const newest = async () => (await sameFiles({ pattern: "*", path: "g" }, "glob")).split("\n");
  expect(await newest()).toEqual(["g/link", "g/c.txt", "g/b.md", "g/a.txt"]);
  lutimesSync(join(place.root, "g/link"), 1, 1);
  await wield.call("write_file", { path: "g/d.md", content: "new" });
  expect(await newest()).toEqual(["g/d.md", "g/c.txt", "g/b.md", "g/a.txt", "g/link"]);
  utimesSync(join(place.root, "g/a.txt"), 2e9, 2e9);
  rmSync(join(place.root, "g/c.txt"));
  expect(await newest()).toEqual(["g/a.txt", "g/d.md", "g/b.md", "g/link"]);
  rmSync(join(place.root, "g"), { recursive: true });
  (await wield.code()).invalidate();
});

test("what one process of Wield changes is known to the next at once, however lately all was looked at", async () => {
  const ask = async (symbol: string) => {
    const wield = await place.reopen();
    return (await wield.call("definition", { symbol })).text;
  };
  const now = Date.now();
  while (Date.now() < now + 60) await new Promise((resolve) => setTimeout(resolve, 5));
  // The first keeps what it finds, the second finds nothing else and tells so.
  for (let i = 0; i < 2; i++) expect(await ask("madeElsewhere")).toContain("No definition");
  const writer = await place.reopen();
  await writer.call("write_file", { path: "elsewhere.ts", content: "export function madeElsewhere() {}\n" });
  expect(await ask("madeElsewhere")).toContain("elsewhere.ts");
});

test("a pattern that would be matched for ever is refused; ripgrep, which is not slowed by it, still takes it", async () => {
  const pattern = "**/a/**/a/**/a/**/x";
  for (const tool of ["glob", "find_files"])
    expect((await place.wield.callAny(tool, { pattern })).text).toContain("too many wildcards");
  expect(await sameAnswer({ pattern: "needle", path: ".", include: pattern })).toMatchObject({ total: 0 });
});

test.skipIf(process.platform !== "linux")(
  "names that are not UTF-8 are shown escaped and skipped, paths that are too long are counted, and nothing fails",
  async () => {
    place.write("odd/ok.ts", "export const oddity = 1;\n");
    const odd = (...bytes: number[]) => Buffer.from([...Buffer.from(`${place.root}/odd/`), ...bytes]);
    writeFileSync(odd(0x63, 0xe9), "const oddity = 2;\n");
    mkdirSync(odd(0xff, 0xfe));
    // No path leads so deep; each step is made by its own name.
    const script =
      "import os; os.chdir('odd')\nfor _ in range(25): os.mkdir('x' * 200); os.chdir('x' * 200)\nopen('deep.ts', 'w').write('const oddity = 3\\n')";
    execFileSync("/usr/bin/python3", ["-c", script], { cwd: place.root });
    const wield = await place.reopen();
    const said = async (tool: string, input: object) => (await wield.callAny(tool, input)).text;
    const line = /no tool can open them \(.*\): (?=.*c\\xe9)(?=.*\\xff\\xfe)/.source;
    expect(await said("list_directory", { path: "odd" })).toMatch(RegExp(`${line}.*\\(2\\)`));
    expect(await said("tree", { path: "odd" })).toContain("odd/c\\xe9, odd/\\xff\\xfe (2)");
    expect(await said("list_directory", { path: "odd", recursive: true })).toMatch(
      RegExp(`${line}(?=.*x…x).*\\(3\\)`),
    );
    expect(await said("find_files", { pattern: "odd/*" })).toContain("odd/c\\xe9");
    for (const tool of ["grep", "search_files"]) {
      const found = await said(tool, { pattern: "oddity", path: "odd" });
      expect(found).toMatch(/^1 match in 1 file\nodd\/ok\.ts/);
      expect(found).toMatch(/no tool can open them \(.*\): odd\/c\\xe9, odd\/x+…x+ \(2\)/);
      expect(await said(tool, { pattern: "nothing of the kind", path: "odd" })).toMatch(/^No match/m);
    }
    expect(await said("search_code", { query: "oddity" })).toContain("odd/ok.ts");
    expect(await said("definition", { symbol: "oddity" })).toContain("odd/ok.ts:1");
    expect(await said("find_files", { pattern: "odd/*" })).toContain("odd/c\\xe9");
    const long = `${"a/".repeat(2100)}x`;
    for (const [tool, input] of [
      ["read_file", { path: long }],
      ["grep", { pattern: "x", path: long }],
      ["delete_file", { path: long }],
      ["tree", { path: long }],
      ["symbols", { file: long }],
      ["graph", { operation: "imports", target: long }],
      ["git_blame", { path: long }],
      ["run_tests", { path: long }],
    ] as const) {
      const { result } = await wield.callAny(tool, input);
      expect(result.ok ? [tool] : [tool, result.error.code]).not.toContain("INTERNAL_ERROR");
    }
  },
);

test("what ripgrep cannot read is not named: a rule may hide it", async () => {
  const text = "rg: ./private/pattern-of-merger: Permission denied (os error 13)\n";
  const context = {
    workspace: place.wield.workspace,
    mayRead: (path: string) => !path.startsWith("private/"),
    run: async (command: Command) => ({ ...(await runCommand(command)), exitCode: 2, stderr: { text } }),
  } as unknown as ToolContext;
  const search = searchTree({ pattern: "not to be found anywhere", path: ".", limit: 10 }, context);
  await expect(search).rejects.toMatchObject({
    code: "EXECUTION_ERROR",
    message: expect.not.stringContaining("merger"),
  });
});

test("of a file with very many matches, only the lines of one page are read a second time", async () => {
  place.write("many/big.txt", "the word\n".repeat(300_000));
  place.write("many/other.txt", "a word\n");
  let printed = 0;
  const context = {
    workspace: place.wield.workspace,
    mayRead: () => true,
    run: (command: Command) => {
      const onStdout = (chunk: Buffer) => {
        printed += chunk.length;
        return command.onStdout?.(chunk);
      };
      return runCommand({ ...command, onStdout });
    },
  } as unknown as ToolContext;
  const request = { pattern: "word", path: "many", limit: 50 };
  const first = await searchTree(request, context);
  expect(first).toMatchObject({ total: 300_001, before: 0 });
  expect(first.matches.map(({ line }) => line)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  const next = await searchTree({ ...request, after: { file: "many/big.txt", line: 50 } }, context);
  expect([next.before, next.matches[0]]).toEqual([50, { file: "many/big.txt", line: 51, text: "the word" }]);
  expect(printed).toBeLessThan(100_000);
});
