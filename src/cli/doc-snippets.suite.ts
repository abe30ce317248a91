import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const repository = resolve(import.meta.dirname, "../..");

/** A fenced block of a page. */
export interface Snippet {
  page: string;
  language: string;
  text: string;
  /** For people: page and line. */
  at: string;
}

/** The pages of the documentation, below docs/. */
export function docPages(): string[] {
  const files = readdirSync(join(repository, "docs"), { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".md"));
}

export function snippets(): Snippet[] {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    ...docPages().map((file) => `docs/${file}`),
  ];
  return pages.flatMap((page) => {
    const text = readFileSync(join(repository, page), "utf8");
    return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```/gm)].map((match): Snippet => {
      const [, , language = "", body = ""] = match;
      const line = text.slice(0, match.index).split("\n").length;
      return { page, language, text: body, at: `${page}:${line}` };
    });
  });
}

/** One command of a shell snippet: what comes before a pipe is only said. */
export interface ShellLine {
  /** Without its comment, as it is written. */
  line: string;
  /** The words of the last command of a pipe. */
  words: string[];
  isPiped: boolean;
}

export function shellLines(text: string): ShellLine[] {
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(?:^|\s)# .*$/, "").trim())
    .filter((line) => line !== "")
    .map((line) => {
      const commands = wordsOf(line);
      return { line, words: commands.at(-1) ?? [], isPiped: commands.length > 1 };
    });
}

/** Words as a shell splits them, by command of a pipe; redirections and `&` are left out. */
function wordsOf(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"|])+|\|/g)) {
    if (token === "|") commands.push([]);
    else commands.at(-1)?.push(token.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  }
  return commands.map((words) => {
    const redirected = words.indexOf("<");
    return words.filter((word, at) => word !== "&" && (redirected === -1 || at < redirected));
  });
}
