import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { scriptedPerson, type TestWield, testWield, yes } from "../../testing/testing.ts";

const open: TestWield[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});
const start = async (...given: Parameters<typeof testWield>) => {
  const made = await testWield(...given);
  open.push(made);
  return made;
};
const approving = { approve: () => yes };

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever value the tool gave
async function value(test: TestWield, tool: string, input: unknown): Promise<any> {
  const { result, text } = await test.wield.callAny(tool, input);
  if (!result.ok) throw new Error(text);
  return result.value;
}

describe("list_directory and list_files", () => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, i) => [`f${String(i).padStart(3, "0")}.txt`, "x"]),
  );

  test("entries with type, size and ISO time; hidden names only when asked; links as links", async () => {
    const test = await start({ "b.txt": "12345", ".hidden": "", "dir/x": "" });
    symlinkSync("b.txt", join(test.root, "link"));
    const { entries } = await value(test, "list_directory", { path: "." });
    expect(entries.map((e: { name: string; type: string }) => `${e.name}:${e.type}`)).toEqual([
      "b.txt:file",
      "dir:directory",
      "link:symlink",
    ]);
    expect(entries[0].size).toBe(5);
    expect(new Date(entries[0].modified).toISOString()).toBe(entries[0].modified);
    expect((await value(test, "list_directory", { includeHidden: true })).entries).toHaveLength(4);
  });

  test("pages of 100, nothing twice, nothing missing, also when files come and go in between", async () => {
    const test = await start(many);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await value(test, "list_files", { path: ".", ...(cursor && { cursor }) });
      expect(page.entries.length).toBeLessThanOrEqual(100);
      names.push(...page.entries.map((e: { name: string }) => e.name));
      cursor = page.nextCursor;
      test.write("a-new-one.txt", "before everything shown");
    } while (cursor);
    expect(names).toEqual(Object.keys(many));
  });

  test("the text of a page names the call for the next one", async () => {
    const test = await start(many);
    const { text } = await test.wield.call("list_files", { path: "." });
    expect(text).toMatch(/… 100 shown, there are more: list_files\(\{.*"cursor":"[\w-]+".*\}\)$/);
  });

  test("recursive names are relative to the path, and .gitignore is respected", async () => {
    const test = await start({
      ".gitignore": "dist/\n",
      "src/a/b.ts": "",
      "src/c.ts": "",
      "dist/out.js": "",
    });
    const { entries } = await value(test, "list_directory", { path: "src", recursive: true });
    expect(entries.map((e: { name: string }) => e.name)).toEqual(["a", "a/b.ts", "c.ts"]);
    const all = await value(test, "list_directory", { recursive: true });
    expect(all.entries.map((e: { name: string }) => e.name)).not.toContain("dist/out.js");
    const { text } = await test.wield.callAny("list_files", { recursive: true });
    expect(text).toMatch(/src\/c\.ts\nnot shown: dist\/ \(ignored\)$/);
  });

  test("without a path the workspace; never what git keeps about it", async () => {
    const test = await start({ ".git/config": "", ".env.example": "", "a.ts": "" });
    const { entries } = await value(test, "list_files", {});
    expect(entries.map((e: { name: string }) => e.name)).toEqual([".env.example", "a.ts"]);
  });

  test("a forged cursor is refused", async () => {
    const test = await start({ a: "" });
    const { result } = await test.wield.call("list_files", { path: ".", cursor: "$$$" });
    expect(result).toMatchObject({ error: { code: "INVALID_INPUT" } });
  });

  test("a name cannot dress up as another", async () => {
    const test = await start({ "safe\u202Egpj.exe": "", "\u001b[31mred": "" });
    const { text } = await test.wield.call("list_directory", {});
    expect(text).toContain("\\u{202e}");
    expect(text).not.toContain("\u001b");
  });
});

