import { expect, test } from "vitest";
import { Failure } from "../failure/failure.ts";
import fc from "../testing/properties.ts";
import { editBytes, type TextEdit } from "./text-edit.ts";

function edited(content: string | Uint8Array, ...edits: TextEdit[]): string {
  return editBytes(Buffer.from(content), edits).bytes.toString("latin1");
}

function refusal(content: string, ...edits: TextEdit[]): Failure {
  try {
    editBytes(Buffer.from(content), edits);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("the edit was accepted");
}

test("edits are applied in order, each to what the one before left", () => {
  const edits = [
    { oldText: "one", newText: "two" },
    { oldText: "two", newText: "three", expectedCount: 2 },
  ];
  expect(edited("one two\n", ...edits)).toBe("three three\n");
});

test("line feeds of the model match CRLF and are written as CRLF", () => {
  expect(edited("a\r\nb\r\nc\r\n", { oldText: "a\nb\n", newText: "a\nx\ny\n" })).toBe("a\r\nx\r\ny\r\nc\r\n");
});

test("a CRLF is never split", () => {
  expect(edited("a\r\nb\r\n", { oldText: "\nb", newText: "\nc" })).toBe("a\r\nc\r\n");
});

test("line feeds match lone carriage returns", () => {
  expect(edited("a\rb\rc", { oldText: "a\nb", newText: "1\n2" })).toBe("1\r2\rc");
});

test("CRLF of the model matches line feeds and is written as line feeds", () => {
  expect(edited("a\nb\nc\n", { oldText: "a\r\nb", newText: "x\r\ny" })).toBe("x\ny\nc\n");
});

test("a region of mixed endings keeps them line by line", () => {
  expect(edited("a\r\nb\nc\r\nd", { oldText: "a\nb\nc\nd", newText: "1\n2\n3\n4\n5" })).toBe(
    "1\r\n2\n3\r\n4\r\n5",
  );
});

test("an exact match wins over one with other endings", () => {
  expect(edited("a\r\nb|a\nb", { oldText: "a\nb", newText: "X" })).toBe("a\r\nb|X");
});

test("lines put into one line take its ending, also in the last line", () => {
  expect(edited("a\r\nb\r\n", { oldText: "a", newText: "a\nx" })).toBe("a\r\nx\r\nb\r\n");
  expect(edited("a\r\nb", { oldText: "b", newText: "b\nx" })).toBe("a\r\nb\r\nx");
  expect(edited("a\nb\n", { oldText: "a", newText: "a\nx" })).toBe("a\nx\nb\n");
});

test("text that is only line breaks is found", () => {
  expect(edited("a\r\n\r\nb", { oldText: "\n\n", newText: "\n" })).toBe("a\r\nb");
});

test("byte order mark, missing final newline and invalid bytes elsewhere stay", () => {
  const bytes = Buffer.concat([
    Buffer.from("\uFEFFkeep "),
    Buffer.from([0xff, 0xfe, 0x80]),
    Buffer.from(" old"),
  ]);
  const expected = Buffer.concat([
    Buffer.from("\uFEFFkeep "),
    Buffer.from([0xff, 0xfe, 0x80]),
    Buffer.from(" new"),
  ]);
  expect(editBytes(bytes, [{ oldText: "old", newText: "new" }]).bytes).toEqual(expected);
});

test("characters outside the basic plane are replaced whole", () => {
  const result = editBytes(Buffer.from("a😀b😁c"), [{ oldText: "😀", newText: "🎉" }]).bytes;
  expect(result.toString()).toBe("a🎉b😁c");
});

test("empty, equal and unchanged texts are refused", () => {
  expect(refusal("a", { oldText: "", newText: "x" }).message).toContain("oldText is empty");
  expect(refusal("a", { oldText: "a", newText: "a" }).message).toContain("equal");
});

test("too many matches name their count and lines", () => {
  const failure = refusal("x\ny\nx\r\nx", { oldText: "x", newText: "z" });
  expect(failure.code).toBe("INVALID_INPUT");
  expect(failure.message).toContain("occurs 3 times, not once: at lines 1, 3, 4");
  expect(failure.message).toContain("expectedCount to 3");
});

test("the second of several edits is named when it fails", () => {
  const failure = refusal("a b", { oldText: "a", newText: "c" }, { oldText: "zz", newText: "y" });
  expect(failure.message).toMatch(/^Edit 2 of 2: oldText was not found/);
});

test("a text that is not found is answered with the nearest region as it stands, and where the two part", () => {
  const file = [
    "import x;",
    "",
    "function total(items) {",
    "\treturn items.length;",
    "}",
    "",
    "export { total };",
    "",
  ];
  const failure = refusal(file.join("\n"), {
    oldText: "function total(items) {\n    return items.length\n}",
    newText: "x",
  });
  expect(failure.code).toBe("INVALID_INPUT");
  expect(failure.message).toContain("The nearest text is at lines 3-5. It reads:");
  expect(failure.message).toContain("3| function total(items) {\n4| \treturn items.length;\n5| }");
  expect(failure.message).toContain(
    'Line 4 exactly: "\\treturn items.length;"\nIn oldText: "    return items.length"',
  );
});

test("the nearest region begins where the text begins, whatever stands before it", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `  const value${i} = compute(value${i - 1});`);
  lines[51] = "  if (value50 > limit) {";
  lines[52] = '    throw new Error("too much");';
  lines[53] = "  }";
  const { message } = refusal(lines.join("\n"), {
    oldText: '  if (value50 > limit) {\n    throw new Error("too many");\n  }',
    newText: "x",
  });
  expect(message).toContain(
    "The nearest text is at lines 52-54. It reads:\n52|   if (value50 > limit) {\n53|",
  );
  expect(message).toContain("Line 53 exactly:");
});

