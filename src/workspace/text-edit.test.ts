import { expect, test } from "vitest";
import { Failure } from "../failure/failure.ts";
import fc from "../testing/properties.ts";
import { readText } from "../text/encoding.ts";
import { editFile, editText, type TextEdit } from "./text-edit.ts";

function edited(content: string, ...edits: TextEdit[]): string {
  return editText(content, edits).text;
}

function refusal(content: string, ...edits: TextEdit[]): Failure {
  try {
    editText(content, edits);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("the edit was accepted");
}

async function editedBytes(bytes: Buffer, ...edits: TextEdit[]): Promise<Buffer> {
  const read = await readText(bytes);
  if (!read) throw new Error("not text");
  return (await editFile({ bytes, ...read }, edits)).file.bytes;
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
  expect(edited("a\nb\nc\n", { oldText: "b", newText: "x\r\ny" })).toBe("a\nx\ny\nc\n");
});

test("a region of mixed endings keeps them line by line", () => {
  expect(edited("a\r\nb\nc\r\nd", { oldText: "a\nb\nc\nd", newText: "1\n2\n3\n4\n5" })).toBe(
    "1\r\n2\n3\r\n4\r\n5",
  );
});

test("places that differ in their line breaks alone are as good as one another", () => {
  expect(refusal("a\r\nb|a\nb", { oldText: "a\nb", newText: "X" }).message).toContain("occurs 2 times");
});

test("lines put into one line take its ending, also in the last line", () => {
  expect(edited("a\r\nb\r\n", { oldText: "a", newText: "a\nx" })).toBe("a\r\nx\r\nb\r\n");
  expect(edited("a\r\nb", { oldText: "b", newText: "b\nx" })).toBe("a\r\nb\r\nx");
  expect(edited("a\nb\n", { oldText: "a", newText: "a\nx" })).toBe("a\nx\nb\n");
});

test("text that is only line breaks is found", () => {
  expect(edited("a\r\n\r\nb", { oldText: "\n\n", newText: "\n" })).toBe("a\r\nb");
});

test("byte order mark, missing final newline and invalid bytes elsewhere stay", async () => {
  const around = Buffer.concat([
    Buffer.from("\uFEFFkeeß ö ü ä é à ç "),
    Buffer.from([0xff]),
    Buffer.from(" old"),
  ]);
  const expected = Buffer.concat([around.subarray(0, -3), Buffer.from("néw")]);
  expect(await editedBytes(around, { oldText: "old", newText: "néw" })).toEqual(expected);
});

test("characters outside the basic plane are replaced whole", async () => {
  const result = await editedBytes(Buffer.from("a😀b😁c"), { oldText: "😀", newText: "🎉" });
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
  expect(failure.message).toContain("3\tfunction total(items) {\n4\t\treturn items.length;\n5\t}");
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
    "The nearest text is at lines 52-54. It reads:\n52\t  if (value50 > limit) {\n53\t",
  );
  expect(message).toContain("Line 53 exactly:");
});

test("a short word with a wrong letter is found", () => {
  const { message } = refusal("let size = 1;\nlet name = 2;\n", { oldText: "nane", newText: "x" });
  expect(message).toContain("The nearest text is at line 2. It reads:\n2\tlet name = 2;");
});

test("characters that look alike are shown as they are", () => {
  const { message } = refusal("say(“hello”);\n", { oldText: 'say("hello");', newText: "x" });
  expect(message).toContain('Line 1 exactly: "say(“hello”);"\nIn oldText: "say(\\"hello\\");"');
  const joined = refusal("foo\u00a0bar(1);\nother(2);\n", { oldText: "foobar(1);", newText: "x" });
  expect(joined.message).toContain('Line 1 exactly: "foo\\u00a0bar(1);"');
});

const method = "class A:\n        def go(self):\n            self.count = 1\n            return self\n";

test("a line with less indentation is the whole line, and its new lines stand where it stood", () => {
  const { text, notes } = editText(method, [
    { oldText: " self.count = 1", newText: " self.count += 1\n self.seen = True" },
  ]);
  expect(text).toBe(
    "class A:\n        def go(self):\n            self.count += 1\n            self.seen = True\n            return self\n",
  );
  expect(notes).toEqual([
    "line 3 is indented with 12 spaces, not 1 space: the new lines were indented like it:",
    "3\t            self.count += 1",
    "4\t            self.seen = True",
  ]);
});

