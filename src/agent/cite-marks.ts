import { codeLines } from "./own-sources.ts";
import { type Source, webSource } from "./sources.ts";

/** One citation in a text, in whichever way the model wrote it. */
export type Cited =
  | { kind: "numbers"; numbers: number[] }
  /** `words` is what stays of the link's text, with a space after it. */
  | { kind: "link"; source: Source; words: string }
  /** `isMarked`: the text already says that it was not retrieved. */
  | { kind: "address"; source: Source; isMarked: boolean };

/** Applies `change` to everything but code. */
export function mapProse(markdown: string, change: (prose: string) => string): string {
  const lines = markdown.split("\n");
  const inCode = codeLines(lines);
  return lines
    .map((line, at) =>
      inCode[at]
        ? line
        : line
            .split(/(`+[^`]*`+)/)
            .map((piece) => (piece.startsWith("`") ? piece : change(piece)))
            .join(""),
    )
    .join("\n");
}

const citation = new RegExp(
  [
    String.raw`(?<image>!\[[^\]]*\]\([^)]*\))`,
    String.raw`\(?(?<!\!)\[(?<label>[^\]]*)\]\(<?(?<target>https?:\/\/[^\s)>]+|ideas\/[^\s)>]+)>?(?:\s+"[^"]*")?\)`,
    String.raw`\(?<?(?<address>https?:\/\/[^\s)>\]"|]+[^\s)>\]"|.,;:!?'*_])>?\)?`,
    String.raw`\[\^?(?<numbers>\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*)\](?:\([^)\s]*\))?`,
    String.raw`【(?<openai>\d{1,3})[^】]*】`,
  ].join("|"),
  "g",
);

/** The text with each citation replaced by what `textFor` returns. */
export function mapCitations(prose: string, textFor: (cited: Cited) => string): string {
  const marked = prose.replace(citation, (whole, ...rest) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const { image, label, target, address, numbers, openai } = groups;
    if (image !== undefined) return whole;
    const number = numbers ?? openai;
    if (number !== undefined) return textFor({ kind: "numbers", numbers: numbersIn(number) });
    const url = target ?? address ?? "";
    const [source] = url.startsWith("ideas/") ? [{ url, title: label ?? "" }] : webSource(url, label ?? "");
    if (!source) return whole;
    if (target !== undefined) {
      // "(see [x](url))": a parenthesis that was opened before the link is not ours to close.
      const words = isOnlyReference(label ?? "", url) ? "" : `${label} `;
      return `${whole.startsWith("(") ? "(" : ""}${textFor({ kind: "link", source, words })}`;
    }
    const after = prose.slice((rest.at(-3) as number) + whole.length);
    const text = textFor({ kind: "address", source, isMarked: /^\s*\(not retrieved\)/.test(after) });
    // "(https://…)" is one citation; in "(see https://…)" the parenthesis belongs to the sentence.
    const [opens, closes] = [whole.startsWith("("), whole.endsWith(")")];
    return opens === closes ? text : `${opens ? "(" : ""}${text}${closes ? ")" : ""}`;
  });
  // The same source twice in a row is one citation; "([1])" is "[1]".
  return marked
    .replace(/\((\s*(?:\[\d{1,3}\]\s*)+)\)/g, (_, inside: string) => inside.trim())
    .replace(/(\[\d{1,3}\])(?:\s*\1)+/g, "$1")
    .replace(/\](\s+)(?=\[\d{1,3}\])/g, "]");
}

/** "1, 3–5" as numbers. A range that is wider than any list of sources is taken as its ends. */
function numbersIn(text: string): number[] {
  return text.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = (part.match(/\d+/g) ?? []).map(Number);
    if (to < from || to - from > 20) return [from, to];
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

/** Whether the words of a link say nothing but where it leads. */
function isOnlyReference(label: string, url: string): boolean {
  const words = label.trim().toLowerCase();
  const host = URL.parse(url)?.hostname.replace(/^www\./, "");
  return (
    words === "" ||
    /^\^?\d{1,3}$|^(?:source|link|here|ref|quelle)$/.test(words) ||
    words.startsWith("http") ||
    words.replace(/^www\./, "") === host
  );
}