test("a short word with a wrong letter is found", () => {
  const { message } = refusal("let size = 1;\nlet name = 2;\n", { oldText: "nane", newText: "x" });
  expect(message).toContain("The nearest text is at line 2. It reads:\n2| let name = 2;");
});

test("characters that look alike are shown as they are", () => {
  const { message } = refusal("say(“hello”);\n", { oldText: 'say("hello");', newText: "x" });
  expect(message).toContain('Line 1 exactly: "say(“hello”);"\nIn oldText: "say(\\"hello\\");"');
  const joined = refusal("foo\u00a0bar(1);\nother(2);\n", { oldText: "foobar(1);", newText: "x" });
  expect(joined.message).toContain('Line 1 exactly: "foo\\u00a0bar(1);"');
});

test("white space that differs is matched, named, and the file's own is kept", () => {
  const file = "class A {\n\tgo() {\n\t\tif (a)  {\n\t\t\tfar();  \n\t\t}\n\t}\n}\n";
  const { bytes, notes } = editBytes(Buffer.from(file), [
    {
      oldText: "    if (a) {\n      far();\n    }\n",
      newText: "    if (a) {\n      near();\n      far();\n    } else {\n      stay();\n    }\n",
    },
  ]);
  expect(bytes.toString()).toBe(
    "class A {\n\tgo() {\n\t\tif (a)  {\n\t\t\tnear();\n\t\t\tfar();  \n\t\t} else {\n\t\t\tstay();\n\t\t}\n\t}\n}\n",
  );
  expect(notes).toEqual([
    "The text matched at line 3 although white space differs (indentation, spaces at line ends, spaces inside lines). The file's own form was kept.",
  ]);
});

test("a text without its indentation is matched, and new lines get it", () => {
  const file = "def f():\n        if a:\n            b()\n        c()\n";
  const edit = { oldText: "if a:\n    b()\nc()", newText: "if a:\n    b()\n    d()\nc()" };
  expect(edited(file, edit)).toBe("def f():\n        if a:\n            b()\n            d()\n        c()\n");
});

test("an exact match wins over others that differ in white space only", () => {
  expect(edited("\tgo();\n  go();\n", { oldText: "  go();", newText: "  stay();" })).toBe(
    "\tgo();\n  stay();\n",
  );
});

