import { DefuddleClass } from "defuddle/node";
import { parseHTML } from "linkedom";
import { type DomDocument, type DomElement, type DomNode, isElement, isText } from "./dom.ts";
import { toMarkdown } from "./markdown.ts";
import type { Readable } from "./readable-text.ts";

/**
 * Finds the article. Extraction drops too much on pages that are not articles, so its result is used only if it keeps
 * most of the text; otherwise the whole page is used, without navigation and similar parts. `firstDraft` gets that
 * simple version early, because it is cheap.
 */
export function readable(html: string, url: string, firstDraft: (draft: Readable) => void): Readable {
  const page = parse(html);
  const scripts = page.querySelector("script") !== null;
  removeFurniture(page);
  rescue(page);
  const plain = toMarkdown(page.body, url);
  const draft: Readable = {
    title: page.title.trim(),
    author: "",
    published: "",
    text: plain,
    needsScripts: scripts && letterCount(plain) < 200,
  };
  firstDraft(draft);
  if (plain.length > longText) return draft;

  // It must not use the network, where it would ask other services about the page; and what it treats as a blog's
  // fine print is often an important list.
  const options = { url, useAsync: false, removeContentPatterns: false };
  keepSpaces(page.body);
  const found = new DefuddleClass(page, options).parse();
  const article = toMarkdown(parse(found.content).body, url).replaceAll(spaceKeeper, "");
  return {
    ...draft,
    title: draft.title || found.title,
    author: found.author,
    published: found.published,
    text: letterCount(article) >= letterCount(plain) * 0.6 ? article : plain,
  };
}

/** Finding the article in more text than this takes seconds, and the surrounding parts are small in comparison. */
const longText = 100_000;

/** A character that no page contains. */
const spaceKeeper = "\u{F1A5E}";

/** Extraction removes spaces before punctuation, as in `a != b` and in French: a quotation must be exact. */
function keepSpaces(node: DomNode): void {
  if (isText(node)) {
    const text = node.textContent ?? "";
    if (/\s[,.!?:;]/.test(text)) node.textContent = text.replaceAll(/\s(?=[,.!?:;])/g, `$&${spaceKeeper}`);
  } else if (isElement(node)) for (const child of Array.from(node.childNodes)) keepSpaces(child);
}

function parse(html: string): DomDocument {
  const { document } = parseHTML(withAllTags(html)) as unknown as { document: DomDocument };
  return document;
}

/** The parser does not add the tags that HTML allows authors to omit. */
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

/** Converts elements that extraction would drop into a form that it keeps: definition lists and info boxes. */
function rescue(document: DomDocument): void {
  // Inner lists first, so that each is turned once.
  for (const list of [...document.querySelectorAll("dl")].reverse())
    list.replaceWith(asBullets(document, list));
  for (const box of document.querySelectorAll("table.infobox")) box.removeAttribute("class");
}

function asBullets(document: DomDocument, list: DomElement): DomElement {
  const bullets = document.createElement("ul");
  let html = "";
  for (const entry of list.querySelectorAll("dt, dd"))
    html += entry.localName === "dt" ? `<li><strong>${entry.innerHTML}</strong>` : `: ${entry.innerHTML}`;
  bullets.innerHTML = html;
  return bullets;
}

/** Elements around the content. A class name proves little: an element with much of the page's text is content. */
function removeFurniture(document: DomDocument): void {
  for (const element of [...document.querySelectorAll(machinery)]) element.remove();
  const most = (document.body.textContent ?? "").length * 0.4;
  for (const element of [...document.querySelectorAll(furniture)])
    if ((element.textContent ?? "").length < most) element.remove();
}

const machinery = "script, style, noscript, template, svg, iframe, dialog, [hidden], [aria-hidden=true]";

const furniture = [
  "nav, aside, body > header, body > footer, [role=navigation], [role=banner], [role=contentinfo], [role=search]",
  ...[
    "cookie",
    "consent",
    "newsletter",
    "subscribe",
    "paywall",
    "breadcrumb",
    "related",
    "navbox",
    "share-",
  ].map((word) => `[class*=${word} i], [id*=${word} i]`),
].join(", ");

/** Not words: not every script puts spaces between them. */
function letterCount(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
