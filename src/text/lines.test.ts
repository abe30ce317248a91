import { expect, test } from "vitest";
import { isText, splitLines, textKind } from "./lines.ts";

test("text is valid UTF-8 without NUL", () => {
  expect(isText(Buffer.from("héllo 😀\r\n"))).toBe(true);
  expect(isText(Buffer.from("\uFEFFwith a mark"))).toBe(true);
  expect(isText(Buffer.alloc(0))).toBe(true);
  expect(isText(Buffer.from("a\0b"))).toBe(false);
  expect(isText(Buffer.from([0x61, 0xff]))).toBe(false);
});

test("UTF-16 is told by its mark", () => {
  expect(textKind(Buffer.from("\uFEFFhello", "utf16le"))).toBe("utf-16");
  expect(textKind(Buffer.from([0xfe, 0xff, 0, 0x61]))).toBe("utf-16");
  expect(textKind(Buffer.from("plain"))).toBe("text");
  expect(textKind(Buffer.from([0, 1, 2]))).toBe("binary");
});

test("lines end with any ending, and a final ending starts no further line", () => {
  expect(splitLines("a\nb\r\nc\rd")).toEqual(["a", "b", "c", "d"]);
  expect(splitLines("a\n")).toEqual(["a"]);
  expect(splitLines("a\n\n")).toEqual(["a", ""]);
  expect(splitLines("")).toEqual([]);
});
