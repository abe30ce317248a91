import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { MarkdownStream } from "./markdown.ts";

/** The whole text through the stream, cut into pieces at these places. */
function shown(text: string, colour: boolean, cuts: readonly number[] = []): string {
  const stream = new MarkdownStream({ colour });
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
}

const page =
  "# Title\n\nSome **bold** and `code **x**` here.\n- one\n  * two\n```js\nlet a = **b**;\n```\nEnd";

test("marks become styles and vanish", () => {
  expect(shown(page, false)).toBe(
    "Title\n\nSome bold and code **x** here.\n• one\n  • two\n```js\nlet a = **b**;\n```\nEnd",
  );
  expect(shown(page, true)).toContain("\u001b[1mbold\u001b[22m");
  expect(stripVTControlCharacters(shown(page, true))).toBe(shown(page, false));
});

test("italics, strikethrough and links are shown as such; what only looks like marks stays", () => {
  const text =
    "An *important word* and _another one_, ~~not this~~, see [the docs](https://example.com/a_b), now.\nBut 2 * 3 * 4, snake_case_name, f(*args), a[0] (x), `*raw* [a](b)` and **bold *both* bold**.\n";
  expect(shown(text, false)).toBe(
    "An important word and another one, not this, see the docs (https://example.com/a_b), now.\nBut 2 * 3 * 4, snake_case_name, f(*args), a[0] (x), *raw* [a](b) and bold both bold.\n",
  );
  const styled = shown(text, true);
  expect(styled).toContain("\u001b[3mimportant\u001b[23m");
  expect(styled).toContain("\u001b[9mnot\u001b[29m");
  expect(styled).toContain("\u001b[4mdocs\u001b[24m");
});

test("it does not matter how the text is cut into pieces", () => {
  const mark = fc.constantFrom(
    "**",
    "`",
    "# ",
    "- ",
    "```\n",
    "\n",
    "word ",
    "x",
    "*",
    " ",
    "         ",
    "| a | b |\n",
    "1. ",
    "> ",
    "---\n",
    "[ ] ",
    "_",
    "~~",
    "[a b](c)",
    "[",
    "](",
    ")",
  );
  fc.assert(
    fc.property(
      fc.array(mark, { maxLength: 30 }),
      fc.array(fc.nat(200), { maxLength: 12 }),
      (parts, cuts) => {
        const text = parts.join("");
        expect(shown(text, false, cuts)).toBe(shown(text, false));
      },
    ),
    { numRuns: 1000 },
  );
});

test("escape codes of a model do not reach the terminal", () => {
  expect(shown("a\u001b[2Jb", true)).toBe("a\\u{1b}[2Jb");
});
