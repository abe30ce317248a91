export type Block =
  | { kind: "text"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "code"; language: string; text: string }
  /** `tasks`: which items are done; of items that are no tasks, nothing. */
  | { kind: "list"; ordered: boolean; start: number; items: Block[][]; tasks?: (boolean | undefined)[] }
  /** A formula of its own, in TeX. */
  | { kind: "math"; text: string }
  /** Footnotes, in the order in which they are written. */
  | { kind: "notes"; notes: { label: string; blocks: Block[] }[] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "table"; head: string[]; rows: string[][]; align: ("left" | "center" | "right")[] }
  | { kind: "rule" };

const item = /^(\s*)([-*+]|\d{1,9}[.)])(\s+)(.*)$/;
const mathStart = /^\s*(\$\$|\\\[)/;
const fence = /^(\s*)(`{3,}|~{3,})\s*([\w+#.-]*).*$/;

/** Parses Markdown into blocks. An unfinished block (an open fence) is kept as far as it goes. */
export function blocksOf(text: string): Block[] {
  const lines = text.split("\n");
  const notes: { label: string; blocks: Block[] }[] = [];
  const blocks = parse(text.includes("[^") ? withoutNotes(lines, notes) : lines);
  return notes.length > 0 ? [...blocks, { kind: "notes", notes }] : blocks;
}

const note = /^\[\^([^\]\s]{1,40})\]:\s+(.*)$/;

/** Takes footnotes out of the text, with the indented lines that belong to them. */
function withoutNotes(lines: readonly string[], notes: { label: string; blocks: Block[] }[]): string[] {
  const rest: string[] = [];
  let fenced = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (fence.test(line)) fenced = !fenced;
    const [, label, first = ""] = fenced ? [] : (note.exec(line) ?? []);
    if (label === undefined) {
      rest.push(line);
      continue;
    }
    const end = endOf(lines, at + 1, (next) => /^\s{2,}\S/.test(next));
    notes.push({ label, blocks: parse([first, ...lines.slice(at + 1, end).map((next) => next.trim())]) });
    at = end - 1;
  }
  return rest;
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
    else if (mathStart.test(line)) at = takeMath(lines, at, blocks);
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

/** `$$ … $$` or `\[ … \]`, on one line or several; an open one goes to the end. */
function takeMath(lines: readonly string[], from: number, blocks: Block[]): number {
  const opened = mathStart.exec(lines[from] ?? "");
  const close = opened?.[1] === "$$" ? "$$" : "\\]";
  const first = (lines[from] ?? "").slice(opened?.[0].length ?? 0);
  if (first.trimEnd().endsWith(close) && first.trim() !== close) {
    blocks.push({ kind: "math", text: first.trimEnd().slice(0, -close.length).trim() });
    return from + 1;
  }
  const end = endOf(lines, from + 1, (line) => !line.trimEnd().endsWith(close));
  const last = (lines[end] ?? "").trimEnd().slice(0, -close.length);
  blocks.push({ kind: "math", text: [first, ...lines.slice(from + 1, end), last].join("\n").trim() });
  return end + 1;
}

function takeList(lines: readonly string[], from: number, blocks: Block[]): number {
  const [, indent = "", mark = ""] = item.exec(lines[from] ?? "") ?? [];
  const ordered = /\d/.test(mark);
  const items: Block[][] = [];
  const tasks: (boolean | undefined)[] = [];
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
    const [, box, words = first] = /^\[([ xX])\]\s+(.*)$/.exec(first) ?? [];
    tasks.push(box === undefined ? undefined : box !== " ");
    items.push(parse([words, ...inner]));
    at = end;
  }
  blocks.push({
    kind: "list",
    ordered,
    start: Number.parseInt(mark, 10) || 1,
    items,
    ...(tasks.some((done) => done !== undefined) && { tasks }),
  });
  return at;
}

function begins(line: string): boolean {
  return (
    line.trim() === "" ||
    item.test(line) ||
    fence.test(line) ||
    mathStart.test(line) ||
    /^(#{1,6}\s|\s*>)/.test(line)
  );
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

/** The numbered list below the last heading "Sources": numbers like [2] in the text refer to its entries. */
export function sourceList(blocks: readonly Block[]): Extract<Block, { kind: "list" }> | undefined {
  const at = blocks.findLastIndex((block) => block.kind === "heading" && block.text === "Sources");
  const list = at < 0 ? undefined : blocks[at + 1];
  return list?.kind === "list" && list.ordered ? list : undefined;
}