test("one shift of all lines is carried over to the new ones", () => {
  const shallow = "def go(self):\n    self.count = 1\n";
  expect(edited(method, { oldText: shallow, newText: `${shallow}    if a:\n        b()\n` })).toBe(
    "class A:\n        def go(self):\n            self.count = 1\n            if a:\n                b()\n            return self\n",
  );
  const deep = "                self.count = 1\n                return self\n";
  expect(edited(method, { oldText: deep, newText: deep.replace("1", "2") })).toBe(method.replace("1", "2"));
});

test("two shifts are refused with the lines as they stand", () => {
  const { message } = refusal(method, {
    oldText: "def go(self):\n  self.count = 1\n",
    newText: "def go(self):\n  self.count = 2\n",
  });
  expect(message).toContain(
    "oldText was not found. The nearest text is at lines 2-3. It differs only in white space.",
  );
  expect(message).toContain("3\t            self.count = 1");
});

test("tabs for spaces are known where the lines show the rate, or no new depth is needed", () => {
  const file = "class A {\n\tgo() {\n\t\tif (a) {\n\t\t\tfar();\n\t\t}\n\t}\n}\n";
  const old = "    if (a) {\n      far();\n    }\n";
  expect(
    edited(file, { oldText: old, newText: `${old.slice(0, -6)}    } else {\n        near();\n    }\n` }),
  ).toBe(file.replace("\t\t}\n", "\t\t} else {\n\t\t\t\tnear();\n\t\t}\n"));
  expect(edited(file, { oldText: "      far();", newText: "      near();" })).toBe(
    file.replace("far", "near"),
  );
  expect(
    refusal(file, { oldText: "      far();", newText: "      if (b)\n        far();" }).message,
  ).toContain("cannot be carried over to all new lines");
});

test("a depth that is no step of the file is not guessed", () => {
  expect(
    refusal(method, { oldText: " self.count = 1", newText: " if a:\n  self.count = 1" }).message,
  ).toContain("cannot be carried over");
});

test("lines that follow a fragment are taken as they are, unless they may count from its line", () => {
  const absolute = { oldText: "return self", newText: "if a:\n                return self" };
  expect(edited(method, absolute)).toBe(method.replace("return self", absolute.newText));
  for (const newText of ["if a:\n    return self", "a = 1\nreturn self", "if a:\n            return self"]) {
    const { message } = refusal(method, { oldText: "return self", newText });
    expect(message).toContain('Begin oldText and newText with the indentation of the line, "            ".');
  }
  expect(refusal(method, { oldText: "return self\n", newText: "a = 1\nreturn self\n" }).message).toContain(
    "Begin oldText",
  );
});

test("text is never matched within the indentation of a line, nor where spaces inside differ", () => {
  expect(refusal("\t\tgo();\nx\n    go();\n", { oldText: "  go();", newText: "z" }).message).toContain(
    "occurs 2 times",
  );
  expect(refusal("count  = 1;\n", { oldText: "count = 1;", newText: "x" }).message).toContain(
    "differs only in white space",
  );
  expect(refusal("foobar\n", { oldText: "foo bar", newText: "x" }).message).toContain(
    "differs only in white space",
  );
  expect(edited("a = 1;\n", { oldText: " = 1", newText: " = 2" })).toBe("a = 2;\n");
});

test("an exact match wins over others that differ in indentation only", () => {
  expect(edited("\tgo();\n  go();\n", { oldText: "  go();", newText: "  stay();" })).toBe(
    "\tgo();\n  stay();\n",
  );
});

test("what has another indentation in several places names them all", () => {
  const { message } = refusal("\tgo();\nx\n  go();\ny\n\t\tgo();\n", { oldText: "    go();", newText: "z" });
  expect(message).toContain("With another indentation, it occurs 3 times, not once: at lines 1, 3, 5.");
});

