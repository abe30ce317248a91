import type { TestWield } from "../../testing/testing.ts";
import type { Random } from "./encoded-edits.suite.ts";

// Edits whose oldText is copied from what a tool has shown, in languages in which indentation counts.

interface Kind {
  path: (at: number) => string;
  unit: string;
  text: (random: Random) => string;
  /** A line that may stand wherever a line stands, and one that opens a block. */
  plain: (at: number) => string;
  opener?: string;
}

const pick = <T>(list: readonly T[], random: Random) => list[Math.floor(random() * list.length)] as T;
const times = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join("");
const names = ["load", "store", "count", "merge", "parse", "reset", "update", "render"];

export const kinds: Kind[] = [
  {
    path: (at) => `py/mod${at}.py`,
    unit: "    ",
    plain: (at) => `self.seen_${at} = ${at}`,
    opener: "if self.ready:",
    text: (random) =>
      times(
        3,
        (c) =>
          `class ${pick(["Store", "Queue", "Cache"], random)}${c}:\n    size = ${c}\n\n${times(3, (m) => method(random, c * 3 + m))}\n`,
      ),
  },
  {
    path: (at) => `conf/c${at}.yaml`,
    unit: "  ",
    plain: (at) => `seen_${at}: ${at}`,
    text: (random) =>
      times(
        3,
        (s) =>
          `service${s}:\n  name: ${pick(names, random)}\n  env:\n    level: ${s}\n    deep:\n      path: /tmp/${s}\n      mode: rw\n  port: ${8000 + s}\n`,
      ),
  },
  {
    path: (at) => `make${at}/Makefile`,
    unit: "\t",
    plain: (at) => `echo seen_${at}`,
    text: (random) =>
      times(
        4,
        (t) =>
          `${pick(names, random)}${t}: src/a.c\n\techo begin ${t}\n\tcc -o $@ src/a.c\n\tif true; then \\\n\t\techo nested ${t}; \\\n\tfi\n\n`,
      ),
  },
  {
    path: (at) => `web/view${at}.ts`,
    unit: "  ",
    plain: (at) => `this.seen${at} = ${at};`,
    opener: "if (this.ready)",
    text: (random) =>
      times(
        3,
        (c) =>
          `export class View${c} {\n  size = ${c};\n${times(2, (m) => `\n  ${pick(names, random)}${m}(items: number[]) {\n    for (const item of items) {\n      if (item > ${m}) {\n        this.size += item;\n      }\n    }\n    return this.size;\n  }\n`)}}\n\n`,
      ),
  },
  {
    path: (at) => `go/part${at}.go`,
    unit: "\t",
    plain: (at) => `s.seen${at} = ${at}`,
    opener: "if s.ready {",
    text: (random) =>
      `package part\n\n${times(4, (f) => `func (s *Store) ${pick(names, random)}${f}(items []int) int {\n\tfor _, item := range items {\n\t\tif item > ${f} {\n\t\t\ts.size += item\n\t\t}\n\t}\n\treturn s.size\n}\n\n`)}`,
  },
];

function method(random: Random, at: number): string {
  const name = `${pick(names, random)}_${at}`;
  return `    def ${name}(self, items):\n        # ${name} of all items\n        for item in items:\n            if item.ok:\n                self.items.append(item)\n            else:\n                self.size += ${at}\n        return self.size\n\n`;
}

export interface Shown {
  file: string;
  first: number;
  lines: string[];
}

/** Runs of lines with consecutive numbers in a model's text: `12⇥text`, `12  text`, `12: text`, `12 text`. */
export function shownRuns(text: string, paths: readonly string[]): Shown[] {
  const runs: Shown[] = [];
  let file = paths.length === 1 ? (paths[0] ?? "") : "";
  for (const line of text.split("\n")) {
    const numbered = /^ *(\d+)(?:\t|[:-] ?(?:\[[^\]]*\] ?)?| {2}| )(.*)$/.exec(line);
    if (!numbered) {
      file = paths.find((path) => line.includes(path)) ?? file;
      continue;
    }
    const [, number = "", shown = ""] = numbered;
    const last = runs.at(-1);
    if (last && last.file === file && last.first + last.lines.length === Number(number))
      last.lines.push(shown);
    else runs.push({ file, first: Number(number), lines: [shown] });
  }
  return runs.filter((run) => run.file !== "");
}

