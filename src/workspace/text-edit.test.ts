import { expect, test } from "vitest";
import { Failure } from "../failure/failure.ts";
import fc from "../testing/properties.ts";
import { editBytes, type TextEdit } from "./text-edit.ts";

function edited(content: string | Uint8Array, ...edits: TextEdit[]): string {
  return editBytes(Buffer.from(content), edits).toString("latin1");
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
  expect(editBytes(bytes, [{ oldText: "old", newText: "new" }])).toEqual(expected);
});

test("characters outside the basic plane are replaced whole", () => {
  const result = editBytes(Buffer.from("a😀b😁c"), [{ oldText: "😀", newText: "🎉" }]);
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

test("a text that is not found is answered with the nearest region as it stands", () => {
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
  expect(failure.message).toContain("3| function total(items) {\n4| \treturn items.length;\n5| }");
});

test("a difference of white space alone is told", () => {
  const failure = refusal("if (a) {\n\tgo(far);\n}\n", {
    oldText: "if (a) {\n    go(far);\n}",
    newText: "x",
  });
  expect(failure.message).toContain("differs only in white space");
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
  const result = editBytes(bytes, [{ oldText: "needleInTheStack = 1", newText: "needle = 2" }]);
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
      expect(result).toEqual(Buffer.concat([head, Buffer.from(`<<${newText}>>`), tail]));
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
        const result = editBytes(file, [{ oldText, newText }]);
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
