import { expect, test } from "vitest";
import { htmlOf } from "./html.ts";
import { blocksOf } from "./markdown-blocks.ts";
import { spansOf } from "./markdown-spans.ts";

test("tasks, formulas and footnotes are blocks of their own", () => {
  expect(blocksOf("- [x] done\n- [ ] open\n- plain")).toMatchObject([
    {
      kind: "list",
      tasks: [true, false, undefined],
      items: [[{ text: "done" }], [{ text: "open" }], [{ text: "plain" }]],
    },
  ]);
  expect(blocksOf("- a\n- b")).toEqual([
    {
      kind: "list",
      ordered: false,
      start: 1,
      items: [[{ kind: "text", text: "a" }], [{ kind: "text", text: "b" }]],
    },
  ]);
  expect(blocksOf("so:\n$$\na\nb\n$$\nend")).toEqual([
    { kind: "text", text: "so:" },
    { kind: "math", text: "a\nb" },
    { kind: "text", text: "end" },
  ]);
  expect(blocksOf("\\[ x \\]\n$$y$$\n$$ open")).toEqual([
    { kind: "math", text: "x" },
    { kind: "math", text: "y" },
    { kind: "math", text: "open" },
  ]);
  expect(blocksOf("A[^1].\n\n[^1]: Because\n  of it.\n\n```\n[^2]: code\n```")).toMatchObject([
    { kind: "text", text: "A[^1]." },
    { kind: "code", text: "[^2]: code" },
    { kind: "notes", notes: [{ label: "1", blocks: [{ kind: "text", text: "Because\nof it." }] }] },
  ]);
});

test("strikes, formulas, keys, breaks and notes inside a line; money and code are left alone", () => {
  const kinds = (text: string) => spansOf(text).map((span) => span.kind);
  expect(spansOf("~~old~~ $x^2$ \\(y\\) <kbd>Esc</kbd><br>z[^n]")).toEqual([
    { kind: "strike", spans: [{ kind: "text", text: "old" }] },
    { kind: "text", text: " " },
    { kind: "math", text: "x^2" },
    { kind: "text", text: " " },
    { kind: "math", text: "y" },
    { kind: "text", text: " " },
    { kind: "key", text: "Esc" },
    { kind: "break" },
    { kind: "text", text: "z" },
    { kind: "note", label: "n" },
  ]);
  for (const text of ["costs $5 and $6", "from $5-$6 a month", "US$5 or $x", "a ~ b ~ c", "<b>not ours</b>"])
    expect(kinds(text), text).toEqual(["text"]);
  expect(kinds("`$x$ ~~y~~`")).toEqual(["code"]);
});

test("in a file they are plain markup, and nothing in them is markup of its own", () => {
  const html = htmlOf('- [x] ~~a~~ <kbd>"<b></kbd>\n\n$<i>$ b[^"]\n\n[^"]: note', "t");
  expect(html).toContain('<input type="checkbox" disabled checked> <del>a</del>');
  expect(html).toContain("<code>&lt;i&gt;</code>");
  expect(html).toContain('<li id="note-&quot;">note</li>');
  expect(html).not.toMatch(/<b>|<i>/);
});