test("no-break spaces and blank lines that differ are white space too", () => {
  expect(
    edited("a\u00a0= 1;\n\n\nb = 2;\n", { oldText: "a = 1;\n\nb = 2;", newText: "a = 1;\n\nb = 3;" }),
  ).toBe(Buffer.from("a\u00a0= 1;\n\n\nb = 3;\n").toString("latin1"));
});

test("line endings stay those of the file where white space differs", () => {
  expect(
    edited("if (a) {\r\n\tb();\r\n}\r\n", {
      oldText: "if (a) {\n  b();\n}",
      newText: "if (a) {\n  b();\n  c();\n}",
    }),
  ).toBe("if (a) {\r\n\tb();\r\n\tc();\r\n}\r\n");
});

test("lines are removed whole, with white space that differs", () => {
  expect(edited("a\n\tb();  \nc\n", { oldText: "  b();\n", newText: "" })).toBe("a\nc\n");
});

test("what differs in white space and stands in several places names them all", () => {
  const { message } = refusal("\tgo();\nx\n  go();\ny\n\t\tgo();\n", { oldText: "    go();", newText: "z" });
  expect(message).toContain("White space aside, it occurs 3 times, not once: at lines 1, 3, 5.");
});

test("nothing is matched in the middle of a word, or where a space makes the difference", () => {
  expect(refusal("prefix  value\n", { oldText: "fix value", newText: "x" }).message).toContain("not found");
  expect(refusal("foobar\n", { oldText: "foo bar", newText: "x" }).message).toContain(
    "differs only in white space",
  );
});

test("an indentation that cannot be known is not guessed", () => {
  const file = "a:\n\tb\n\t    c\n";
  const { message } = refusal(file, { oldText: "  b\n   c", newText: "  b\n     d" });
  expect(message).toContain("cannot be carried over");
});

test("a file of white space only is looked through once, not once for each of its characters", () => {
  for (const filler of [" ", "\n", "\r\n", "\t"]) {
    const failure = refusal(filler.repeat(1_000_000), { oldText: "  a\n\n  b\n", newText: "x\n" });
    expect(failure.message).toContain("Nothing in the file resembles it");
  }
});

test("nothing similar is told too, and the region is bounded", () => {
  expect(refusal("abc", { oldText: "(", newText: "x" }).message).toContain(
    "Nothing in the file resembles it",
  );
  const lines = Array.from({ length: 100 }, (_, i) => `word${i} ${"y".repeat(1000)}`).join("\n");
  expect(refusal(lines, { oldText: `${lines}!`, newText: "x" }).message.length).toBeLessThan(4_000);
});

test("a large file is edited, and searched for the nearest region", () => {
  const line = "some ordinary line of text that repeats itself many times over\n";
  const bytes = Buffer.from(`${line.repeat(400_000)}const needleInTheStack = 1;\n${line.repeat(400_000)}`);
  const result = editBytes(bytes, [{ oldText: "needleInTheStack = 1", newText: "needle = 2" }]).bytes;
  expect(result.length).toBe(bytes.length - 10);
  expect(() => editBytes(bytes, [{ oldText: "const needleInTheStack = 2;", newText: "x" }])).toThrow(
    /400001\| const needle/,
  );
});

const ending = fc.constantFrom("\n", "\r\n", "\r");
const unit = fc.constantFrom("a", "b", "é", "😀", " ", "\t");
// Never empty: an empty line between \r and \n would make the two one ending.
const word = fc.string({ unit, minLength: 1, maxLength: 6 });
const junk = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes.map((byte) => byte | 0x80)));

test("bytes outside an exact match never change", () => {
  fc.assert(
    fc.property(junk, junk, fc.string({ minLength: 1 }), fc.string(), (head, tail, oldText, newText) => {
      const wanted = Buffer.from(`<<${oldText}>>`);
      fc.pre(
        oldText !== newText && oldText.isWellFormed() && newText.isWellFormed() && !/[\r\n]/.test(newText),
      );
      const result = editBytes(Buffer.concat([head, wanted, tail]), [
        { oldText: `<<${oldText}>>`, newText: `<<${newText}>>` },
      ]);
      expect(result.bytes).toEqual(Buffer.concat([head, Buffer.from(`<<${newText}>>`), tail]));
    }),
    { numRuns: 500 },
  );
});

