/** The rows of a CSV text: quoted cells may hold commas, quotes and line breaks. An unfinished text gives what is there. */
export function rowsOf(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)(?:"|$)|([^,\r\n]*))(,|\r\n|\n|\r|$)/y;
  while (cell.lastIndex < csv.length) {
    const found = cell.exec(csv);
    if (!found) break;
    const [, quoted, plain = "", end] = found;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") {
      // A comma at the very end is followed by an empty cell.
      if (cell.lastIndex === csv.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
  }
  return row.length > 0 ? [...rows, row] : rows;
}
