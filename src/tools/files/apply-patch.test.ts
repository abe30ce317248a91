import { createTwoFilesPatch } from "diff";
import { afterEach, describe, expect, test } from "vitest";
import { Failure } from "../../failure/failure.ts";
import fc from "../../testing/properties.ts";
import { scriptedPerson, type TestWield, testWield, yes } from "../../testing/testing.ts";
import { applyHunks } from "../../workspace/patch-hunks.ts";
import type { TextFile } from "../../workspace/text-file.ts";
import { parsePatch } from "./parse-patch.ts";
import { contents, line } from "./patches.suite.ts";

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
const source = `class A {\n  first() {\n    return 1;\n  }\n\n  second() {\n    return 1;\n  }\n}\n`;

describe("the envelope", () => {
  test("updates, adds, deletes and moves as one change that undo takes back", async () => {
    const person = scriptedPerson(yes, yes);
    const test = await start(
      { "a.ts": source, "old.txt": "old\n", "gone.txt": "g\n" },
      { asker: person.asker },
    );
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.ts",
      "@@ second() {",
      "-    return 1;",
      "+    return 2;",
      "*** Add File: dir/new.txt",
      "+one",
      "+two",
      "*** Update File: old.txt",
      "*** Move to: moved.txt",
      "-old",
      "+new",
      "*** Delete File: gone.txt",
      "*** End Patch",
    ].join("\n");
    const { text } = await test.wield.call("apply_patch", { patch });
    expect(text).toContain(
      "2 edits, exact: changed a.ts (+1 −1); created dir/new.txt (+2); deleted gone.txt (−1); moved old.txt → moved.txt (+1 −1); undo ",
    );
    expect(test.read("a.ts")).toBe(source.replace(/return 1(?=;\n {2}\}\n\}\n$)/, "return 2"));
    expect([test.read("dir/new.txt"), test.read("moved.txt")]).toEqual(["one\ntwo\n", "new\n"]);
    expect(person.asked).toHaveLength(1);
    expect(person.asked[0]?.[0]?.preview?.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["a.ts", "dir/new.txt", "moved.txt", "gone.txt"]),
    );
    await test.wield.call("undo", {});
    expect([test.read("a.ts"), test.read("old.txt"), test.read("gone.txt")]).toEqual([
      source,
      "old\n",
      "g\n",
    ]);
  });

  test("white space may differ; the file's own is kept", async () => {
    const test = await start({ "a.py": "def f():\n\tif a:\n\t\tb()\n" }, approving);
    const patch =
      "*** Begin Patch\n*** Update File: a.py\n@@\n     if a:\n-        b()\n+        c()\n+        d()\n*** End Patch";
    const { text } = await test.wield.call("apply_patch", { patch });
    expect(test.read("a.py")).toBe("def f():\n\tif a:\n\t\tc()\n\t\td()\n");
    expect(text).toContain(
      "line 2 is indented with 1 tab, not 4 spaces: the new lines were indented like it:\n2\t\tif a:\n3\t\t\tc()\n4\t\t\td()",
    );
  });

  test("a place that is not certain changes nothing and names them all", async () => {
    const test = await start({ "a.ts": source }, approving);
    const patch = "*** Begin Patch\n*** Update File: a.ts\n-    return 1;\n+    return 2;\n*** End Patch";
    const { result, text } = await test.wield.call("apply_patch", { patch });
    expect(result).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(text).toContain("Hunk 1 of a.ts fits at lines 3, 7.");
    expect(test.read("a.ts")).toBe(source);
  });

  test("a hunk that is not there names itself and the nearest place; nothing of the patch is applied", async () => {
    const test = await start({ "a.ts": source, "b.ts": "b\n" }, approving);
    const patch =
      "*** Begin Patch\n*** Update File: b.ts\n-b\n+c\n*** Update File: a.ts\n@@\n   second() {\n-    return 3;\n+    return 4;\n*** End Patch";
    const { text } = await test.wield.call("apply_patch", { patch });
    expect(text).toContain("Hunk 1 of a.ts was not found. The nearest text is at lines 6-7.");
    expect(text).toContain('Line 7 exactly: "    return 1;"\nIn the patch: "    return 3;"');
    expect(test.read("b.ts")).toBe("b\n");
  });

  test("an added file that exists is a conflict, and no path leaves the workspace", async () => {
    const test = await start({ "a.ts": "a\n" }, approving);
    const add = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
    expect((await test.wield.call("apply_patch", { patch: add("a.ts") })).result).toMatchObject({
      error: { code: "CONFLICT" },
    });
    for (const path of ["../out.txt", "/etc/x"]) {
      expect((await test.wield.call("apply_patch", { patch: add(path) })).result).toMatchObject({
        error: { code: "INVALID_PATH" },
      });
    }
  });
});

