import { visibleText } from "../text/visible.ts";
import { type Io, painter, type Style } from "./terminal.ts";

type StyleName = Extract<Style, string>;

/** Streaming Markdown for a terminal: each piece is styled as soon as its meaning is certain. */
export class MarkdownStream {
  readonly #paint: ReturnType<typeof painter>;
  /** Held back: the start of a line that may become a heading, or half of a mark. */
  #held = "";
  #atLineStart = true;
  #inFence = false;
  #line: StyleName | undefined;
  #bold = false;
  #code = false;

  constructor(io: Pick<Io, "colour">) {
    this.#paint = painter(io);
  }

  push(delta: string): string {
    let text = this.#held + visibleText(delta);
    this.#held = "";
    let out = "";
    while (text !== "") {
      if (this.#atLineStart) {
        const end = text.indexOf("\n");
        // The first characters of a line decide what it is.
        if (end < 0 && (text.length < 8 || /^\s*[-*#`]*$/.test(text))) {
          this.#held = text;
          return out;
        }
        const [begun, rest] = this.#beginLine(text, end);
        out += begun;
        text = rest;
        continue;
      }
      const end = text.indexOf("\n");
      const piece = end < 0 ? text : text.slice(0, end);
      // Stars at the end of a piece may be half of a mark.
      const cut = end < 0 && !this.#inFence ? piece.replace(/\*+$/, "").length : piece.length;
      out += this.#inline(piece.slice(0, cut));
      if (end < 0) {
        this.#held = piece.slice(cut);
        return out;
      }
      out += "\n";
      this.#endLine();
      text = text.slice(end + 1);
    }
    return out;
  }

  /** The text that is still held back, at the end. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    const [begun, after] = this.#atLineStart && rest !== "" ? this.#beginLine(rest, -1) : ["", rest];
    const out = begun + this.#inline(after);
    this.#endLine();
    this.#inFence = false;
    return out;
  }

  #beginLine(text: string, end: number): [string, string] {
    const line = end < 0 ? text : text.slice(0, end);
    this.#atLineStart = false;
    if (/^\s*```/.test(line)) {
      this.#inFence = !this.#inFence;
      this.#line = "dim";
      return [this.#paint("dim", line), text.slice(line.length)];
    }
    if (this.#inFence) {
      this.#line = "green";
      return ["", text];
    }
    const heading = /^#{1,6} /.exec(line);
    if (heading) this.#line = "bold";
    const bullet = /^(\s*)[-*] /.exec(line);
    if (bullet) return [`${bullet[1]}${this.#paint("cyan", "•")} `, text.slice(bullet[0].length)];
    return ["", heading ? text.slice(heading[0].length) : text];
  }

  #endLine(): void {
    this.#atLineStart = true;
    this.#line = undefined;
    this.#bold = false;
    this.#code = false;
  }

  #inline(text: string): string {
    if (this.#inFence || this.#line === "dim") return text === "" ? "" : this.#styled(text);
    return text
      .split(/(\*\*|`)/)
      .map((part) => {
        if (part === "`") this.#code = !this.#code;
        else if (part === "**" && !this.#code) this.#bold = !this.#bold;
        else return part === "" ? "" : this.#styled(part);
        return "";
      })
      .join("");
  }

  #styled(text: string): string {
    const styles: StyleName[] = [
      ...(this.#line ? [this.#line] : []),
      ...(this.#bold ? (["bold"] as const) : []),
      ...(this.#code ? (["cyan"] as const) : []),
    ];
    return styles.length === 0 ? text : this.#paint(styles, text);
  }
}
