import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { type TestWield, testWield } from "../../testing/testing.ts";

const japanese = "# ファイルの大きさを確認する\r\nsize = 1\r\n# 接続を開いて後で閉じる、設定を保存します\r\n";
const sjis = (text: string) => iconv.encode(text, "shift_jis");

async function withFiles<T>(
  files: Record<string, string | Buffer>,
  use: (place: TestWield, bytes: (path: string) => Promise<Buffer>) => Promise<T>,
): Promise<T> {
  const place = await testWield(files, { approve: () => ({ approved: true }) });
  try {
    return await use(place, async (path) => (await place.wield.workspace.read(path)).bytes);
  } finally {
    await place.close();
  }
}

const edit = (path: string, oldText: string, newText: string) => ({ path, edits: [{ oldText, newText }] });

test("a file in another encoding is shown, found and changed as the text that it is", () =>
  withFiles({ "a.py": sjis(japanese) }, async ({ wield }, bytes) => {
    const read = await wield.callAny("read_file", { path: "a.py" });
    expect(read.text).toContain("確認する");
    expect(read.text).toContain("(read as shift_jis, by its content)");
    const { text } = await wield.callAny(
      "replace_in_file",
      edit("a.py", "size = 1\n", "size = 2  # 次の行\n"),
    );
    expect(text).toMatch(
      /^1 edit in a\.py \(\+1 −1\), exact; undo \w+\na\.py was read and written as shift_jis, by its content\.$/,
    );
    expect(await bytes("a.py")).toEqual(sjis(japanese.replace("size = 1", "size = 2  # 次の行")));
    for (const [tool, input] of [
      ["grep", { pattern: "size", context: 1 }],
      ["grep", { pattern: "次の行" }],
    ] as const)
      expect((await wield.callAny(tool, input)).text).toContain("次の行");
    const { result } = await wield.callAny("replace_in_file", edit("a.py", "size = 2", "size = 2 # 한"));
    expect(result).toMatchObject({
      error: {
        code: "INVALID_INPUT",
        message: expect.stringContaining("which has no “한” (U+D55C, line 2). Ways out:"),
      },
    });
  }));

test.each(["write_file", "edit_file"])("%s over a file keeps its encoding, mark and line breaks", (tool) =>
  withFiles(
    {
      "a.py": sjis(japanese),
      "b.txt": Buffer.from("\ufeffone\r\ntwo\r\n", "utf16le"),
      "c.txt": "\ufeffé\r\n",
    },
    async ({ wield }, bytes) => {
      await wield.callAny(tool, {
        path: "a.py",
        content: japanese.replaceAll("\r\n", "\n").replace("size = 1", "size = 2"),
      });
      expect(await bytes("a.py")).toEqual(sjis(japanese.replace("size = 1", "size = 2")));
      await wield.callAny(tool, { path: "b.txt", content: "one\nzwölf\n" });
      expect(await bytes("b.txt")).toEqual(Buffer.from("\ufeffone\r\nzwölf\r\n", "utf16le"));
      await wield.callAny(tool, { path: "c.txt", content: "\ufeffé\nè\n" });
      expect((await bytes("c.txt")).toString()).toBe("\ufeffé\r\nè\r\n");
    },
  ),
);

test("a patch is applied in the encoding of the file", () =>
  withFiles({ "a.py": sjis(japanese) }, async ({ wield }, bytes) => {
    const patch = "--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-size = 1\n+size = 3 # 設定\n";
    expect((await wield.callAny("apply_patch", { patch })).text).toContain("1 edit in a.py (+1 −1), exact");
    expect(await bytes("a.py")).toEqual(sjis(japanese.replace("size = 1", "size = 3 # 設定")));
  }));

test("settings of the project name the encoding of a file that does not show it", () =>
  withFiles(
    {
      ".editorconfig": "root = true\n[*.txt]\ncharset = koi8-r\n",
      ".gitattributes": "*.sql working-tree-encoding=cp1251\n",
      "a.txt": "ascii\n",
      "b.sql": iconv.encode("-- да\n", "windows-1251"),
    },
    async ({ wield }, bytes) => {
      await wield.callAny("replace_in_file", edit("a.txt", "ascii", "да"));
      expect(await bytes("a.txt")).toEqual(iconv.encode("да\n", "koi8-r"));
      expect((await wield.callAny("read_file", { path: "b.sql" })).text).toContain("-- да");
      await wield.callAny("replace_in_file", edit("b.sql", "да", "нет"));
      expect(await bytes("b.sql")).toEqual(iconv.encode("-- нет\n", "windows-1251"));
      await wield.callAny("create_file", { path: "new.txt", content: "нет\n" });
      expect(await bytes("new.txt")).toEqual(iconv.encode("нет\n", "koi8-r"));
    },
  ));

test("where the encoding is not certain, only what all in question write alike is written", () =>
  withFiles({ "a.py": Buffer.from("a = 'caf\xe9'\nb = 1\n", "latin1") }, async ({ wield }, bytes) => {
    expect((await wield.callAny("read_file", { path: "a.py" })).text).toMatch(
      /café[\s\S]*not certain: perhaps /,
    );
    const { result } = await wield.callAny("replace_in_file", edit("a.py", "b = 1", "b = 'ñ'"));
    expect(result).toMatchObject({
      error: {
        message: expect.stringMatching(
          /cannot be written with certainty\. Ways out: name the file's encoding in \.editorconfig/,
        ),
      },
    });
    await wield.callAny("replace_in_file", edit("a.py", "b = 1", "b = 2"));
    expect((await bytes("a.py")).toString("latin1")).toBe("a = 'caf\xe9'\nb = 2\n");
  }));

test("an edit that looks wrong is shown: a comment cut off from its code, and brackets left open", () =>
  withFiles({ "a.ts": "// Counts items.\nfunction count() {\n  return 1;\n}\n" }, async ({ wield }) => {
    const torn = await wield.callAny(
      "replace_in_file",
      edit("a.ts", "function count() {\n", "const x = 1;\nfunction count() {\n"),
    );
    expect(torn.text).toContain(
      "Look again: in a.ts, line 1 was written about line 3, which it no longer stands above:\n1\t// Counts items.\n2\tconst x = 1;\n3\tfunction count() {",
    );
    const open = await wield.callAny("replace_in_file", edit("a.ts", "  return 1;\n", "  if (x) {\n"));
    expect(open.text).toContain("Look again: a.ts now has 1 more { than }; before, they were as many.");
  }));

test("a file that parsed and does not any more is shown, once its language has been parsed", () =>
  withFiles({ "a.py": "def f():\n    return 1\n\ndef g():\n    return f()\n" }, async ({ wield }) => {
    await wield.callAny("definition", { symbol: "f" });
    const { text } = await wield.callAny("replace_in_file", edit("a.py", "def g():", "def g(:"));
    expect(text).toMatch(/Look again: a\.py does not parse any more, from about line 4:\n4\tdef g\(:/);
  }));

test("undo takes an id under the name and in the form in which results print it", () =>
  withFiles({ "a.txt": "one\n" }, async ({ wield, read }) => {
    const { text } = await wield.callAny("replace_in_file", edit("a.txt", "one", "two"));
    const [, id = ""] = /undo (\w+)$/.exec(text) ?? [];
    expect((await wield.callAny("undo", { id })).text).toContain("Undid");
    expect(read("a.txt")).toBe("one\n");
    expect((await wield.callAny("redo", { change: id })).text).toContain("Redid");
    expect((await wield.callAny("undo", { changeId: `change ${id}` })).result.ok).toBe(true);
  }));