test("lines are not run together by a newText without its line break", () => {
  const { message } = refusal("a\nb\nc\n", { oldText: "a\n", newText: "x" });
  expect(message).toContain("oldText ends with a line break and newText does not");
  expect(edited("a\nb\nc\n", { oldText: "a\n", newText: "" })).toBe("b\nc\n");
  expect(edited("a\n\nc\n", { oldText: "a\n", newText: "x" })).toBe("x\nc\n");
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

test("a large file is edited, and searched for the nearest region", async () => {
  const line = "some ordinary line of text that repeats itself many times over\n";
  const bytes = Buffer.from(`${line.repeat(400_000)}const needleInTheStack = 1;\n${line.repeat(400_000)}`);
  const result = await editedBytes(bytes, { oldText: "needleInTheStack = 1", newText: "needle = 2" });
  expect(result.length).toBe(bytes.length - 10);
  await expect(editedBytes(bytes, { oldText: "const needleInTheStack = 2;", newText: "x" })).rejects.toThrow(
    /400001\tconst needle/,
  );
});

const ending = fc.constantFrom("\n", "\r\n", "\r");
const unit = fc.constantFrom("a", "b", "é", "😀", " ", "\t");
// Never empty: an empty line between \r and \n would make the two one ending.
const word = fc.string({ unit, minLength: 1, maxLength: 6 });

test("whatever the endings, a region given with line feeds is found and nothing around it changes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, ending), { minLength: 1, maxLength: 5 }),
      fc.array(word, { maxLength: 5 }),
      fc.string({ unit: fc.constantFrom("x", "\ufffd", "é"), maxLength: 10 }),
      (region, replacement, around) => {
        const oldText = `<<${region.map(([text]) => `${text}\n`).join("")}>>`;
        const newText = `[[${replacement.map((text) => `${text}\n`).join("")}]]`;
        const standing = `<<${region.map(([text, end]) => text + end).join("")}>>`;
        const result = edited(around + standing + around, { oldText, newText });
        expect(result.startsWith(around) && result.endsWith(around)).toBe(true);
        const written = result.slice(around.length, result.length - around.length);
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
const style = fc.record({
  unit: fc.constantFrom("\t", "  ", "    "),
  shift: fc.integer({ min: 0, max: 2 }),
});

test("with another indentation, either the right place is changed, at the right depth, or nothing", () => {
  let applied = 0;
  fc.assert(
    fc.property(
      fc.array(codeLine, { minLength: 2, maxLength: 12 }),
      style,
      style,
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 0, max: 1 }),
      (lines, inFile, inEdit, at, length, deeper) => {
        const written = (
          { depth, words }: { depth: number; words: string[] },
          { unit, shift }: typeof inFile,
        ) => unit.repeat(depth + shift) + words.join(" ");
        // Between spaces, the shift says nothing about another step.
        fc.pre(inFile.unit === inEdit.unit || inFile.unit === "\t" || inEdit.unit === "\t");
        const from = at % lines.length;
        const region = lines.slice(from, from + 1 + (length % 3));
        const last = region.at(-1) ?? { depth: 0, words: [] };
        const added = { depth: last.depth + deeper, words: ["added", "line"] };
        const file = lines.map((line) => `${written(line, inFile)}\n`).join("");
        // A file without indentation does not tell how it would be made.
        fc.pre(/^[ \t]/m.test(file));
        // The lines behind a fragment of one line are another rule.
        fc.pre(region.length > 1 || last.depth + inEdit.shift > 0);
        const oldText = region.map((line) => `${written(line, inEdit)}\n`).join("");
        const newText = `${oldText}${written(added, inEdit)}\n`;
        let result: string;
        try {
          result = edited(file, { oldText, newText });
        } catch (error) {
          if (error instanceof Failure) return;
          throw error;
        }
        applied++;
        const now = result.split("\n");
        const place = now.findIndex((line) => line.endsWith("added line"));
        expect(now.toSpliced(place, 1).join("\n")).toBe(file);
        // What occurs as it is given is taken at its word.
        expect(now[place]).toBe(written(added, `\n${file}`.includes(`\n${oldText}`) ? inEdit : inFile));
      },
    ),
    { numRuns: 3000 },
  );
  expect(applied).toBeGreaterThan(300);
});
