import { type DomElement, type DomNode, isElement, isText } from "./dom.ts";
import { tableRows } from "./table.ts";

/**
 * A page's content as Markdown for a model: structure is kept, links are absolute, and nothing is escaped, because
 * backslashes cost tokens and help no reader.
 */
export function toMarkdown(root: DomElement, base: string): string {
  return blocksOf(root, base).join("\n\n");
}

/** Inline content is collected into paragraphs; every block element ends the paragraph before it. */
function blocksOf(parent: DomElement, base: string): string[] {
  const blocks: string[] = [];
  let line = "";
  const endLine = () => {
    const text = tidy(line);
    if (text) blocks.push(text);
    line = "";
  };
  for (const node of Array.from(parent.childNodes)) {
    if (isElement(node) && isBlock(node)) {
      endLine();
      blocks.push(...block(node, base));
    } else line += inline(node, base);
  }
  endLine();
  return blocks;
}

function block(element: DomElement, base: string): string[] {
  const name = element.localName;
  if (/^h[1-6]$/.test(name)) {
    const text = tidy(inlineOf(element, base)).replaceAll("\n", " ");
    return text ? [`${"#".repeat(Number(name[1]))} ${text}`] : [];
  }
  switch (name) {
    case "ul":
    case "ol":
      return list(element, base);
    case "pre":
      return [code(element)];
    case "table":
      return table(element, base);
    case "blockquote":
      return [indent(blocksOf(element, base).join("\n\n"), "> ", "> ")].filter((text) => text !== "> ");
    case "hr":
      return ["---"];
    case "math":
      return [inline(element, base).trim()].filter(Boolean);
    default:
      return blocksOf(element, base);
  }
}

function list(element: DomElement, base: string): string[] {
  const items: string[] = [];
  let number = Number(element.getAttribute("start") ?? 1) || 1;
  for (const node of Array.from(element.childNodes)) {
    if (!isElement(node)) continue;
    const content = blocksOf(node, base).join("\n");
    if (!content) continue;
    const mark = element.localName === "ol" ? `${number++}. ` : "- ";
    items.push(indent(content, mark, " ".repeat(mark.length)));
  }
  return items.length > 0 ? [items.join("\n")] : [];
}

function table(element: DomElement, base: string): string[] {
  const rows = tableRows(element);
  // A table that holds tables, or one column, only places things on the page.
  if (!rows) return blocksOf(element, base);
  const cells = rows.map((row) =>
    row.map((cell) => (cell ? cellText(cell, base) : "")).map((text) => text.replaceAll("|", "\\|")),
  );
  const width = Math.max(...cells.map((row) => row.length));
  const lines = cells.map((row) => `| ${[...row, ...Array(width - row.length).fill("")].join(" | ")} |`);
  lines.splice(1, 0, `|${" --- |".repeat(width)}`);
  const caption = element.querySelector("caption");
  const title = caption ? tidy(inlineOf(caption, base)) : "";
  return title ? [title, lines.join("\n")] : [lines.join("\n")];
}

function cellText(cell: DomElement, base: string): string {
  return blocksOf(cell, base).join(" ").replaceAll(/\s+/g, " ");
}

function code(element: DomElement): string {
  const text = (element.textContent ?? "").replace(/^\n+|\s+$/g, "");
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((run) => run[0].length + 1)));
  return `${fence}${languageOf(element)}\n${text}\n${fence}`;
}

function languageOf(pre: DomElement): string {
  const marked = [pre, pre.querySelector("code"), pre.parentNode].map((e) => e?.getAttribute("class") ?? "");
  return /(?:language|lang|highlight-source|brush:)[-\s]?([\w+#-]+)/.exec(marked.join(" "))?.[1] ?? "";
}

function inlineOf(element: DomElement, base: string): string {
  return Array.from(element.childNodes)
    .map((node) => inline(node, base))
    .join("");
}

function inline(node: DomNode, base: string): string {
  if (isText(node)) return (node.textContent ?? "").replaceAll(/[ \t\r\n\f]+/g, " ");
  if (!isElement(node) || skipped.has(node.localName)) return "";
  switch (node.localName) {
    case "br":
      return "\n";
    case "a":
      return link(node, base);
    case "img":
      return image(node, base);
    case "code":
    case "kbd":
    case "samp":
      return wrap(node.textContent ?? "", "`");
    case "strong":
    case "b":
      return wrap(inlineOf(node, base), "**");
    case "em":
    case "i":
      return wrap(inlineOf(node, base), "*");
    case "del":
    case "s":
      return wrap(inlineOf(node, base), "~~");
    case "sup":
      return raised(inlineOf(node, base), "^");
    case "sub":
      return raised(inlineOf(node, base), "_");
    case "math":
      return wrap(
        node.getAttribute("data-latex") ?? node.getAttribute("alttext") ?? node.textContent ?? "",
        "$",
      );
    default:
      // A block inside inline content (a card that is one big link) still must not glue its words to the next.
      return isBlock(node) ? ` ${inlineOf(node, base)} ` : inlineOf(node, base);
  }
}

function link(element: DomElement, base: string): string {
  const text = inlineOf(element, base);
  const href = element.getAttribute("href") ?? "";
  const target = href && !href.startsWith("#") ? URL.parse(href, base) : null;
  if (!text.trim() || !target || !/^(https?|mailto):$/.test(target.protocol)) return text;
  return wrap(text.replaceAll(/\s+/g, " "), "[", `](${target.href})`);
}

function image(element: DomElement, base: string): string {
  const alt = (element.getAttribute("alt") ?? "").trim();
  const source = URL.parse(element.getAttribute("src") ?? "", base);
  if (!alt) return "";
  return source && /^https?:$/.test(source.protocol) ? `![${alt}](${source.href})` : `[image: ${alt}]`;
}

/** Marks go inside the surrounding spaces: `<b> x </b>` is ` **x** `. */
function wrap(text: string, open: string, close = open): string {
  const [, before = "", core = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return core ? `${before}${open}${core}${close}${after}` : text;
}

/** `x²` must not read `x2`; a footnote mark such as `[3]` is clear as it is. */
function raised(text: string, mark: string): string {
  return /^[\w+\-−.]{1,12}$/.test(text.trim()) ? `${mark}${text.trim()}` : text;
}

function tidy(text: string): string {
  return text
    .replaceAll(/ *\n */g, "\n")
    .replaceAll(/\n{2,}/g, "\n")
    .replaceAll(/ {2,}/g, " ")
    .trim();
}

function indent(text: string, first: string, rest: string): string {
  return first + text.replaceAll("\n", `\n${rest}`);
}

function isBlock(element: DomElement): boolean {
  return blockNames.has(element.localName);
}

const skipped = new Set(
  "script style noscript template svg canvas iframe object embed button input select textarea video audio head".split(
    " ",
  ),
);

const blockNames = new Set(
  (
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol p pre section summary table tbody thead tfoot tr td th caption ul"
  ).split(" "),
);
