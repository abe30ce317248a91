import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { checkTruth, TruthChecker } from "./true-text.suite.ts";

const root = resolve(import.meta.dirname, "../..");
const corpora = join(root, "node_modules/.cache/corpora");

/** What is shown must be enough to tell: of all tools, so many lines at least. */
const projects: Record<string, { from: string; rounds: number; least: number }> = {
  "this project": { from: join(root, "src"), rounds: 6, least: 1_500 },
  go: { from: join(corpora, "go/usr/share/gocode/src/golang.org/x/net"), rounds: 3, least: 800 },
  rust: { from: join(corpora, "rust/usr/share/cargo/registry"), rounds: 3, least: 800 },
  cpp: { from: join(corpora, "cpp/usr/include/fmt"), rounds: 3, least: 800 },
  java: { from: join(corpora, "java/react-native-svg-15.15.0/package/android"), rounds: 3, least: 800 },
};

test.each(Object.entries(projects))(
  "what every tool shows of %s is what stands in its files",
  async (_name, project) => {
    if (!existsSync(project.from)) return;
    const place = await testWield();
    cpSync(project.from, place.root, { recursive: true });
    const { shown, byTool, faults } = await checkTruth(place, { rounds: project.rounds });
    await place.close();
    expect(faults).toEqual([]);
    expect(shown).toBeGreaterThan(project.least);
    for (const tool of ["read", "read_file", "batch_read", "search_code", "grep"])
      expect([tool, (byTool[tool] ?? 0) > 0]).toEqual([tool, true]);
  },
);

describe("odd files", () => {
  let place: TestWield;
  beforeAll(async () => {
    const wide = `const wide = "${"ab".repeat(2_000)}";`;
    const odd = [
      "\u{feff}export function odd() {",
      '\tconst a = "\u{202e}x\u{200b}";  ',
      "\f",
      "",
      "  \t",
      wide,
      "}",
    ];
    place = await testWield({
      "odd.ts": odd.join("\r\n"),
      "mixed.py": "def mixed():\n    return 1\r\n\n\nclass Other:\n\tdef run(self):\r\n\t\treturn mixed()\n",
      "emoji.ts": `export const face = "${"😀".repeat(1_200)}";\n`,
      "marks.ts": "export function marks() {\n… 3 lines\n== odd.ts\n12\tnot a line\n}\n",
    });
  });
  afterAll(() => place.close());

  test("characters that are not seen, very long lines, mixed endings and lines that look like marks", async () => {
    const checker = new TruthChecker(place.root);
    const calls: [string, Record<string, unknown>][] = [
      ...["odd.ts", "mixed.py", "emoji.ts", "marks.ts"].flatMap(
        (file): [string, Record<string, unknown>][] => [
          ["read", { file }],
          ["read_file", { path: file }],
          ["batch_read", { reads: [file, `${file}:1-3`] }],
        ],
      ),
      ["definition", { symbols: ["odd", "mixed", "face", "marks"] }],
      ["batch_read", { reads: ["odd", "mixed", "Other.run", "face"] }],
    ];
    for (const [tool, input] of calls) {
      const { text } = await place.wield.callAny(tool, input);
      checker.check({ tool, input, text });
    }
    expect(checker.truth.faults).toEqual([]);
    expect(checker.truth.shown).toBeGreaterThan(60);
    const { text } = await place.wield.callAny("read", { file: "odd.ts" });
    expect(text).toContain(
      '2\t\tconst a = "\\u{202e}x\\u{200b}";   … (\\u{…}: characters that are not seen)\n',
    );
    expect(text).toMatch(/^6\t.*… \(\+\d+ characters\)$/m);
  });
});

describe("the check itself", () => {
  const folder = mkdtempSync(join(tmpdir(), "truth-"));
  writeFileSync(join(folder, "a.ts"), "one {\n  two(\n    3,\n  );\n}\n");
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ["another indentation", "== a.ts\n2\t two("],
    ["joined lines", "== a.ts\n2\t  two( 3 );"],
    ["a wrong order", "== a.ts\n2\t  two(\n1\tone {"],
    ["lines left out in silence", "== a.ts\n1\tone {\n4\t  );"],
    ["a wrong count of them", "== a.ts\n1\tone {\n… 1 line\n4\t  );"],
    ["a cut without a mark", "== a.ts\n2\t  tw"],
    ["a cut that says something else", "== a.ts\n2\t  tw… (+3 characters)"],
    ["code without a number", "== a.ts\n  two("],
    ["a line of no file", "2\t  two("],
  ])("finds %s", (_what, text) => {
    const checker = new TruthChecker(folder);
    checker.check({ tool: "batch_read", input: {}, text });
    expect(checker.truth.faults).toHaveLength(1);
  });

  test("and nothing in what is true", () => {
    const checker = new TruthChecker(folder);
    const text = "== a.ts\n1\tone {\n… 1 line\n3\t    3… (+1 characters)\n4\t  );\n… 1 line";
    checker.check({ tool: "batch_read", input: {}, text });
    expect(checker.truth).toMatchObject({ faults: [], shown: 3 });
  });
});
