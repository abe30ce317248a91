import { describe, expect, it } from "vitest";
import fc from "../testing/properties.ts";
import { pieceEnd } from "./piece.ts";

describe("the end of a piece", () => {
  const cases: [name: string, text: string, max: number, piece: string][] = [
    ["the whole text when it fits", "abc", 3, "abc"],
    ["after a paragraph", "one two\n\nthree four", 12, "one two\n\n"],
    ["after a line when no paragraph ends near", "one two\nthree four", 11, "one two\n"],
    ["after a word when no line ends near", "one two three four", 9, "one two "],
    ["anywhere when no word ends near", "onetwothreefour", 9, "onetwothr"],
    ["not far before the limit just for a paragraph", "a\n\nbcdefghij klmnop", 12, "a\n\nbcdefghij"],
    ["never inside a character", "abcd😀efgh", 5, "abcd"],
  ];
  for (const [name, text, max, piece] of cases)
    it(name, () => expect(text.slice(0, pieceEnd(text, 0, max))).toBe(piece));

  it("lets pieces follow each other without loss, each within its size", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", " ", "\n", "\n\n", "😀", "ü"), maxLength: 200 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 40 }), (text, max) => {
        let start = 0;
        let joined = "";
        while (start < text.length) {
          const end = pieceEnd(text, start, max);
          if (end <= start || end - start > max) return false;
          joined += text.slice(start, end);
          start = end;
        }
        return joined === text;
      }),
    );
  });
});
