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
console.log("page          way              ms  precision  recall     F1");
for (const name of names) {
  const html = readFileSync(join(folder, `${name}.html`), "utf8");
  const gold = countWords(readFileSync(join(folder, `${name}.txt`), "utf8"));
  for (const way of ["wield", "readability"] as const) {
    const { text, ms } = measure(way, html, 9);
    const { precision, recall, f1 } = compare(countWords(text), gold);
    sums[way].ms += ms;
    sums[way].f1 += f1 / names.length;
    const cells = [
      ms.toFixed(1).padStart(6),
      ...[precision, recall, f1].map((n) => n.toFixed(3).padStart(8)),
    ];
    console.log(`${name.padEnd(13)} ${way.padEnd(12)} ${cells.join(" ")}`);
  }
}
const docs = readFileSync(join(folder, "docs.html"), "utf8");
const large = docs.replace(
  /(<main[^>]*>)([\s\S]*)(<\/main>)/,
  (_, open, content, close) => open + content.repeat(150) + close,
);
const [ours, theirs] = [measure("wield", large, 3).ms, measure("readability", large, 3).ms];
const { wield, readability } = sums;
const ratio = (a: number, b: number) => `${(b / a).toFixed(1)}x`;
console.log(
  [
    `web: ${names.length} pages read in ${wield.ms.toFixed(0)} ms, Readability on jsdom ${readability.ms.toFixed(0)} ms (${ratio(wield.ms, readability.ms)})`,
    `mean F1 ${wield.f1.toFixed(3)} against ${readability.f1.toFixed(3)}`,
    `a page of ${Math.round(large.length / 1000)} KB ${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms (${ratio(ours, theirs)})`,
  ].join("; "),
);

/** The median of several rounds, after one to warm up. */
function measure(way: keyof typeof ways, html: string, rounds: number): { text: string; ms: number } {
  let text = ways[way](html);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    text = ways[way](html);
    times.push(performance.now() - started);
  }
  return { text, ms: times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0 };
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
