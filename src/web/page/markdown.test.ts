import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { DomDocument } from "./dom.ts";
import { toMarkdown } from "./markdown.ts";

function markdown(body: string): string {
  const page = parseHTML(`<html><head></head><body>${body}</body></html>`) as unknown as {
    document: DomDocument;
  };
  return toMarkdown(page.document.body, "https://site.com/docs/page.html");
}

describe("HTML as Markdown", () => {
  const cases: [name: string, html: string, expected: string][] = [
    [
      "headings and paragraphs",
      "<h1>One</h1><p>two\n  three</p>text<h3>Four</h3>",
      "# One\n\ntwo three\n\ntext\n\n### Four",
    ],
    [
      "marks inside their spaces",
      "<p>a<b> bold </b>b <em>c</em> <s>d</s> <code>e f</code></p>",
      "a **bold** b *c* ~~d~~ `e f`",
    ],
    [
      "absolute links",
      '<a href="next.html">next</a> <a href="/top">top</a> <a href="#x">here</a> <a href="javascript:x()">no</a>',
      "[next](https://site.com/docs/next.html) [top](https://site.com/top) here no",
    ],
    [
      "images by their words",
      '<img src="a.png" alt="A cat"><img src="b.png"><img src="data:image/png;base64,xx" alt="dot">',
      "![A cat](https://site.com/docs/a.png)[image: dot]",
    ],
    [
      "nested lists",
      "<ul><li>a<ul><li>b</li><li>c<ol><li>d</li></ol></li></ul></li><li><p>e</p><p>f</p></li></ul>",
      "- a\n  - b\n  - c\n    1. d\n- e\n  f",
    ],
    [
      "numbered lists from their start",
      '<ol start="9"><li>nine</li><li>ten<br>more</li></ol>',
      "9. nine\n10. ten\n    more",
    ],
    [
      "code as it stands",
      '<pre><code class="language-ts">if (a) {\n  b();\n}\n</code></pre>',
      "```ts\nif (a) {\n  b();\n}\n```",
    ],
    ["code that holds fences", "<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"],
    ["quotes", "<blockquote><p>a</p><p>b</p></blockquote>", "> a\n> \n> b"],
    [
      "tables",
      "<table><caption>T</caption><tr><th>A</th><th>B|C</th></tr><tr><td>1</td><td><p>2</p><p>3</p></td></tr></table>",
      "T\n\n| A | B\\|C |\n| --- | --- |\n| 1 | 2 3 |",
    ],
    [
      "tables without a head",
      "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>",
      "| 1 | 2 |\n| --- | --- |\n| 3 |  |",
    ],
    [
      "spans",
      '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td rowspan="2">1</td><td colspan="2">2</td></tr><tr><td>3</td><td>4</td></tr></table>',
      "| A | B | C |\n| --- | --- | --- |\n| 1 | 2 |  |\n|  | 3 | 4 |",
    ],
    [
      "layout tables as their content",
      "<table><tr><td><p>a</p><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>",
      "a\n\n| 1 | 2 |\n| --- | --- |",
    ],
    ["powers and indices", "<p>x<sup>2</sup> H<sub>2</sub>O note<sup>[3]</sup></p>", "x^2 H_2O note[3]"],
    ["line breaks", "<p>a<br>b<br><br>c</p>", "a\nb\nc"],
    [
      "words of cards kept apart",
      '<a href="/x"><h3>Title</h3><p>Text</p></a>',
      "[Title Text](https://site.com/x)",
    ],
    [
      "nothing of scripts, styles and controls",
      "<script>a</script><style>b</style><noscript>c</noscript><button>d</button><p>e</p>",
      "e",
    ],
    ["rules and details", "<p>a</p><hr><details><summary>S</summary>D</details>", "a\n\n---\n\nS\n\nD"],
    [
      "absurd spans",
      '<table><tr><td colspan="100000">a</td><td>b</td></tr><tr><td rowspan="99999">c</td></tr></table>',
      `| a |${"  |".repeat(99)}\n|${" --- |".repeat(100)}\n| c |${"  |".repeat(99)}`,
    ],
  ];
  for (const [name, html, expected] of cases) it(name, () => expect(markdown(html)).toBe(expected));
});
