import { describe, expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { finishReport, unmatchedCitations } from "./report.ts";
import type { Source } from "./sources.ts";

const page = (name: string): Source => ({
  url: `https://${name}.com/page`,
  title: `About ${name}`,
  read: true,
});
const known = [page("alpha"), page("beta"), page("gamma")];

describe("ways of citing", () => {
  test.each([
    ["numbers as told, renumbered in the order of the text", "Late[3]. Early [1].", "Late[1]. Early [2]."],
    ["several in one pair of brackets", "Both [1, 3] and [1–3].", "Both [1][2] and [1][3][2]."],
    ["a footnote", "So it is.[^2]", "So it is.[1]"],
    ["a link with words", "Prices [fell](https://beta.com/page).", "Prices fell [1]."],
    [
      "a link that is only a reference",
      "Prices fell ([beta.com](https://beta.com/page)).",
      "Prices fell [1].",
    ],
    ["a bare address", "See https://alpha.com/page.", "See [1]."],
    ["an address in angle brackets", "See <https://alpha.com/page#part>, too.", "See [1], too."],
    ["with tracking parameters", "See https://www.alpha.com/page/?utm_source=x.", "See [1]."],
    ["OpenAI's brackets", "Prices fell 【2†source】.", "Prices fell [1]."],
    ["twice in a row", "So [2][2] it is.", "So [1] it is."],
    [
      "code is left alone",
      "`a[1]` and\n\n```\nx[2]\n```\n\nbut [2]",
      "`a[1]` and\n\n```\nx[2]\n```\n\nbut [1]",
    ],
    ["years and words in brackets", "In [2024] it was [sic] so [1].", "In [2024] it was [sic] so [1]."],
    ["an image", "![chart](https://alpha.com/c.png) [1]", "![chart](https://alpha.com/c.png) [1]"],
  ])("%s", (_what, draft, expected) => {
    const { text } = finishReport(draft, known);
    expect(text.split("\n## Sources\n")[0]?.trim()).toBe(expected);
    expect(unmatchedCitations(text)).toEqual({ numbers: [], entries: [] });
  });
});

test("the list holds exactly what is cited, with titles and addresses", () => {
  const { text, sources, problems } = finishReport("B [2]. A [1]. B again [2].", known);
  expect(text).toBe(`B [1]. A [2]. B again [1].

## Sources

1. About beta. <https://beta.com/page>
2. About alpha. <https://alpha.com/page>
`);
  expect(sources.map(({ url }) => url)).toEqual(["https://beta.com/page", "https://alpha.com/page"]);
  expect(problems).toEqual([]);
});

test.each([
  ["a list", "## Sources\n\n1. Gamma — https://gamma.com/page\n2. [Delta](https://delta.com/)\n"],
  ["brackets", "## References\n[1] Gamma, https://gamma.com/page\n[2] Delta: <https://delta.com/>\n"],
  ["bold", "**Sources:**\n\n- [1] Gamma https://gamma.com/page\n- [2] Delta https://delta.com/\n"],
  ["another language", "## Джерела\n\n1. Gamma https://gamma.com/page\n2. Delta https://delta.com/\n"],
  ["definitions", '[1]: https://gamma.com/page "Gamma"\n[2]: https://delta.com/ "Delta"\n'],
])("a list that the model wrote itself gives its numbers their meaning: %s", (_what, list) => {
  const { text, problems } = finishReport(`G [1], D [2].\n\n${list}`, known);
  expect(text).toBe(`G [1], D [2].

## Sources

1. About gamma. <https://gamma.com/page>
2. Delta. <https://delta.com/> (named by the model; not opened in this research)
`);
  expect(problems).toEqual([
    "https://delta.com/ is cited, but was neither found nor opened in this research.",
  ]);
});

test("a section about sources that is no list stays, and so does what follows a list", () => {
  const draft =
    "# R\n\n## Sources of income\n\nRent [1].\n\n## Sources\n\n1. A https://alpha.com/page\n\n## Next steps\n\nAsk.";
  const { text } = finishReport(draft, known);
  expect(text).toContain(
    "## Sources of income\n\nRent [1].\n\n## Next steps\n\nAsk.\n\n## Sources\n\n1. About alpha",
  );
});

test("a number without a source is marked and told", () => {
  const { text, problems } = finishReport("Sure [9].", known);
  expect(text).toContain("Sure [no source].");
  expect(problems).toEqual([
    "[9] in the report refers to no source; it is marked [no source].",
    "The report cites no source.",
  ]);
  expect(text).toContain("## Sources consulted\n\n- About alpha. <https://alpha.com/page>");
});

test("a hostile title formats nothing", () => {
  const title = "Click [here](https://evil.com) <b> `x` # *now*";
  const { text } = finishReport("See [1].", [{ url: "https://alpha.com/", title }]);
  expect(text).toContain(
    "1. Click \\[here\\](https://evil.com) \\<b\\> \\`x\\` \\# \\*now\\*. <https://alpha.com/>",
  );
});

test("whatever a model writes, numbers and list agree", () => {
  const piece = fc.constantFrom(
    ..."[1] [2][7] [^3] [1,2] [4-6] (https://beta.com/page) [x](https://new.org/a_(b)) <https://c.dev> `[1]` 【2†s】 [3]: [1](u) ## Sources\n 1. a\n 2. https://gamma.com/page\n ``` \n\n words. 【 ] [ ![i](https://d.com) ideas/a/research.md [e](ideas/a/research.md)".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { text, sources } = finishReport(pieces.join(" "), known);
      expect(unmatchedCitations(text)).toEqual({ numbers: [], entries: [] });
      expect(new Set(sources.map(({ url }) => url)).size).toBe(sources.length);
    }),
    { numRuns: 500 },
  );
});
