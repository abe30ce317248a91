import { visibleLine, visibleText } from "../text/visible.ts";
import type { FilePreview } from "../tool/tool.ts";
import { type Io, painter } from "./terminal.ts";

/** A file's proposed change for the terminal: a headline, then the coloured diff; a long one is cut in the middle. */
export function showFile(file: FilePreview, io: Pick<Io, "colour">, maxLines = 200): string {
  const paint = painter(io);
  const from = file.from === undefined ? "" : `${visibleLine(file.from)} → `;
  const head = paint("bold", `${file.change} ${from}${visibleLine(file.path)}`);
  const counts = `${paint("green", `+${file.added}`)} ${paint("red", `−${file.removed}`)}`;
  const body = file.diff === "" ? [] : colourDiff(file.diff, io, maxLines);
  return [`${head}  ${counts}`, ...body].join("\n");
}

/** A unified diff with line numbers: of the old text for removed lines, of the new text for the others. */
export function colourDiff(diff: string, io: Pick<Io, "colour">, maxLines = 200): string[] {
  const paint = painter(io);
  const lines = numbered(diff.trimEnd().split("\n"));
  const width = Math.max(...lines.map(({ number }) => String(number ?? "").length));
  const shown =
    lines.length <= maxLines
      ? lines
      : [
          ...lines.slice(0, maxLines / 2),
          { text: `… ${lines.length - maxLines} lines …`, number: undefined },
          ...lines.slice(-maxLines / 2),
        ];
  return shown.map(({ text: raw, number }) => {
    const text = visibleText(raw);
    if (number === undefined) return raw.startsWith("@@") ? paint("cyan", text) : text;
    const gutter = paint("dim", String(number).padStart(width));
    if (raw.startsWith("+")) return `${gutter} ${paint("green", text)}`;
    if (raw.startsWith("-")) return `${gutter} ${paint("red", text)}`;
    return `${gutter} ${text}`;
  });
}

interface DiffLine {
  text: string;
  number: number | undefined;
}

/** Without the lines before the first hunk, which repeat the names. A line further down that looks the same is content. */
function numbered(all: readonly string[]): DiffLine[] {
  const first = all.findIndex((line) => line.startsWith("@@"));
  let before = 0;
  let after = 0;
  return all.flatMap((text, at): DiffLine[] => {
    if (at < first && /^(---|\+\+\+) /.test(text)) return [];
    const [, fromOld, fromNew] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text) ?? [];
    if (fromOld !== undefined) {
      before = Number(fromOld);
      after = Number(fromNew);
      return [{ text, number: undefined }];
    }
    if (at < first || first === -1 || text.startsWith("\\")) return [{ text, number: undefined }];
    if (text.startsWith("-")) return [{ text, number: before++ }];
    if (text.startsWith("+")) return [{ text, number: after++ }];
    before++;
    return [{ text, number: after++ }];
  });
}
