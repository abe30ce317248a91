import { lineAt } from "./line-text.ts";
import type { Reference } from "./reference.ts";

/** The places of a name, in their order, in a file that is not parsed: it may be large, and all of it one line. */
export function plainReferences(
  path: string,
  source: string,
  places: readonly number[],
  length: number,
): Reference[] {
  let [line, lineStart, lineEnd] = [1, 0, source.indexOf("\n")];
  return places.map((offset) => {
    while (lineEnd >= 0 && lineEnd < offset) {
      line++;
      lineStart = lineEnd + 1;
      lineEnd = source.indexOf("\n", lineStart);
    }
    return {
      file: path,
      line,
      column: offset - lineStart + 1,
      offset,
      length,
      text: lineAt(source, offset).slice(0, 300),
      kind: "use",
      certain: false,
      why: "file not parsed",
    };
  });
}
