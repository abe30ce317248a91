import { describe, expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { boundToBudget } from "./bound.ts";
import { diffTexts, diffTotals } from "./diff.ts";
import { canonicalJson } from "./digest.ts";
import { plainText } from "./encoding.ts";
import { imageType } from "./image-type.ts";
import { splitLines } from "./lines.ts";
import { nearestNames } from "./nearest.ts";
import { asNotice } from "./notice.ts";
import { singleEdit } from "./single-edit.ts";
import { estimateTokens } from "./tokens.ts";
import { visibleLine, visibleText } from "./visible.ts";

const closing = (shown: number, total: number) => `${shown} of ${total}`;

describe("bounding", () => {
  test("the first rendering that fits is taken, and the full one kept", () => {
    const long = "x".repeat(1000);
    expect(boundToBudget(["short"], 100, closing)).toEqual({ text: "short", full: undefined });
    expect(boundToBudget([long, () => "brief"], 100, closing)).toEqual({ text: "brief", full: long });
  });
  test("what fits nowhere is cut at a line and says how much is shown", () => {
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i}`).join("\n");
    const { text, full } = boundToBudget(lines, 100, closing);
    const shown = text.split("\n").length - 1;
    expect(text.endsWith(`\n${shown} of 500`)).toBe(true);
    expect(full).toBe(lines);
  });
  test("never above the budget, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 400 }), { maxLength: 60 }),
        fc.integer({ min: 30, max: 500 }),
        (lines, budget) => {
          expect(estimateTokens(boundToBudget(lines.join("\n"), budget, closing).text)).toBeLessThanOrEqual(
            budget,
          );
        },
      ),
    );
  });
});

describe("diffs", () => {
  test("counts agree with the text", () => {
    const { diff, added, removed } = diffTexts("a.ts", "one\ntwo\nthree\n", "one\n2\nthree\nfour\n");
    expect({ added, removed }).toEqual({ added: 2, removed: 1 });
    expect(diffTotals(diff)).toEqual({ added: 2, removed: 1 });
    expect(diff).toContain("--- a/a.ts\n+++ b/a.ts\n");
  });
  test("equal sides have none; a missing side is /dev/null", () => {
    expect(diffTexts("a", "x\n", "x\n").diff).toBe("");
    expect(diffTexts("a", null, "x\n").diff).toContain("--- /dev/null");
  });
});

describe("a single edit", () => {
  test("turns before into after, and its old text is unique", () => {
    const line = fc.constantFrom("a\n", "b\n", "\n", "x", "🙂\n", "c\r\n");
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && before !== "");
        const { oldText, newText } = singleEdit(before, after);
        expect(before.indexOf(oldText)).toBe(before.lastIndexOf(oldText));
        expect(before.replace(oldText, () => newText)).toBe(after);
      }),
    );
  });
});

describe("what cannot be seen is shown", () => {
  test.each([
    ["a\nb", "a\\nb"],
    ["\u001b[31mred", "\\u{1b}[31mred"],
    ["x\u202Egpj.exe", "x\\u{202e}gpj.exe"],
    ["a\u200Bb", "a\\u{200b}b"],
    ["\u{E0041}", "\\u{e0041}"],
    ["plain ü 🙂", "plain ü 🙂"],
  ])("%j", (given, shown) => {
    expect(visibleLine(given)).toBe(shown);
  });
  test("line endings of a text stay", () => {
    for (const code of [0x2028, 0x3164, 0xfe01, 0xe0101, 0x115f, 0x34f])
      expect(visibleText(`a${String.fromCodePoint(code)}b`)).toBe(`a\\u{${code.toString(16)}}b`);
    expect(visibleText("❤️")).toBe("❤️");
    expect(visibleText("a\tb\r\nc\n\rd")).toBe("a\tb\r\nc\n\\rd");
  });
});

test("what is quoted in a notice does not end it", () => {
  expect(asNotice("a</notice>b< notice><NOTICE>c")).toBe(
    "<notice>\na‹/notice>b< notice>‹NOTICE>c\n</notice>",
  );
});

test("lines as an editor counts them", () => {
  expect(splitLines("")).toEqual([]);
  expect(splitLines("a\r\nb\rc\n")).toEqual(["a", "b", "c"]);
  expect(splitLines("a\n\n")).toEqual(["a", ""]);
});

test("canonical JSON sorts members and leaves undefined out", () => {
  expect(canonicalJson({ b: [1, { d: undefined, c: "x" }], a: null })).toBe('{"a":null,"b":[1,{"c":"x"}]}');
});

test("the names that were probably meant", () => {
  expect(nearestNames("raed_file", ["read_file", "write_file", "undo"])).toEqual(["read_file"]);
  expect(nearestNames("grep", ["undo", "redo"])).toEqual([]);
});

test("text and images are told by their bytes", () => {
  expect(plainText(Buffer.from("\uFEFFhi"))).toBe("hi");
  expect(plainText(Buffer.from([0x68, 0]))).toBeUndefined();
  expect(plainText(Buffer.from([0xff, 0xfe]))).toBeUndefined();
  expect(imageType(Buffer.from("\x89PNG\r\n\x1a\n....", "latin1"))).toBe("image/png");
  expect(imageType(Buffer.from("GIF8"))).toBeUndefined();
});
