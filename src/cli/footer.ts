const code = {
  saveCursor: "\u001b7",
  restoreCursor: "\u001b8",
  hideCursor: "\u001b[?25l",
  showCursor: "\u001b[?25h",
  /** Down one row in the same column; at the bottom the screen scrolls. */
  down: "\u001bD",
  clearBelow: "\u001b[J",
  clearLine: "\u001b[2K",
  scrollAll: "\u001b[r",
  wrapOff: "\u001b[?7l",
  wrapOn: "\u001b[?7h",
};
/** The least number of rows for the text above. */
const fewestRows = 10;

/** Lines that stay at the bottom of the screen while text scrolls above them, if the terminal supports it. */
export class Footer {
  readonly #screen: NodeJS.WriteStream;
  #lines: readonly string[] = [];
  readonly #redraw = () => this.#draw(true);
  readonly #leave = () => this.hide();

  constructor(screen: NodeJS.WriteStream) {
    this.#screen = screen;
  }

  static possible(screen: NodeJS.WriteStream, term: string | undefined): boolean {
    return screen.isTTY && screen.rows >= fewestRows && term !== "dumb";
  }

  /** A line that is too long is cut at the edge of the screen. */
  show(lines: readonly string[]): void {
    const before = this.#lines.length;
    if (before === lines.length && lines.every((line, at) => line === this.#lines[at])) return;
    this.#lines = lines;
    if (before === 0) {
      this.#screen.on("resize", this.#redraw);
      // Restores the whole screen for the shell, however the process ends.
      process.on("exit", this.#leave);
    }
    this.#draw(before !== lines.length);
  }

  hide(): void {
    if (this.#lines.length === 0) return;
    this.#lines = [];
    this.#screen.off("resize", this.#redraw);
    process.off("exit", this.#leave);
    this.#screen.write(`${released}${code.showCursor}`);
  }

  #draw(anew: boolean): void {
    const { rows } = this.#screen;
    const first = Math.max(2, rows - this.#lines.length + 1);
    const lines = this.#lines.map(
      (line, index) => `\u001b[${first + index};1H${code.clearLine}${code.wrapOff}${line}`,
    );
    const drawn = `${code.saveCursor}${lines.join("")}${code.wrapOn}${code.restoreCursor}`;
    this.#screen.write((anew ? this.#reserved(first - 1) : "") + drawn);
  }

  /** The text above keeps its column, and scrolls up if the new lines need its rows. */
  #reserved(lastTextRow: number): string {
    const height = this.#lines.length;
    const space = `${code.down.repeat(height)}\u001b[${height}A`;
    return `${code.hideCursor}${released}${space}${keepingCursor(`\u001b[1;${lastTextRow}r`)}`;
  }
}

/** Setting the scroll region moves the cursor to the first row. */
function keepingCursor(moving: string): string {
  return `${code.saveCursor}${moving}${code.restoreCursor}`;
}

const released = `${keepingCursor(code.scrollAll)}${code.clearBelow}`;
