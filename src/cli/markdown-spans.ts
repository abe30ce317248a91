/** A part of a line: plain, or between marks that style it. */
interface Span {
  /** As it was written. */
  raw: string;
  /** Undefined: plain, or code, whose marks are read word by word. */
  style?: "italic" | "strikethrough" | "underline";
  /** Without its marks. */
  text: string;
  /** Of a link; else empty. */
  url: string;
}

const code = "`[^`\\n]*`";
const link = "!?\\[(?<label>[^\\]\\n]+)\\]\\((?<url>[^)\\s]+)\\)";
const struck = "~~(?<struck>[^~\\n]+)~~";
const star = "(?<![\\w*\\\\])\\*(?<star>[^\\s*](?:[^*\\n]*[^\\s*])?)\\*";
const line = "(?<![\\w\\\\])_(?<line>[^\\s_](?:[^_\\n]*[^\\s_])?)_";

/** Marks that are closed; a mark that goes on as a word or as another mark closes nothing. */
const closed = new RegExp(`${code}|${link}|${struck}|${star}(?![\\w*])|${line}(?!\\w)`, "g");
/** The same where what follows is known. */
const certain = new RegExp(`${code}|${link}|${struck}|${star}(?=[^\\w*])|${line}(?=\\W)`, "g");
/** Where something may begin that is not closed yet. */
const open = /`|~~|!?\[(?![^\]\n]*\](?:[^(]|\([^)\s]*\s))|(?<![\w*\\])\*(?=[^\s*])|(?<![\w\\])_(?=[^\s_])/;

/** The spans of whole words, in order. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const { 0: raw, index, groups = {} } of text.matchAll(closed)) {
    if (index > end) spans.push(plain(text.slice(end, index)));
    end = index + raw.length;
    const { label, url = "", struck: gone, star: one, line: other } = groups;
    if (label !== undefined) spans.push({ raw, style: "underline", text: label, url });
    else if (gone !== undefined) spans.push({ raw, style: "strikethrough", text: gone, url: "" });
    else if (one !== undefined || other !== undefined)
      spans.push({ raw, style: "italic", text: one ?? other ?? "", url: "" });
    else spans.push(plain(raw));
  }
  return end < text.length ? [...spans, plain(text.slice(end))] : spans;
}

/** The beginning of a line's text that later text cannot change: whole words, and no span that is still open. */
export function stableText(held: string): string {
  const masked = held.replaceAll(certain, (span) => "x".repeat(span.length));
  const before = masked.slice(0, open.exec(masked)?.index ?? masked.length);
  const words = /^[\s\S]*\s(?=\S*$)/.exec(before)?.[0] ?? "";
  return held.slice(0, words.length);
}

function plain(raw: string): Span {
  return { raw, text: raw, url: "" };
}
