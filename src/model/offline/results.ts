import type { Done } from "./standing.ts";

/** The text of a file from a read result, without line numbers. */
export function fileText({ text }: Done): { content: string; whole: boolean } {
  if (text === "(empty file)" || text.endsWith(" is empty.")) return { content: "", whole: true };
  const lines = text.split("\n").filter((line) => !line.startsWith("(end of file"));
  const numbered = lines.filter((line) => /^\s*\d+(?: {2}|\t|: |\| ?|→)/.test(line));
  return {
    content: numbered.map((line) => line.replace(/^\s*\d+(?: {2}|\t|: |\| ?|→)/, "")).join("\n"),
    whole: numbered.length === lines.length && !text.includes("… (+"),
  };
}

/** Matches from a search result: a line with the file, then its matching lines. */
export function matchesIn({ text }: Done): { file: string; line: number; text: string }[] {
  let file = "";
  return text.split("\n").flatMap((row) => {
    const hit = /^\s+(\d+)[:|]\s?(.*)$/.exec(row);
    if (hit && file) return [{ file, line: Number(hit[1]), text: hit[2] ?? "" }];
    const flat = /^(\S[^:]*):(\d+):\s?(.*)$/.exec(row);
    if (flat) return [{ file: flat[1] ?? "", line: Number(flat[2]), text: flat[3] ?? "" }];
    file = /^\S+$/.test(row) ? row.replace(/:$/, "") : file;
    return [];
  });
}

/** Paths from a find result. */
export function pathsIn({ text, failed }: Done): string[] {
  if (failed || text.startsWith("No file")) return [];
  return text.split("\n").filter((line) => /^[^\s.…][^\n]*$|^\.[\w/]/.test(line) && !line.startsWith("..."));
}

/** The path argument of a call, whatever its name. */
export function pathOf({ input }: Done): string {
  return String(input["path"] ?? input["file"] ?? "");
}
