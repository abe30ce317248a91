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

export function colourDiff(diff: string, io: Pick<Io, "colour">, maxLines = 200): string[] {
  const paint = painter(io);
  const all = diff.trimEnd().split("\n");
  // The lines before the first hunk repeat the names. A line further down that looks the same is content.
  const hunk = all.findIndex((line) => line.startsWith("@@"));
  const isHeader = (line: string, at: number) => at < hunk && /^(---|\+\+\+) /.test(line);
  const lines = all.filter((line, at) => !isHeader(line, at));
  const shown =
    lines.length <= maxLines
      ? lines
      : [
          ...lines.slice(0, maxLines / 2),
          `… ${lines.length - maxLines} lines …`,
          ...lines.slice(-maxLines / 2),
        ];
  return shown.map((line) => {
    const text = visibleText(line);
    if (line.startsWith("+")) return paint("green", text);
    if (line.startsWith("-")) return paint("red", text);
    if (line.startsWith("@@")) return paint("cyan", text);
    return text;
  });
}
