import { type DomElement, isElement } from "./dom.ts";

const maxColumns = 100;

/**
 * The grid of a data table; a cell that spans columns or rows appears once, and the other positions it covers are
 * null. Undefined for a layout table: one that contains tables or has a single column.
 */
export function tableRows(table: DomElement): (DomElement | null)[][] | undefined {
  if (table.querySelector("table")) return undefined;
  const lines = [...table.querySelectorAll("tr")];
  const grid: (DomElement | null)[][] = lines.map(() => []);
  for (const [y, row] of lines.entries()) {
    let x = 0;
    for (const cell of Array.from(row.childNodes)) {
      if (!isElement(cell) || (cell.localName !== "td" && cell.localName !== "th")) continue;
      while (grid[y]?.[x] !== undefined) x++;
      for (const [dy, line] of grid.slice(y, y + span(cell, "rowspan")).entries())
        for (let dx = 0; dx < span(cell, "colspan") && x + dx < maxColumns; dx++)
          line[x + dx] = dx === 0 && dy === 0 ? cell : null;
      x += span(cell, "colspan");
    }
  }
  const rows = grid.filter((row) => row.length > 0).map((row) => Array.from(row, (cell) => cell ?? null));
  const width = Math.max(0, ...rows.map((row) => row.length));
  return width > 1 ? rows : undefined;
}

function span(cell: DomElement, attribute: string): number {
  const wanted = Number.parseInt(cell.getAttribute(attribute) ?? "1", 10);
  return Math.min(Math.max(wanted || 1, 1), maxColumns);
}
