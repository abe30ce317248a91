import { useState } from "react";
import { rowsOf } from "./csv.ts";
import { visible } from "./visible.ts";

/** Rows shown before the person asks for the rest. */
const atOnce = 200;

/** A CSV text as a table; the first row is its head. */
export function Sheet({ csv, label = "Sheet" }: { csv: string; label?: string }) {
  const [all, setAll] = useState(false);
  const [head = [], ...rows] = rowsOf(csv);
  const shown = all ? rows : rows.slice(0, atOnce);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="table-scroll prose sheet" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
              <th key={column} scope="col">
                {visible(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
                <td key={column} className={isNumber(cell) ? "align-right" : undefined}>
                  {visible(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          Show {rows.length - shown.length} more rows
        </button>
      )}
    </section>
  );
}

function isNumber(cell: string): boolean {
  return /^[-+]?[\d.,]+\s?[%€$£]?$/.test(cell.trim()) && /\d/.test(cell);
}
