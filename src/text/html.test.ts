import { expect, test } from "vitest";
import { htmlOf } from "./html.ts";

const report =
  "# Solar [1]\n\nCheap [1] and **good** [2], not [7].\n\n- a\n  - b\n\n| x | y |\n|---|--:|\n| 1 | [2] |\n\n## Sources\n\n1. A \\[title\\] \\<b\\>. <https://a.com/?x=1&y=2>\n2. `ideas/b.md`\n";

test("numbers lead to their entry in the list of sources", () => {
  const html = htmlOf(report, "Solar");
  expect(html).toContain('<h1>Solar <a class="cite" href="#source-1">[1]</a></h1>');
  expect(html).toContain('<strong>good</strong> <a class="cite" href="#source-2">[2]</a>, not [7].</p>');
  expect(html).toContain(
    '<li id="source-1">A [title] &lt;b&gt;. <a href="https://a.com/?x=1&amp;y=2" rel="noreferrer">https://a.com/?x=1&amp;y=2</a></li>',
  );
  expect(html).toContain('<li id="source-2"><code>ideas/b.md</code></li>');
  expect(html).toContain('<td style="text-align:right"><a class="cite" href="#source-2">[2]</a></td>');
});

test("nothing in the text becomes markup, a script or a request", () => {
  const html = htmlOf(
    '<script>alert(1)</script> ![x](https://track.com/p.gif) [y](javascript:alert(1)) "q"\n\n```\n</code><img src=x>\n```\n',
    "</title><script>",
  );
  expect(html).not.toMatch(/<script|<img|javascript:/);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).toContain("default-src 'none'");
});