export interface ShownEdit {
  tool: string;
  path: string;
  oldText: string;
  newText: string;
  /** The whole file as it must be; undefined where what was shown is not the file. */
  expected: string | undefined;
}

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? "";

/** The calls of one file that show its code. */
export function callsOn(
  path: string,
  text: string,
  random: Random,
): [tool: string, input: Record<string, unknown>][] {
  const from = 1 + Math.floor(random() * 12);
  const name = pick(text.match(/(?:def|func \(s \*Store\)|^ {2})\s*([a-z_]+\d)(?=\()/gm) ?? ["Store"], random)
    .split(/\s+/)
    .at(-1);
  const word = pick(["item", "size", "seen", "echo", "name", "path"], random);
  return [
    ["read_file", { path, startLine: from, numLines: 8 }],
    ["read", { path, startLine: from, numLines: 12 }],
    ["batch_read", { reads: [{ path, startLine: from, endLine: from + 9 }] }],
    ["batch_read", { reads: [{ path, symbol: name }] }],
    ["grep", { pattern: word, path, context: 1 }],
    ["search_files", { pattern: word, path }],
    ["search_code", { query: `${name} ${word}`, path, limit: 3 }],
    ["definition", { symbol: name }],
  ];
}

/** An edit as a model would make it from lines that it was shown: a line changed, added, or put into a block. */
export function editFrom(
  run: Shown,
  kind: Kind,
  text: string,
  at: number,
  random: Random,
): Omit<ShownEdit, "tool"> | undefined {
  const start = Math.floor(random() * run.lines.length);
  const old = run.lines.slice(start, start + 1 + Math.floor(random() * 4));
  const last = old.at(-1) ?? "";
  if (
    old.every((line) => line.trim() === "") ||
    last.trim() === "" ||
    old.some((line) => /…|\.\.\.$/.test(line))
  )
    return undefined;
  // A line behind an opener or inside a joined command would be no code.
  if (/[:{\\(]$/.test(last.trim()) || /^\s*(?:else|fi|\}|-)/.test(last)) return undefined;
  const lines = text.split("\n");
  const first = run.first - 1 + start;
  const there = lines.slice(first, first + old.length);
  const isTrue =
    there.length === old.length && there.every((line, i) => line.trim() === (old[i] ?? "").trim());
  const shift = there.map((line, i) => indentOf(line).length - indentOf(old[i] ?? "").length);
  const isShifted = shift.every((one, i) => there[i]?.trim() === "" || one === shift.at(-1));
  const nested = kind.opener !== undefined && random() < 0.3;
  const made = (indent: string, unit: string) =>
    nested
      ? [
          `${indent}${kind.opener}`,
          `${indent}${unit}${kind.plain(at)}${kind.opener?.endsWith("{") ? `\n${indent}}` : ""}`,
        ]
      : [`${indent}${kind.plain(at)}`];
  const frame = indentOf(last);
  const isBare = random() < 0.25 && old.length === 1;
  const oldText = isBare ? last.trim() : old.map((line) => `${line}\n`).join("");
  // In a frame that has lost its steps, a model makes the steps that it sees.
  const unit = isShifted ? kind.unit : " ";
  const added = made(isBare ? (random() < 0.5 ? "" : indentOf(there.at(-1) ?? "")) : frame, unit);
  const newText = isBare
    ? [last.trim(), ...added].join("\n")
    : oldText + added.map((line) => `${line}\n`).join("");
  const right = lines.toSpliced(first + old.length, 0, ...made(indentOf(there.at(-1) ?? ""), kind.unit));
  return { path: run.file, oldText, newText, expected: isTrue ? right.join("\n") : undefined };
}

export async function shownTexts(
  place: TestWield,
  calls: readonly [string, Record<string, unknown>][],
): Promise<[tool: string, text: string][]> {
  const texts: [string, string][] = [];
  for (const [tool, input] of calls) texts.push([tool, (await place.wield.callAny(tool, input)).text]);
  return texts;
}