test("whatever the endings, a region given with line feeds is found and nothing around it changes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, ending), { minLength: 1, maxLength: 5 }),
      fc.array(word, { maxLength: 5 }),
      junk,
      junk,
      (region, replacement, head, tail) => {
        const oldText = `<<${region.map(([text]) => `${text}\n`).join("")}>>`;
        const newText = `[[${replacement.map((text) => `${text}\n`).join("")}]]`;
        const standing = `<<${region.map(([text, end]) => text + end).join("")}>>`;
        const file = Buffer.concat([head, Buffer.from(standing), tail]);
        const result = editBytes(file, [{ oldText, newText }]).bytes;
        const written = result.subarray(head.length, result.length - tail.length).toString();
        expect(result.subarray(0, head.length)).toEqual(head);
        expect(result.subarray(result.length - tail.length)).toEqual(tail);
        expect(written.replace(/\r\n|\r/g, "\n")).toBe(newText);
        const endings = region.map(([, end]) => end);
        expect(written.match(/\r\n|\n|\r/g) ?? []).toEqual(
          replacement.map((_, i) => endings[i] ?? endings.at(-1)),
        );
      },
    ),
    { numRuns: 500 },
  );
});

/** Lines of code with a depth each; the words repeat, so that a place is not always clear. */
const codeLine = fc.record({
  depth: fc.integer({ min: 0, max: 3 }),
  words: fc.array(fc.constantFrom("go", "stay", "(x)", "{", "}", "=", "é"), { minLength: 1, maxLength: 4 }),
});
const noise = fc.record({
  unit: fc.constantFrom("\t", "  ", "    "),
  gap: fc.constantFrom(" ", "  ", "\t", "\u00a0"),
  padding: fc.constantFrom("", " ", "\t"),
  shift: fc.integer({ min: 0, max: 2 }),
});

test("with white space that differs, either the right place is changed or nothing", () => {
  let applied = 0;
  fc.assert(
    fc.property(
      fc.array(codeLine, { minLength: 2, maxLength: 12 }),
      noise,
      noise,
      fc.nat(),
      fc.nat(),
      fc.constantFrom("\n", "\r\n"),
      (lines, inFile, inEdit, at, length, end) => {
        const written = (
          { depth, words }: { depth: number; words: string[] },
          { unit, gap, padding, shift }: typeof inFile,
        ) => unit.repeat(depth + shift) + words.join(gap) + padding;
        const from = at % lines.length;
        const region = lines.slice(from, from + 1 + (length % 3));
        const last = region.at(-1) ?? { depth: 0, words: [] };
        const changed = { ...last, words: ["changed", "line"] };
        const file = lines.map((line) => written(line, inFile) + end);
        const oldText = region.map((line) => written(line, inEdit)).join("\n");
        const newText = [...region.slice(0, -1), changed].map((line) => written(line, inEdit)).join("\n");
        // What occurs exactly is what is meant, wherever it stands.
        fc.pre(!file.join("").replaceAll(end, "\n").includes(oldText));
        const result = (() => {
          try {
            return editBytes(Buffer.from(file.join("")), [{ oldText, newText }]).bytes.toString();
          } catch (error) {
            if (error instanceof Failure) return undefined;
            throw error;
          }
        })();
        if (result === undefined) return;
        applied++;
        const now = result.split(end);
        const place = from + region.length - 1;
        expect(now.toSpliced(place, 1)).toEqual(file.join("").split(end).toSpliced(place, 1));
        const indent = inFile.unit.repeat(changed.depth + inFile.shift);
        expect(now[place]?.trim().replace(/\s+/g, " ")).toBe("changed line");
        expect(/^\s*/.exec(now[place] ?? "")?.[0]).toBe(indent);
      },
    ),
    { numRuns: 2000 },
  );
  expect(applied).toBeGreaterThan(500);
});