describe("read_file", () => {
  test("lines with numbers; a part by startLine and numLines", async () => {
    const test = await start({ "a.txt": "one\r\ntwo\rthree\n" });
    expect((await test.wield.call("read_file", { path: "a.txt" })).text).toBe("1\tone\n2\ttwo\n3\tthree");
    const part = await value(test, "read_file", { path: "a.txt", startLine: 2, numLines: 1 });
    expect(part).toMatchObject({
      content: "two\r",
      totalLines: 3,
      startLine: 2,
      endLine: 2,
      truncated: true,
      size: 15,
    });
  });

  test("2,000 lines by default, a setting; then the call that reads on", async () => {
    const lines = "x\n".repeat(2500);
    const test = await start({ "a.txt": lines });
    expect(await value(test, "read_file", { path: "a.txt" })).toMatchObject({
      endLine: 2000,
      totalLines: 2500,
      truncated: true,
    });
    expect((await test.wield.call("read_file", { path: "a.txt" })).text).toContain(
      'read_file({"path":"a.txt","startLine":2001})',
    );
    const strict = await test.reopen({ settings: { limits: { readLines: 10 } } });
    expect((await strict.call("read_file", { path: "a.txt" })).result).toMatchObject({
      value: { endLine: 10 },
    });
  });

  test("a very long line is cut in the text and says so; the value keeps it", async () => {
    const test = await start({ "a.txt": "x".repeat(5000) });
    const outcome = await test.wield.call("read_file", { path: "a.txt" });
    expect(outcome.text).toContain("(+3000 characters)");
    expect(outcome.result).toMatchObject({ value: { content: "x".repeat(5000) } });
  });

  test("an empty file, and a line past the end", async () => {
    const test = await start({ "empty.txt": "" });
    expect((await test.wield.call("read_file", { path: "empty.txt" })).text).toBe("(empty file)");
    expect((await test.wield.call("read_file", { path: "empty.txt", startLine: 2 })).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
  });

  test("bytes come as base64; an image up to 3 MiB is shown, its bytes are not poured into the text", async () => {
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(5000, 7)]);
    const test = await start({ "a.bin": Buffer.from([0, 255]), "p.png": png });
    expect(await value(test, "read_file", { path: "a.bin", encoding: "base64" })).toMatchObject({
      content: "AP8=",
    });
    const outcome = await test.wield.call("read_file", { path: "p.png", encoding: "base64" });
    expect(outcome.images).toEqual([{ mediaType: "image/png", base64: png.toString("base64") }]);
    expect(outcome.text.length).toBeLessThan(100);
  });
});

describe("writing, moving, deleting", () => {
  test("write_file: a new file needs no approval, an existing one does", async () => {
    const person = scriptedPerson(yes);
    const test = await start({}, { asker: person.asker });
    expect(await value(test, "write_file", { path: "a/b.txt", content: "1", createDirs: true })).toEqual({
      path: "a/b.txt",
      size: 1,
    });
    expect(person.asked).toEqual([]);
    await value(test, "write_file", { path: "a/b.txt", content: "MjI=", encoding: "base64" });
    expect(person.asked).toHaveLength(1);
    expect(test.read("a/b.txt")).toBe("22");
  });

  test("write_file through a link that stays inside is judged by where it leads", async () => {
    const rules = [
      { decision: "allow" as const, path: "open/**" },
      { decision: "deny" as const, path: "closed/**" },
    ];
    const test = await start({ "closed/x": "", "open/y": "" }, { settings: { rules } });
    symlinkSync("../closed", join(test.root, "open/way"));
    const { result } = await test.wield.call("write_file", { path: "open/way/new.txt", content: "" });
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
  });

  test("a missing parent directory is told, not made, unless asked for", async () => {
    const test = await start();
    const { result } = await test.wield.call("write_file", { path: "no/such/dir/a.txt", content: "" });
    expect(result).toMatchObject({ error: { code: "FILE_NOT_FOUND" } });
    expect(JSON.stringify(result)).toContain("createDirs");
  });

  test("delete_file always asks and lists what goes", async () => {
    const person = scriptedPerson(yes);
    const test = await start({ "d/a": "1", "d/e/b": "2" }, { asker: person.asker });
    expect((await test.wield.call("delete_file", { path: "d" })).result.ok).toBe(false);
    const { deleted } = await value(test, "delete_file", { path: "d", recursive: true });
    expect(deleted).toEqual(expect.arrayContaining(["d/a", "d/e/b"]));
    expect(person.asked[0]?.[0]?.preview?.files.map((f) => f.path)).toEqual(
      expect.arrayContaining(["d/a", "d/e/b"]),
    );
  });

  test("move_file: auto to a free place, CONFLICT on a taken one, asks to overwrite", async () => {
    const person = scriptedPerson(yes);
    const test = await start({ "a.txt": "A", "b.txt": "B" }, { asker: person.asker });
    await value(test, "move_file", { from: "a.txt", to: "sub/c.txt" });
    expect(person.asked).toEqual([]);
    expect((await test.wield.call("move_file", { from: "sub/c.txt", to: "b.txt" })).result).toMatchObject({
      error: { code: "CONFLICT" },
    });
    await value(test, "move_file", { from: "sub/c.txt", to: "b.txt", overwrite: true });
    expect(person.asked).toHaveLength(1);
    expect(test.read("b.txt")).toBe("A");
  });
});

