import { cells } from "../text/cells.ts";
import { visibleText } from "../text/visible.ts";
import { highlightLine } from "./highlight.ts";
import { spansOf, stableText } from "./markdown-spans.ts";
import { type Io, painter, type Style } from "./terminal.ts";
import { drawTable } from "./terminal-table.ts";

type StyleName = Extract<Style, string>;

/** Wide lines are hard to read. */
const widest = 110;

/**
 * Streaming Markdown for a terminal. Words are shown as soon as they are whole, broken at spaces before the margin; lines of
 * code when they are whole, with colours; a table when it is whole. Written by hand because the libraries for it render a whole
 * text at once, and an answer is read while it arrives.
 */
export class MarkdownStream {
  readonly #paint: ReturnType<typeof painter>;
  readonly #width: number;
  /** Not shown yet: the start of a line whose kind is not certain, or of a word. */
  #held = "";
  #atLineStart = true;
  #fence: { mark: string; language: string } | undefined;
  #table: string[] = [];
  #column = 0;
  /** Where lines go on that are broken. */
  #indent = "";
  #space = "";
  #line: StyleName | undefined;
  #bold = false;
  #code = false;
  #span: StyleName | undefined;

  constructor(io: Pick<Io, "colour"> & { columns?: number }) {
    this.#paint = painter(io);
    this.#width = Math.min(io.columns ?? Number.POSITIVE_INFINITY, widest) - 1;
  }

