import { cutLine } from "./code-lines.ts";
import { bytesWithin } from "./tokens.ts";

/** As many lines as fit, then a closing line that says how many there are and how to see the rest. */
export function fitLines(
  lines: readonly string[],
  budget: number,
  closing: (shown: number) => string,
): string {
  let remaining = bytesWithin(budget) - Buffer.byteLength(closing(lines.length)) - 1;
  let shown = 0;
  while (shown < lines.length) {
    const size = Buffer.byteLength(lines[shown] ?? "") + 1;
    if (size > remaining) break;
    remaining -= size;
    shown++;
  }
  if (shown === lines.length) return lines.join("\n");
  if (shown > 0) return [...lines.slice(0, shown), closing(shown)].join("\n");
  const [line = ""] = lines;
  const width = firstBytes(line, remaining - widestMark).length;
  return width < narrowest ? closing(0) : `${cutLine(line, width)}\n${closing(0)}`;
}

/** Bytes of what is said of a line that is cut, and the shortest piece of one that is worth showing: more than its number. */
const widestMark = 30;
const narrowest = 20;

function firstBytes(text: string, bytes: number): string {
  const piece = Buffer.from(text).subarray(0, Math.max(0, bytes));
  return new TextDecoder().decode(piece).replace(/\uFFFD+$/, "");
}
