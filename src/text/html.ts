import { type Block, blocksOf, sourceList } from "./markdown-blocks.ts";
import { type Span, spansOf } from "./markdown-spans.ts";

/**
 * Markdown as a page of its own: no scripts, nothing loaded from elsewhere, no markup but ours. Numbers like [2] lead to
 * their entry where a list of sources ends the text.
 */
export function htmlOf(markdown: string, title: string): string {
  const blocks = blocksOf(markdown);
  const sources = sourceList(blocks);
  const body = blocks.map((block) =>
    block === sources ? sourcesHtml(sources.items) : blockHtml(block, sources?.items.length ?? 0),
  );
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body.join("\n")}
</main>
</body>
</html>
`;
}

function sourcesHtml(items: readonly Block[][]): string {
  const entries = items.map((item, at) => `<li id="source-${at + 1}">${inner(item, 0)}</li>`);
  return `<ol class="sources">\n${entries.join("\n")}\n</ol>`;
}

/** `cited`: how many sources there are to refer to. */
function blockHtml(block: Block, cited: number): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${spans(spansOf(block.text), cited)}</h${block.level}>`;
    case "text":
      return `<p>${spans(spansOf(block.text), cited)}</p>`;
    case "code":
      return `<pre><code>${escaped(block.text)}</code></pre>`;
    case "quote":
      return `<blockquote>${block.blocks.map((each) => blockHtml(each, cited)).join("\n")}</blockquote>`;
    case "list": {
      const items = block.items
        .map((item, at) => `<li>${boxOf(block.tasks?.[at])}${inner(item, cited)}</li>`)
        .join("\n");
      if (!block.ordered) return `<ul>\n${items}\n</ul>`;
      return `<ol${block.start === 1 ? "" : ` start="${block.start}"`}>\n${items}\n</ol>`;
    }
    case "table": {
      const row = (cells: readonly string[], tag: "th" | "td") =>
        `<tr>${cells.map((cell, at) => `<${tag} style="text-align:${block.align[at] ?? "left"}">${spans(spansOf(cell), cited)}</${tag}>`).join("")}</tr>`;
      const rows = block.rows.map((cells) => row(cells, "td")).join("\n");
      return `<table>\n<thead>${row(block.head, "th")}</thead>\n<tbody>${rows}</tbody>\n</table>`;
    }
    case "rule":
      return "<hr>";
    case "math":
      return `<pre><code>${escaped(block.text)}</code></pre>`;
    case "notes": {
      const notes = block.notes.map(
        ({ label, blocks }) => `<li id="note-${escaped(label)}">${inner(blocks, cited)}</li>`,
      );
      return `<hr>\n<ol>\n${notes.join("\n")}\n</ol>`;
    }
  }
}

/** A single paragraph in a list item is only its words. */
function inner(blocks: readonly Block[], cited: number): string {
  return blocks
    .map((block, at) =>
      block.kind === "text" && at === 0 ? spans(spansOf(block.text), cited) : blockHtml(block, cited),
    )
    .join("\n");
}

function boxOf(done: boolean | undefined): string {
  return done === undefined ? "" : `<input type="checkbox" disabled${done ? " checked" : ""}> `;
}

function spans(all: readonly Span[], cited: number): string {
  return all.map((span) => spanHtml(span, cited)).join("");
}

function spanHtml(span: Span, cited: number): string {
  switch (span.kind) {
    case "text":
      return escaped(span.text).replaceAll(/\[(\d{1,3})\]/g, (whole, number: string) =>
        Number(number) >= 1 && Number(number) <= cited
          ? `<a class="cite" href="#source-${number}">${whole}</a>`
          : whole,
      );
    case "code":
    case "math":
      return `<code>${escaped(span.text)}</code>`;
    case "key":
      return `<kbd>${escaped(span.text)}</kbd>`;
    case "break":
      return "<br>";
    case "note":
      return `<sup><a href="#note-${escaped(span.label)}">${escaped(span.label)}</a></sup>`;
    case "strike":
      return `<del>${spans(span.spans, cited)}</del>`;
    case "strong":
      return `<strong>${spans(span.spans, cited)}</strong>`;
    case "em":
      return `<em>${spans(span.spans, cited)}</em>`;
    case "link":
      return `<a href="${escaped(span.href)}" rel="noreferrer">${escaped(span.text)}</a>`;
  }
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const style = `
body { margin: 0; background: #fff; color: #1c1c1c; font: 17px/1.6 Georgia, "Times New Roman", serif; }
main { max-width: 42rem; margin: 0 auto; padding: 3rem 1.25rem; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { font-family: system-ui, sans-serif; line-height: 1.25; margin: 2em 0 0.5em; break-after: avoid; }
h1 { margin-top: 0; font-size: 1.9rem; }
h2 { font-size: 1.3rem; }
h3 { font-size: 1.1rem; }
a { color: #0b57a4; }
a.cite { font: 0.75em system-ui, sans-serif; text-decoration: none; vertical-align: 0.35em; }
table { border-collapse: collapse; width: 100%; font: 0.85em/1.45 system-ui, sans-serif; }
th, td { border: 1px solid #ccc; padding: 0.4em 0.6em; vertical-align: top; }
pre { background: #f4f4f4; padding: 0.8em 1em; overflow-x: auto; white-space: pre-wrap; font-size: 0.8em; }
code { font-family: ui-monospace, Consolas, monospace; font-size: 0.9em; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid #ccc; color: #555; }
ol.sources { font: 0.8em/1.5 system-ui, sans-serif; }
ol.sources li { margin: 0.35em 0; }
ol.sources li:target { background: #fff6cc; }
@media print { body { font-size: 11pt; } main { max-width: none; padding: 0; } }
`;