  push(delta: string): string {
    this.#held += visibleText(delta);
    let out = "";
    for (let piece = this.#next(); piece !== undefined; piece = this.#next()) out += piece;
    return out;
  }

  /** The text that is still held back, at the end. */
  end(): string {
    let out = "";
    if (this.#held !== "" || !this.#atLineStart) {
      if (this.#atLineStart) out += this.#begin(this.#held, true);
      out += this.#words(this.#held);
      this.#held = "";
    }
    out += this.#endTable();
    this.#endLine();
    this.#fence = undefined;
    return out;
  }

  /** The next piece that is certain; undefined: more is needed. */
  #next(): string | undefined {
    const end = this.#held.indexOf("\n");
    if (this.#atLineStart) {
      const line = end < 0 ? this.#held : this.#held.slice(0, end);
      const isWhole = end >= 0;
      if (!isWhole && !isCertain(line, this.#fence !== undefined)) return undefined;
      return this.#begin(line, isWhole);
    }
    if (end >= 0) {
      const out = `${this.#words(this.#held.slice(0, end))}\n`;
      this.#held = this.#held.slice(end + 1);
      this.#endLine();
      return out;
    }
    const whole = stableText(this.#held);
    if (whole === "") return undefined;
    this.#held = this.#held.slice(whole.length);
    return this.#words(whole);
  }

  #begin(line: string, isWhole: boolean): string {
    const take = (length: number) => {
      this.#held = this.#held.slice(length);
    };
    const wholeLine = (text: string) => {
      const hasEnd = this.#held.length > line.length;
      take(line.length + (hasEnd ? 1 : 0));
      return text + (hasEnd ? "\n" : "");
    };
    const fence = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)/.exec(line);
    if (this.#fence) {
      const isEnd = fence && line.trim() === fence[1] && line.trim().startsWith(this.#fence.mark);
      const { language } = this.#fence;
      if (isEnd) this.#fence = undefined;
      return wholeLine(isEnd ? this.#paint("dim", line) : highlightLine(line, language, this.#paint));
    }
    if (/^\s*\|/.test(line) && isWhole) {
      this.#table.push(line);
      take(Math.min(this.#held.length, line.length + 1));
      return "";
    }
    const before = this.#endTable();
    if (fence) {
      this.#fence = { mark: fence[1] ?? "", language: (fence[2] ?? "").toLowerCase() };
      return before + wholeLine(this.#paint("dim", line));
    }
    if (/^\s*([-*_])(?:\s*\1){2,}\s*$/.test(line) && isWhole)
      return before + wholeLine(this.#paint("dim", "─".repeat(Math.min(this.#width, 40))));
    this.#atLineStart = false;
    const heading = /^(#{1,6})\s+/.exec(line);
    if (heading) {
      this.#line = heading[1]?.length === 1 ? "underline" : "bold";
      take(heading[0].length);
      return before;
    }
    const [, lead = "", mark = "", gap = ""] = /^(\s*)([-*+]|\d{1,9}[.)]|>)(\s+)/.exec(line) ?? [];
    if (mark === "") {
      this.#indent = /^\s*/.exec(line)?.[0] ?? "";
      take(this.#indent.length);
      this.#column = this.#indent.length;
      return before + this.#indent;
    }
    const box =
      mark === ">" ? null : /^\[([ xX])\]\s/.exec(line.slice(lead.length + mark.length + gap.length));
    const shown = box ? (box[1] === " " ? "☐" : "☑") : mark === ">" ? "│" : /\d/.test(mark) ? mark : "•";
    take(lead.length + mark.length + gap.length + (box?.[0].length ?? 0));
    this.#indent =
      mark === ">" ? `${lead}${this.#paint("dim", "│")} ` : " ".repeat(lead.length + shown.length + 1);
    this.#column = lead.length + shown.length + 1;
    return `${before}${lead}${this.#paint(mark === ">" ? "dim" : "cyan", shown)} `;
  }

  /** Whole words and spans, with marks read and lines broken. */
  #words(text: string): string {
    return spansOf(text)
      .map(({ raw, style, text: inner, url }) => {
        if (style === undefined || this.#code) return this.#plainWords(raw);
        this.#span = style;
        const shown = this.#plainWords(inner);
        this.#span = undefined;
        if (url === "" || url === inner) return shown;
        this.#space = " ";
        this.#span = "dim";
        const address = this.#plainWords(`(${url})`);
        this.#span = undefined;
        return shown + address;
      })
      .join("");
  }

  #plainWords(text: string): string {
    return text
      .split(/(\s+)/)
      .map((part) => {
        if (part === "") return "";
        if (/^\s/.test(part)) {
          this.#space += part;
          return "";
        }
        return this.#word(part);
      })
      .join("");
  }

  #word(text: string): string {
    const parts = text.split(/(\*\*|`)/);
    let plain = "";
    let styled = "";
    for (const part of parts) {
      if (part === "`") this.#code = !this.#code;
      else if (part === "**" && !this.#code) this.#bold = !this.#bold;
      else if (part !== "") {
        plain += part;
        styled += this.#styled(part);
      }
    }
    const width = cells(plain);
    const space = this.#space;
    this.#space = "";
    if (space !== "" && this.#column + space.length + width > this.#width) {
      this.#column = cells(this.#indent.replaceAll(/\u001b\[[\d;]*m/g, "")) + width;
      return `\n${this.#indent}${styled}`;
    }
    this.#column += space.length + width;
    return `${space === "" ? "" : this.#styled(space)}${styled}`;
  }

  #styled(text: string): string {
    const styles: StyleName[] = [
      ...(this.#line ? [this.#line] : []),
      ...(this.#line === "underline" ? (["bold"] as const) : []),
      ...(this.#bold ? (["bold"] as const) : []),
      ...(this.#code ? (["cyan"] as const) : []),
      ...(this.#span ? [this.#span] : []),
    ];
    return styles.length === 0 ? text : this.#paint(styles, text);
  }

  #endLine(): void {
    this.#atLineStart = true;
    this.#line = undefined;
    this.#bold = false;
    this.#code = false;
    this.#column = 0;
    this.#indent = "";
    this.#space = "";
  }

  #endTable(): string {
    if (this.#table.length === 0) return "";
    const drawn = drawTable(this.#table, this.#width, this.#paint);
    this.#table = [];
    return `${drawn}\n`;
  }
}

/** Whether the start of a line shows its kind: a fence, a table or a rule is known only when the line is complete. */
function isCertain(line: string, inFence: boolean): boolean {
  if (inFence || /^\s*(?:[`~|]|([-*_])\s*\1)/.test(line)) return false;
  // The box of a task, and the space after a mark, may go on.
  if (/^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[.{0,3})?$/.test(line)) return false;
  const marked = /^\s*(?:#{1,6}|[-*+>]|\d{1,9}[.)])\s+\S/;
  return line.length >= 6 && (marked.test(line) || /^\s*(?:[^\s#\d*+>_-]|[*_]\S|\d+[^\d.)])/.test(line));
}
