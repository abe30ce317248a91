// Readable pages: our reading beside Readability on jsdom, on the same pages in the same run, both turned into Markdown by
// the same code. Quality is precision, recall and F1 of words against a hand-made text of what a reader came for. The pages
// were written for this comparison in the shapes that pages have; they are no sample of the web.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readability } from "@mozilla/readability";
import { JSDOM } from "jsdom";
import { parseHTML } from "linkedom";
import type { DomDocument } from "../src/web/page/dom.ts";
import { toMarkdown } from "../src/web/page/markdown.ts";
import { readable } from "../src/web/page/readable.ts";
import { readableText } from "../src/web/page/readable-text.ts";
import { report, sideBySide, type Way } from "./measure.ts";

const folder = join(import.meta.dirname, "fixtures/pages");
const url = "https://site.example.org/page";

const ways = {
  wield: (html: string) => readableText({ ...readable(html, url, () => {}), author: "", published: "" }),
  readability: (html: string) => {
    const dom = new JSDOM(html, { url });
    const article = new Readability(dom.window.document as never).parse();
    dom.window.close();
    const page = parseHTML(`<html><head></head><body>${article?.content ?? ""}</body></html>`);
    const { body } = (page as unknown as { document: DomDocument }).document;
    return `# ${article?.title ?? ""}\n\n${toMarkdown(body, url)}`;
  },
};

const names = readdirSync(folder)
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.replace(".html", ""));
const sums = { wield: { ms: 0, f1: 0 }, readability: { ms: 0, f1: 0 } };
const both = ["wield", "readability"] as const;
console.log("page          way              ms  precision  recall     F1");
for (const name of names) {
  const html = readFileSync(join(folder, `${name}.html`), "utf8");
  const gold = countWords(readFileSync(join(folder, `${name}.txt`), "utf8"));
  const timings = await sideBySide(waysOn(html), 10);
  for (const [index, way] of both.entries()) {
    const ms = timings[index]?.p50 ?? 0;
    const { precision, recall, f1 } = compare(countWords(ways[way](html)), gold);
    sums[way].ms += ms;
    sums[way].f1 += f1 / names.length;
    const cells = [
      ms.toFixed(1).padStart(6),
      ...[precision, recall, f1].map((n) => n.toFixed(3).padStart(8)),
    ];
    console.log(`${name.padEnd(13)} ${way.padEnd(12)} ${cells.join(" ")}`);
  }
}
const { wield, readability } = sums;
console.log(
  `\nall ${names.length} pages: ${wield.ms.toFixed(0)} ms against ${readability.ms.toFixed(0)} ms ` +
    `(${(readability.ms / wield.ms).toFixed(1)}x), mean F1 ${wield.f1.toFixed(3)} against ${readability.f1.toFixed(3)}`,
);

const docs = readFileSync(join(folder, "docs.html"), "utf8");
const large = docs.replace(
  /(<main[^>]*>)([\s\S]*)(<\/main>)/,
  (_, open, content, close) => open + content.repeat(150) + close,
);
report(`a page of ${Math.round(large.length / 1000)} KB`, await sideBySide(waysOn(large), 3));

function waysOn(html: string): Way[] {
  return both.map((name) => ({ name, run: () => ways[name](html) }));
}

function compare(found: Map<string, number>, wanted: Map<string, number>) {
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
  let common = 0;
  for (const [word, count] of wanted) common += Math.min(count, found.get(word) ?? 0);
  return {
    precision: common / sum(found),
    recall: common / sum(wanted),
    f1: (2 * common) / (sum(found) + sum(wanted)),
  };
}

/** Words as a reader counts them: the targets of links are no words. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const read = text.replaceAll(/\]\([^)]*\)/g, "]").toLowerCase();
  for (const [word] of read.matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
