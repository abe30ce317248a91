/** A piece of a line of Markdown. */
export type Span =
  /** `math` is TeX, `key` a key of the keyboard. */
  | { kind: "text" | "code" | "math" | "key"; text: string }
  | { kind: "strong" | "em" | "strike"; spans: Span[] }
  | { kind: "break" }
  /** Refers to a footnote. */
  | { kind: "note"; label: string }
  /** `href` is an http, https or mailto address; any other link is plain text. Images are links too. */
  | { kind: "link"; text: string; href: string };

const marks = new RegExp(
  [
    /\\\((?<parenMath>[^\n]+?)\\\)/,
    /\\(?<escaped>[!-/:-@[-`{-~])/,
    /<(?<auto>https?:\/\/[^\s<>]+)>/,
    /(?<broken><br\s*\/?>)/,
    /<kbd>(?<key>[^<]*)<\/kbd>/,
    /(?<code>`+)(?<inCode>[\s\S]*?[^`])\k<code>(?!`)/,
    /\*\*(?<strong>[^\s*](?:[^*]|\*(?!\*))*?)\*\*/,
    /(?<![\w_])__(?<strongToo>[^\s_](?:[^_]|_(?!_))*?)__(?![\w_])/,
    /(?<![\w*])[*_](?<em>[^\s*_](?:[^*_]*[^\s*_])?)[*_](?![\w*])/,
    /(?<!~)~~(?<strike>[^\s~](?:[^~]|~(?!~))*?)~~(?!~)/,
    // Amounts of money are no formulas: no space inside the signs, no digit after them.
    /(?<![\w$])\$(?<math>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])/,
    /\[\^(?<note>[^\]\s]{1,40})\]/,
    /!?\[(?<label>[^\]]*)\]\((?<href>[^\s)]+)[^)]*\)/,
    /(?<url>https?:\/\/[^\s<>)\]]+[^\s<>)\].,;:!?'"])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Parses the marks inside a block of Markdown. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  const add = (span: Span) => {
    if (span.kind !== "text" || span.text !== "") spans.push(span);
  };
  let end = 0;
  for (const found of text.matchAll(marks)) {
    add({ kind: "text", text: text.slice(end, found.index) });
    add(spanOf(found.groups ?? {}));
    end = found.index + found[0].length;
  }
  add({ kind: "text", text: text.slice(end) });
  return spans;
}

function spanOf(groups: Record<string, string | undefined>): Span {
  const { escaped, inCode, em, strike, note, broken, key, label, href, auto } = groups;
  const { strong = groups["strongToo"], math = groups["parenMath"], url = auto } = groups;
  if (escaped !== undefined) return { kind: "text", text: escaped };
  if (inCode !== undefined) return { kind: "code", text: inCode.trim() || inCode };
  if (strong !== undefined) return { kind: "strong", spans: spansOf(strong) };
  if (em !== undefined) return { kind: "em", spans: spansOf(em) };
  if (strike !== undefined) return { kind: "strike", spans: spansOf(strike) };
  if (math !== undefined) return { kind: "math", text: math.trim() };
  if (note !== undefined) return { kind: "note", label: note };
  if (broken !== undefined) return { kind: "break" };
  if (key !== undefined) return { kind: "key", text: key };
  return linkTo(url ?? href ?? "", url ?? label ?? "");
}

function linkTo(href: string, label: string): Span {
  const address = URL.parse(href);
  if (!address || !/^(https?|mailto):$/.test(address.protocol)) return { kind: "text", text: label };
  return { kind: "link", text: label || address.href, href: address.href };
}