describe("unified diffs", () => {
  test("of git: new, deleted, renamed and changed files, without a line break at the end", async () => {
    const test = await start({ "a.txt": "one\ntwo", "b.txt": "b\n", "c.txt": "c\n" }, approving);
    const patch = [
      "diff --git a/a.txt b/a.txt",
      "index 111..222 100644",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,2 @@",
      " one",
      "-two",
      "\\ No newline at end of file",
      "+2",
      "diff --git a/b.txt b/d.txt",
      "similarity index 100%",
      "rename from b.txt",
      "rename to d.txt",
      "diff --git a/c.txt b/c.txt",
      "deleted file mode 100644",
      "--- a/c.txt",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-c",
      "diff --git a/e.txt b/e.txt",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/e.txt",
      "@@ -0,0 +1 @@",
      "+e",
      "",
    ].join("\n");
    const { result } = await test.wield.call("apply_patch", { patch });
    expect(result.ok).toBe(true);
    expect([test.read("a.txt"), test.read("d.txt"), test.read("e.txt")]).toEqual(["one\n2\n", "b\n", "e\n"]);
    expect(() => test.read("c.txt")).toThrow();
  });

  test("the line number decides between equal places, also when it is a little off", async () => {
    const test = await start({ "a.ts": source }, approving);
    const patch = "--- a.ts\n+++ a.ts\n@@ -8,1 +8,1 @@\n-    return 1;\n+    return 2;\n";
    await test.wield.call("apply_patch", { patch });
    expect(test.read("a.ts").split("\n")[6]).toBe("    return 2;");
  });

  test("a person's edit of one file follows as a diff, and the model reads just that", async () => {
    const test = await start(
      { "a.ts": source },
      {
        approve: (ask) => {
          const proposed = ask.preview?.files[0]?.proposed ?? "";
          const content = proposed.replace("first()", "theirs()");
          return { approved: true, modifiedArgs: ask.amend?.(new Map([["a.ts", content]])) ?? {} };
        },
      },
    );
    const patch = "--- a/a.ts\n+++ b/a.ts\n@@ -7 +7 @@\n-    return 1;\n+    return 2;\n";
    const { text } = await test.wield.call("apply_patch", { patch });
    expect(test.read("a.ts")).toContain("theirs()");
    expect(test.read("a.ts").split("\n")[6]).toBe("    return 2;");
    expect(text).toContain("+  theirs() {");
  });

  test.each(["no patch at all", "@@ -1 +1 @@\n-a\n+b", "--- a/x\n+++ b/x\n@@ -1 +1 @@\nfoo"])(
    "%j is refused",
    (patch) => {
      expect(() => parsePatch(patch)).toThrow(Failure);
    },
  );
});

test.each(["", "a\nb\n"])("a blank line that is not in %j is not found", async (text) => {
  const [parsed] = parsePatch("--- f\n+++ f\n@@ -1 +1 @@\n-\n+c\n");
  if (parsed?.kind !== "update") throw new Error("not an update");
  const applied = applyHunks(textFile(Buffer.from(text)), parsed.hunks);
  await expect(applied).rejects.toThrow("was not found");
});

const textFile = (bytes: Buffer): TextFile => ({
  bytes,
  text: bytes.toString(),
  encoding: { name: "utf-8", marked: false, by: "bytes", others: [] },
});

test("whatever a diff says between two files, applying it to the one gives the other", async () => {
  await fc.assert(
    fc.asyncProperty(contents, contents, fc.boolean(), fc.boolean(), async (before, after, end, crlf) => {
      const [old, now] = [before, after].map(
        (lines) => lines.join("\n") + (end && lines.length > 0 ? "\n" : ""),
      );
      fc.pre(old !== now && old !== "" && old !== undefined && now !== undefined);
      // A file without line breaks does not tell how its lines end.
      fc.pre(!crlf || old.includes("\n"));
      const [parsed] = parsePatch(createTwoFilesPatch("a/f", "b/f", old, now));
      if (parsed?.kind !== "update") throw new Error("not an update");
      const written = (text: string) => Buffer.from(crlf ? text.replaceAll("\n", "\r\n") : text);
      const { file } = await applyHunks(textFile(written(old)), parsed.hunks);
      expect(file.bytes.toString()).toBe(written(now).toString());
      expect(file.text).toBe(file.bytes.toString());
    }),
    { numRuns: 500 },
  );
});

test("with other lines around it a diff changes the right place or nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      contents,
      contents,
      fc.array(line, { maxLength: 6 }),
      fc.nat(20),
      async (before, after, extra, at) => {
        const [old, now] = [before, after].map((lines) => lines.map((each) => `${each}\n`).join(""));
        fc.pre(old !== now && old !== "" && old !== undefined && now !== undefined);
        const [parsed] = parsePatch(createTwoFilesPatch("a/f", "b/f", old, now, "", "", { context: 3 }));
        if (parsed?.kind !== "update") throw new Error("not an update");
        const moved = [...before.slice(0, at), ...extra.map((each) => `extra ${each}`), ...before.slice(at)];
        const present = textFile(Buffer.from(moved.map((each) => `${each}\n`).join("")));
        const result = await applyHunks(present, parsed.hunks).then(
          ({ file }) => file.text,
          (error) => {
            if (!(error instanceof Failure)) throw error;
            return undefined;
          },
        );
        if (result === undefined) return;
        const own = result.split("\n").filter((each) => !each.startsWith("extra "));
        expect(own.length).toBe(now.split("\n").length);
        expect(result.split("\n").filter((each) => each.startsWith("extra "))).toHaveLength(extra.length);
      },
    ),
    { numRuns: 500 },
  );
});
