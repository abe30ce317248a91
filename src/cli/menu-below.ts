/** Lines below the input; the cursor stays where it is. At the bottom of the screen everything moves up. */
export class MenuBelow {
  readonly #columns: number;
  #shown = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  show(lines: readonly string[]): void {
    if (!process.stdout.isTTY || (lines.length === 0 && this.#shown === 0)) return;
    const rows = Math.max(lines.length, this.#shown);
    const drawn = Array.from({ length: rows }, (_, at) => {
      const text = (lines[at] ?? "").slice(0, this.#columns - 1);
      return `${down}${clear}${text === "" ? "" : atStart(text)}`;
    });
    process.stdout.write(`${drawn.join("")}\u001b[${rows}A`);
    this.#shown = lines.length;
  }
}

/** One row down in the same column; scrolls at the bottom, which saving the cursor would not follow. */
const down = "\u001bD";
const clear = "\u001b[2K";

function atStart(text: string): string {
  return `\u001b7\r\u001b[2m${text}\u001b[22m\u001b8`;
}
