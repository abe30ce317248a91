import { readFileSync } from "node:fs";

export interface Question {
  id: string;
  /** owner/name; the folder it is checked out in has the name alone. */
  repo: string;
  commit: string;
  /** In words, about structure (then the places are counted, too), or a change to make, which is then checked. */
  kind: "words" | "structure" | "task";
  question: string;
  gold_files: string[];
  gold_symbols: string[];
  gold_places?: string[];
  /** Of a task: the command that succeeds when it is done, and the files that are written before it runs. */
  check?: string;
  check_files?: Record<string, string>;
}

/** All questions of a set, or `odd` or `even` lines, or those named by id. */
export function readQuestions(file: string, which = "all"): Question[] {
  const all = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Question);
  if (which === "all") return all;
  if (which === "odd") return all.filter((_, i) => i % 2 === 0);
  if (which === "even") return all.filter((_, i) => i % 2 === 1);
  const ids = new Set(which.split(","));
  const chosen = all.filter(({ id }) => ids.has(id));
  if (chosen.length < ids.size) throw new Error(`Not all of ${which} are in ${file}.`);
  return chosen;
}
