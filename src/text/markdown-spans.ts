/** A piece of a line of Markdown. */
export type Span =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "em"; spans: Span[] }
  /** `href` is an http, https or mailto address; any other link is plain text. Images are links too. */
  | { kind: "link"; text: string; href: string };

const marks =
  /\\(?<escaped>[!-/:-@[-`{-~])|<(?<auto>https?:\/\/[^\s<>]+)>|(?<code>`+)(?<inCode>[\s\S]*?[^`])\k<code>(?!`)|\*\*(?<strong>[^\s*](?:[^*]|\*(?!\*))*?)\*\*|(?<![\w*])[*_](?<em>[^\s*_](?:[^*_]*[^\s*_])?)[*_](?![\w*])|!?\[(?<label>[^\]]*)\]\((?<href>[^\s)]+)[^)]*\)|(?<url>https?:\/\/[^\s<>)\]]+[^\s<>)\].,;:!?'"])/g;

/** Parses the marks inside a block of Markdown. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  const add = (span: Span) => {
    if (span.kind !== "text" || span.text !== "") spans.push(span);
  };
  let end = 0;
  for (const found of text.matchAll(marks)) {
    const { escaped, auto, inCode, strong, em, label, href, url = auto } = found.groups ?? {};
    add({ kind: "text", text: text.slice(end, found.index) });
    if (escaped !== undefined) add({ kind: "text", text: escaped });
    else if (inCode !== undefined) add({ kind: "code", text: inCode.trim() || inCode });
    else if (strong !== undefined) add({ kind: "strong", spans: spansOf(strong) });
    else if (em !== undefined) add({ kind: "em", spans: [{ kind: "text", text: em }] });
    else add(linkTo(url ?? href ?? "", url ?? label ?? ""));
    end = found.index + found[0].length;
  }
  add({ kind: "text", text: text.slice(end) });
  return spans;
}

function linkTo(href: string, label: string): Span {
  const address = URL.parse(href);
  if (!address || !/^(https?|mailto):$/.test(address.protocol)) return { kind: "text", text: label };
  return { kind: "link", text: label || address.href, href: address.href };
}