describe("editing", () => {
  test("edit_file gives the applied diff; unchanged content is an error that says so", async () => {
    const test = await start({ "a.txt": "one\n" }, approving);
    const edit = { path: "a.txt", content: "two\n", description: "count" };
    expect((await value(test, "edit_file", edit)).files[0].diff).toContain("-one\n+two");
    const again = await test.wield.call("edit_file", edit);
    expect(again.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(again.text).toContain("nothing to change");
  });

  test("create_file on an existing file is CONFLICT, without asking", async () => {
    const person = scriptedPerson();
    const test = await start({ "a.txt": "" }, { asker: person.asker });
    const { result } = await test.wield.call("create_file", { path: "a.txt", content: "", description: "d" });
    expect(result).toMatchObject({ error: { code: "CONFLICT" } });
  });

  test("replace_in_file: a miss shows the nearest region with its line numbers", async () => {
    const test = await start(
      { "a.ts": "const a = 1;\nfunction greet(name: string) {\n  return name;\n}\n" },
      approving,
    );
    const edits = [{ oldText: "function greet(nam: string) {", newText: "x" }];
    const { result, text } = await test.wield.call("replace_in_file", {
      path: "a.ts",
      edits,
      description: "d",
    });
    expect(result).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(text).toContain("a.ts");
    expect(text).toMatch(/2.*function greet\(name: string\) \{/);
  });

  test("edit_files: one approval for all, later changes see earlier ones", async () => {
    const person = scriptedPerson(yes);
    const test = await start({ "a.ts": "a\n", "b.ts": "b\n", "c.ts": "c\n" }, { asker: person.asker });
    const changes = [
      { from: "a.ts", to: "lib/a.ts" },
      { path: "lib/a.ts", edits: [{ oldText: "a", newText: "A" }] },
      { path: "b.ts", content: "B\n" },
      { path: "b.ts", edits: [{ oldText: "B", newText: "BB" }] },
      { path: "c.ts", delete: true },
      { path: "new/d.ts", content: "d\n" },
    ];
    await value(test, "edit_files", { changes, description: "all at once" });
    expect(person.asked).toHaveLength(1);
    expect([test.read("lib/a.ts"), test.read("b.ts"), test.read("new/d.ts")]).toEqual(["A\n", "BB\n", "d\n"]);
    await value({ ...test, wield: await test.reopen(approving) }, "undo", {});
    expect([test.read("a.ts"), test.read("b.ts"), test.read("c.ts")]).toEqual(["a\n", "b\n", "c\n"]);
  });

  test("edit_files: when one change cannot be made, none is", async () => {
    const test = await start({ "a.ts": "a\n" }, approving);
    const changes = [
      { path: "a.ts", content: "x" },
      { path: "missing.ts", edits: [{ oldText: "a", newText: "b" }] },
    ];
    expect((await test.wield.call("edit_files", { changes, description: "d" })).result).toMatchObject({
      error: { code: "FILE_NOT_FOUND" },
    });
    expect(test.read("a.ts")).toBe("a\n");
  });

  test("a person may edit one file of several", async () => {
    const test = await start(
      { "a.ts": "a\n", "b.ts": "b\n" },
      {
        approve: (ask) => ({
          approved: true,
          modifiedArgs: ask.amend?.(new Map([["b.ts", "theirs\n"]])) ?? {},
        }),
      },
    );
    const changes = [
      { path: "a.ts", content: "A\n" },
      { path: "b.ts", edits: [{ oldText: "b", newText: "B" }] },
    ];
    await value(test, "edit_files", { changes, description: "d" });
    expect([test.read("a.ts"), test.read("b.ts")]).toEqual(["A\n", "theirs\n"]);
  });

  test("a call of the wrong shape is answered with a valid one", async () => {
    const test = await start({ "a.txt": "one\n" }, approving);
    const changes = [{ path: "a.txt", oldText: "one", newText: "two" }];
    const { text } = await test.wield.callAny("edit_files", { changes, description: "d" });
    expect(text).toContain('A valid call: edit_files({"changes":[{"path":"src/main.ts","edits":[{"oldText":');
    expect(text).not.toContain("maxItems");
  });

  test("the model reads one line of what changed, whose id undo takes", async () => {
    const before = "x\n".repeat(20);
    const test = await start(
      { "a.txt": `${before}one\ntwo\nthree\nfour\nfive\nsix\n`, "b.txt": "b\n" },
      approving,
    );
    const changes = [
      { path: "a.txt", edits: [{ oldText: "two\nthree", newText: "2\n2b\n3" }] },
      { path: "a.txt", edits: [{ oldText: "five\n", newText: "" }] },
      { path: "b.txt", delete: true as const },
      { path: "c.txt", content: "c\n".repeat(50) },
    ];
    const { text } = await test.wield.call("edit_files", { changes, description: "d" });
    const [, id] = /undo (\w+)$/.exec(text) ?? [];
    expect(text).toBe(`2 edits in a.txt (+3 −3), exact; created c.txt (+50); deleted b.txt (−1); undo ${id}`);
    await test.wield.callAny("undo", { id });
    expect(test.read("a.txt")).toBe(`${before}one\ntwo\nthree\nfour\nfive\nsix\n`);
  });

  test("an edit that matched with another indentation shows its lines to the person and to the model", async () => {
    const person = scriptedPerson(yes);
    const test = await start({ "a.ts": "if (a) {\n\tgo();\n}\n" }, { asker: person.asker });
    const edits = [{ oldText: "  go();", newText: "  stay();" }];
    const { text } = await test.wield.call("replace_in_file", { path: "a.ts", edits, description: "d" });
    expect(test.read("a.ts")).toBe("if (a) {\n\tstay();\n}\n");
    const note =
      "a.ts: line 2 is indented with 1 tab, not 2 spaces: the new lines were indented like it:\n2\t\tstay();";
    expect(text).toMatch(/^1 edit in a\.ts \(\+1 −1\); undo \w+\n/);
    expect(text).toContain(note);
    expect(person.asked[0]?.[0]?.preview?.notes.join("\n")).toContain(note);
  });

  test("one word that the person changes in a large call comes back as one word", async () => {
    const lines = Array.from({ length: 600 }, (_, i) => `export const value${i} = ${i};\n`);
    const test = await start(
      { "a.ts": lines.join(""), "b.ts": lines.join("") },
      {
        approve: (ask) => {
          const proposed = ask.preview?.files.find(({ path }) => path === "b.ts")?.proposed ?? "";
          const content = proposed.replace("value300 = 300", "value300 = 301");
          return { approved: true, modifiedArgs: ask.amend?.(new Map([["b.ts", content]])) ?? {} };
        },
      },
    );
    const next = lines.map((line) => line.replace("export ", "")).join("");
    const changes = [
      { path: "a.ts", content: next },
      { path: "b.ts", content: next },
    ];
    const { text } = await test.wield.call("edit_files", { changes, description: "d" });
    expect(test.read("b.ts")).toContain("value300 = 301");
    expect(text).toContain("const value300 = 301;");
    expect(text.length).toBeLessThan(1_500);
  });

  test("undo and redo ask with the diff of what they would do", async () => {
    const person = scriptedPerson(yes, yes, yes);
    const test = await start({ "a.txt": "old\n" }, { asker: person.asker });
    await value(test, "write_file", { path: "a.txt", content: "new\n" });
    const { restored } = await value(test, "undo", {});
    expect(restored[0].paths).toEqual(["a.txt"]);
    expect(person.asked[1]?.[0]?.preview?.files[0]?.diff).toContain("-new\n+old");
    expect(test.read("a.txt")).toBe("old\n");
    await value(test, "redo", {});
    expect(test.read("a.txt")).toBe("new\n");
  });

  test("undo refuses with CONFLICT and shows the difference when someone else changed the file", async () => {
    const test = await start({ "a.txt": "old\n" }, approving);
    await value(test, "write_file", { path: "a.txt", content: "new\n" });
    test.write("a.txt", "by hand\n");
    const { result, text } = await test.wield.call("undo", {});
    expect(result).toMatchObject({ error: { code: "CONFLICT" } });
    expect(text).toContain("+by hand");
    expect(test.read("a.txt")).toBe("by hand\n");
  });
});

test("a path whose letters are in another case names the file, before others of that very name", async () => {
  const test = await start({ "src/main.ts": "1\n", "lib/Main.ts": "2\n" });
  const { text } = await test.wield.call("read_file", { path: "src/Main.ts" });
  expect(text).toContain("src/Main.ts does not exist. Did you mean src/main.ts?");
});

describe("search_files", () => {
  test("a pattern that matches any case already is not told how to", async () => {
    const test = await start({ "a.txt": "x\n" });
    for (const tool of ["search_files", "grep"] as const) {
      const told = async (pattern: string) => (await test.wield.call(tool, { pattern })).text;
      expect(await told("needle")).toContain("(?i) in front");
      expect(await told("(?i)needle")).not.toContain("(?i) in front");
    }
  });

  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `src/f${String(i).padStart(2, "0")}.ts`,
      "needle one\nhay\nneedle two\n",
    ]),
  );

  test("50 matches, then ...and X more with the true X; the cursor reads on to the end", async () => {
    const test = await start({ ...files, "other.md": "needle\n" });
    const first = await value(test, "search_files", { pattern: "needle" });
    expect(first).toMatchObject({ total: 61, files: 31 });
    expect(first.matches).toHaveLength(50);
    const { text } = await test.wield.call("search_files", { pattern: "needle" });
    expect(text).toMatch(/\.\.\.and 11 more: same call with cursor "src\/f24\.ts:\d"/);
    const narrow = await test.wield.call("search_files", { pattern: "^(needle|hay)" });
    expect(narrow.text).toMatch(/\.\.\.and 41 more: same call with cursor/);
    const second = await value(test, "search_files", { pattern: "needle", cursor: first.nextCursor });
    expect(second.matches).toHaveLength(11);
    expect(second.nextCursor).toBeUndefined();
    const all = [...first.matches, ...second.matches].map(
      (m: { file: string; line: number }) => `${m.file}:${m.line}`,
    );
    expect(new Set(all).size).toBe(61);
  });

  test("path and filePattern narrow; a single file can be searched", async () => {
    const test = await start({ ...files, "other.md": "needle\n" });
    expect((await value(test, "search_files", { pattern: "needle", filePattern: "*.md" })).total).toBe(1);
    expect((await value(test, "search_files", { pattern: "needle", path: "src/f00.ts" })).total).toBe(2);
    expect((await value(test, "search_files", { pattern: "needle", path: "src" })).total).toBe(60);
  });

  test("names with spaces, colons and newlines, CRLF, binary, hidden and ignored files", async () => {
    const late = Buffer.concat([
      Buffer.from("needle early\n"),
      Buffer.alloc(200_000, 97),
      Buffer.from("\n\0\n"),
    ]);
    const test = await start({
      "with space:1:x.txt": "needle\r\n",
      "a\nb.txt": "needle\n",
      ".github/ci.yml": "needle\n",
      "late.bin": late,
      "z.txt": "needle\n",
      ".gitignore": "ignored/\n",
      "ignored/x": "needle\n",
      ".git/config": "needle\n",
    });
    const { matches } = await value(test, "search_files", { pattern: "needle$" });
    expect(matches.map((m: { file: string }) => m.file)).toEqual([
      ".github/ci.yml",
      "a\nb.txt",
      "with space:1:x.txt",
      "z.txt",
    ]);
    expect(matches[2].text).toBe("needle");
  });

  test("a link that leads out is never searched", async () => {
    const test = await start({ "a.txt": "root\n" });
    symlinkSync("/etc", join(test.root, "out"));
    expect((await test.wield.call("search_files", { pattern: "root", path: "out" })).result).toMatchObject({
      error: { code: "INVALID_PATH" },
    });
    expect((await value(test, "search_files", { pattern: "root" })).files).toBe(1);
  });

  test("a pattern that looks like an option is a pattern", async () => {
    const test = await start({ "a.txt": "--files\n" });
    expect((await value(test, "search_files", { pattern: "--files" })).total).toBe(1);
  });

  test("look-around works", async () => {
    const test = await start({ "a.txt": "foobar\nfoobaz\n" });
    expect((await value(test, "search_files", { pattern: "foo(?=baz)" })).total).toBe(1);
  });
});

describe("find_files", () => {
  test("names anywhere, paths with a slash, ignored ones left out, the true total", async () => {
    const test = await start({
      "a.test.ts": "",
      "src/b.test.ts": "",
      "src/c.ts": "",
      ".gitignore": "out\n",
      "out/d.test.ts": "",
    });
    expect(await value(test, "find_files", { pattern: "*.test.ts" })).toEqual({
      paths: ["a.test.ts", "src/b.test.ts"],
      total: 2,
    });
    expect(await value(test, "find_files", { pattern: "src/*.ts" })).toEqual({
      paths: ["src/b.test.ts", "src/c.ts"],
      total: 2,
    });
    expect((await value(test, "find_files", { pattern: "?.ts", path: "src" })).paths).toEqual(["src/c.ts"]);
    expect((await test.wield.call("find_files", { pattern: "nothing" })).text).toContain("No file matches");
  });
});
