import { DefuddleClass } from "defuddle/node";
import { parseHTML } from "linkedom";
import type { DomDocument, DomElement } from "./dom.ts";
import { toMarkdown } from "./markdown.ts";

/** What a page says, without what stands around it. */
export interface Readable {
  title: string;
  author: string;
  published: string;
  /** Markdown. */
  text: string;
  /** Nearly nothing to read, but scripts that would make something: worth opening in a browser. */
  needsScripts: boolean;
}

/**
 * Finds the article. Extraction drops too much on pages that are no article, so its result only counts when it keeps
 * most of the text; otherwise the page is taken whole, without its furniture. `firstDraft` gets that plain reading early:
 * it is cheap, while extraction of a large page takes seconds.
 */
export function readable(html: string, url: string, firstDraft: (draft: Readable) => void): Readable {
  const page = parse(html);
  const scripts = page.querySelector("script") !== null;
  stripFurniture(page);
  const plain = toMarkdown(page.body, url);
  const draft: Readable = {
    title: page.title.trim(),
    author: "",
    published: "",
    text: plain,
    needsScripts: scripts && wordCount(plain) < 40,
  };
  firstDraft(draft);

  // It never goes to the network: asynchronous extractors would ask other services about the page.
  const found = new DefuddleClass(parse(html), { url, useAsync: false }).parse();
  const article = toMarkdown(parse(`<body>${found.content}</body>`).body, url);
  return {
    ...draft,
    title: draft.title || found.title,
    author: found.author,
    published: found.published,
    text: wordCount(article) >= wordCount(plain) * 0.6 ? article : plain,
  };
}

function parse(html: string): DomDocument {
  const { document } = parseHTML(withAllTags(html)) as unknown as { document: DomDocument };
  // Inner lists first, so that each is turned once.
  for (const list of [...document.querySelectorAll("dl")].reverse())
    list.replaceWith(asBullets(document, list));
  return document;
}

/** The parser does not supply the tags that HTML lets an author leave out. */
function withAllTags(html: string): string {
  const opening = /^\s*(?:<!doctype[^>]*>|<!--[\s\S]*?-->|\s)*(?:<html[^>]*>)?/i.exec(html)?.[0] ?? "";
  let rest = html.slice(opening.length);
  if (!/<body[\s>]/i.test(rest)) {
    const head = headMatter.exec(rest)?.[0] ?? "";
    rest = `${head}<body>${rest.slice(head.length)}`;
  }
  if (!/<head[\s>]/i.test(rest)) rest = `<head>${rest.replace(/<body[\s>]/i, "</head>$&")}`;
  return `${/<html/i.test(opening) ? opening : "<html>"}${rest}`;
}

const headMatter =
  /^(?:\s|<!--[\s\S]*?-->|<\/?head[^>]*>|<(title|style|script|noscript)\b[^>]*>[\s\S]*?<\/\1>|<(?:meta|link|base)\b[^>]*>)*/i;

/** Extraction throws definition lists away; bullets it keeps. */
function asBullets(document: DomDocument, list: DomElement): DomElement {
  const bullets = document.createElement("ul");
  let html = "";
  for (const entry of list.querySelectorAll("dt, dd"))
    html += entry.localName === "dt" ? `<li><strong>${entry.innerHTML}</strong>` : `: ${entry.innerHTML}`;
  bullets.innerHTML = html;
  return bullets;
}

function stripFurniture(document: DomDocument): void {
  for (const element of [...document.querySelectorAll(furniture)]) element.remove();
}

const furniture = [
  "script, style, noscript, template, svg, iframe, nav, footer, aside, dialog, [hidden]",
  "[aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog]",
  "body > header, [id*=cookie i], [class*=cookie i], [id*=consent i], [class*=consent i]",
].join(", ");

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
