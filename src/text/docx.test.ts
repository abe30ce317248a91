import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { docxOf } from "./docx.ts";

/** The archive as Python's own reader sees it: every part well-formed, the body's text and structure. */
function read(bytes: Buffer): { names: string[]; xml: string; lines: string[]; links: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "wield-docx-"));
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, "a.docx");
  writeFileSync(file, bytes);
  const program = `
import sys, json, zipfile, xml.dom.minidom as dom
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
parts = {n: dom.parseString(z.read(n)) for n in z.namelist()}
document = parts["word/document.xml"]
lines = []
for p in document.getElementsByTagName("w:p"):
    style = [s.getAttribute("w:val") for s in p.getElementsByTagName("w:pStyle")]
    number = [s.getAttribute("w:val") for s in p.getElementsByTagName("w:numId")]
    text = "".join(t.firstChild.data if t.firstChild else "" for t in p.getElementsByTagName("w:t"))
    if text: lines.append(" ".join(style + ["#" + n for n in number] + [text]))
links = [r.getAttribute("Target") for r in parts["word/_rels/document.xml.rels"].getElementsByTagName("Relationship") if r.getAttribute("TargetMode")]
print(json.dumps({"names": z.namelist(), "xml": z.read("word/document.xml").decode(), "lines": lines, "links": links}))
`;
  return JSON.parse(execFileSync("python3", ["-c", program, file], { encoding: "utf8" }));
}

test("Markdown becomes a Word document with its structure", () => {
  const { names, xml, lines, links } = read(
    docxOf(
      "# Title\n\nSome **bold** and *soft* `code`, [a link](https://example.com/?a=1&b=2).\n\n- one\n  1. inner\n- two\n\n3. third\n\n> said\n\n```js\nif (a < b) {}\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n",
    ),
  );
  expect(names[0]).toBe("[Content_Types].xml");
  expect(lines).toEqual([
    "Heading1 Title",
    "Some bold and soft code, a link.",
    "#1 one",
    "#2 inner",
    "#1 two",
    "#3 third",
    "Quote said",
    "Code if (a < b) {}",
    "a",
    "b",
    "1",
    "2",
  ]);
  expect(links).toEqual(["https://example.com/?a=1&b=2"]);
  expect(xml).toMatch(/<w:b\/><\/w:rPr><w:t xml:space="preserve">bold/);
  expect(xml).toMatch(/<w:jc w:val="right"\/><\/w:pPr><w:r><w:t xml:space="preserve">2</);
});

test("text that XML cannot hold is replaced, and no markup is taken from the text", () => {
  const { lines, links } = read(docxOf('a\u0000b \ud800 </w:t><w:p/> "&" [x](javascript:alert(1))'));
  expect(lines).toEqual(['a\ufffdb \ufffd </w:t><w:p/> "&" x)']);
  expect(links).toEqual([]);
});
