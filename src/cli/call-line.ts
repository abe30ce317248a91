import { visibleLine } from "../text/visible.ts";
import { type Io, painter } from "./terminal.ts";

/** The most informative input of a call, by tool; for other tools it is their first text. */
const telling: Readonly<Record<string, readonly string[]>> = {
  run_code: ["code"],
  executeCode: ["code"],
  grep: ["pattern", "path", "include"],
  search_files: ["pattern", "path", "filePattern"],
  move_file: ["from", "to"],
  rename_symbol: ["symbol", "to"],
  install_package: ["manager", "packages"],
  graph: ["operation", "target"],
  git_commit: ["message"],
};

const usual = [
  "path",
  "file",
  "paths",
  "pattern",
  "query",
  "symbol",
  "url",
  "question",
  "instructions",
  "title",
  "name",
  "id",
];

/** A call in one readable line: the tool, and what it is about. */
export function callLine(tool: string, input: unknown, io: Pick<Io, "colour" | "columns">): string {
  const name = visibleLine(tool);
  const about = aboutOf(tool, input);
  const space = Math.max(20, Math.min(io.columns, 200) - name.length - 12);
  const short = about.length > space ? `${about.slice(0, space - 1)}…` : about;
  return `${painter(io)("bold", name)}${short === "" ? "" : ` ${short}`}`;
}

/** `0.4 s`, `12 s`, `3 min 5 s`. */
export function seconds(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function aboutOf(tool: string, input: unknown): string {
  if (typeof input !== "object" || input === null) return visibleLine(String(input ?? ""));
  const given = input as Record<string, unknown>;
  const keys = telling[tool] ?? usual.filter((key) => key in given).slice(0, 1);
  const texts = keys.flatMap((key) => textsOf(given[key]));
  if (texts.length > 0)
    return visibleLine(texts.join(tool.startsWith("move") || tool.startsWith("rename") ? " → " : " "));
  const changes = listOf(given["changes"] ?? given["reads"] ?? given["edits"]);
  const paths = changes.flatMap((change) => textsOf(change["path"] ?? change["file"] ?? change["to"]));
  if (paths.length > 0) return visibleLine(paths.join(", "));
  const first = Object.values(given).find((value) => typeof value === "string" || typeof value === "number");
  return visibleLine(first === undefined ? "" : String(first));
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}
