export type Block =
  | { kind: "text"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "code"; language: string; text: string }
  | { kind: "list"; ordered: boolean; start: number; items: Block[][] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "table"; head: string[]; rows: string[][]; align: ("left" | "center" | "right")[] }
  | { kind: "rule" };

const item = /^(\s*)([-*+]|\d{1,9}[.)])(\s+)(.*)$/;
const fence = /^(\s*)(`{3,}|~{3,})\s*([\w+#.-]*).*$/;

/** Parses Markdown into blocks. An unfinished block (an open fence) is kept as far as it goes. */
export function blocksOf(text: string): Block[] {
  return parse(text.split("\n"));
}

function parse(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const opened = fence.exec(line);
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    if (line.trim() === "") at++;
    else if (opened) at = takeCode(lines, at, opened, blocks);
    else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
      at++;
    } else if (/^\s*([-*_])(?:\s*\1){2,}\s*$/.test(line)) {
      blocks.push({ kind: "rule" });
      at++;
    } else if (/^\s*>/.test(line)) {
      const end = endOf(lines, at, (next) => /^\s*>/.test(next));
      const inner = lines.slice(at, end).map((quoted) => quoted.replace(/^\s*> ?/, ""));
      blocks.push({ kind: "quote", blocks: parse(inner) });
      at = end;
    } else if (item.test(line)) at = takeList(lines, at, blocks);
    else if (line.includes("|") && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[at + 1] ?? "")) {
      const end = endOf(lines, at + 2, (next) => next.includes("|"));
      const [head = [], marks = [], ...rows] = lines.slice(at, end).map(cellsOf);
      blocks.push({ kind: "table", head, rows, align: marks.map(alignOf) });
      at = end;
    } else {
      const end = endOf(lines, at + 1, (next) => !begins(next));
      blocks.push({ kind: "text", text: lines.slice(at, end).join("\n") });
      at = end;
    }
  }
  return blocks;
}

function takeCode(lines: readonly string[], at: number, opened: RegExpExecArray, blocks: Block[]): number {
  const [, indent = "", marks = "", language = ""] = opened;
  const end = endOf(lines, at + 1, (line) => !(line.trim().startsWith(marks) && /^[`~]+$/.test(line.trim())));
  const body = lines
    .slice(at + 1, end)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  blocks.push({ kind: "code", language: language.toLowerCase(), text: body.join("\n") });
  return end + 1;
}

function takeList(lines: readonly string[], from: number, blocks: Block[]): number {
  const [, indent = "", mark = ""] = item.exec(lines[from] ?? "") ?? [];
  const ordered = /\d/.test(mark);
  const items: Block[][] = [];
  let at = from;
  while (at < lines.length) {
    const [, lead = "", ownMark = "", gap = "", first = ""] = item.exec(lines[at] ?? "") ?? [];
    if (ownMark === "" || lead.length !== indent.length || /\d/.test(ownMark) !== ordered) break;
    const width = lead.length + ownMark.length + Math.min(gap.length, 4);
    let apart = false;
    const end = endOf(lines, at + 1, (line) => {
      const empty = line.trim() === "";
      // After an empty line, only indented lines belong to the item.
      const belongs = empty || leading(line) > lead.length || (!apart && !begins(line));
      apart = empty;
      return belongs;
    });
    const inner = lines.slice(at + 1, end).map((line) => line.slice(Math.min(width, leading(line))));
    items.push(parse([first, ...inner]));
    at = end;
  }
  blocks.push({ kind: "list", ordered, start: Number.parseInt(mark, 10) || 1, items });
  return at;
}

function begins(line: string): boolean {
  return line.trim() === "" || item.test(line) || fence.test(line) || /^(#{1,6}\s|\s*>)/.test(line);
}

function leading(line: string): number {
  return line.length - line.trimStart().length;
}

function endOf(lines: readonly string[], from: number, goesOn: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && goesOn(lines[at] ?? "")) at++;
  return at;
}

function alignOf(mark: string): "left" | "center" | "right" {
  if (!mark.endsWith(":")) return "left";
  return mark.startsWith(":") ? "center" : "right";
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
