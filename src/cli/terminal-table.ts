import { cells } from "../text/cells.ts";
import type { Style } from "./terminal.ts";

const narrowest = 6;

/** Rows of a Markdown table, drawn to fit the width; text that does not fit its column goes on below. */
export function drawTable(
  lines: readonly string[],
  width: number,
  paint: (style: Style, text: string) => string,
): string {
  const isRuler = (line: string) => /^[\s|:-]+$/.test(line) && line.includes("-");
  const rows = lines.filter((line) => !isRuler(line)).map(cellsOf);
  const hasHead = lines.length > 1 && isRuler(lines[1] ?? "");
  const count = Math.max(...rows.map((row) => row.length));
  const widths = fitted(
    Array.from({ length: count }, (_, at) => Math.max(1, ...rows.map((row) => cells(row[at] ?? "")))),
    width - 3 * (count - 1),
  );
  const bar = paint("dim", " │ ");
  const drawn = rows.flatMap((row, index) => {
    const columns = widths.map((space, at) => folded(row[at] ?? "", space));
    const height = Math.max(...columns.map((column) => column.length));
    const isHead = hasHead && index === 0;
    const text = Array.from({ length: height }, (_, line) =>
      columns
        .map((column, at) => padded(column[line] ?? "", widths[at] ?? 0))
        .map((cell) => (isHead ? paint("bold", cell) : cell))
        .join(bar)
        .trimEnd(),
    );
    return isHead ? [...text, paint("dim", widths.map((space) => "─".repeat(space)).join("─┼─"))] : text;
  });
  return drawn.join("\n");
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .trim()
        .replaceAll("\\|", "|")
        .replaceAll(/\*\*|`/g, ""),
    );
}

/** The widest columns give way first. */
function fitted(wanted: number[], width: number): number[] {
  const widths = [...wanted];
  for (let over = sum(widths) - width; over > 0; over = sum(widths) - width) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) break;
    const next = Math.max(narrowest, ...widths.filter((one) => one < widest));
    const among = widths.filter((one) => one === widest).length;
    const cut = Math.max(1, Math.min(widest - next, Math.ceil(over / among)));
    for (const [at, one] of widths.entries()) if (one === widest) widths[at] = Math.max(narrowest, one - cut);
  }
  return widths;
}

function folded(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    for (let rest = word; rest !== ""; ) {
      const space = line === "" ? width : width - cells(line) - 1;
      if (cells(rest) <= space) {
        line = line === "" ? rest : `${line} ${rest}`;
        break;
      }
      if (line !== "") {
        lines.push(line);
        line = "";
        continue;
      }
      const cut = [...rest].slice(0, width).join("");
      lines.push(cut);
      rest = rest.slice(cut.length);
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - cells(text)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
