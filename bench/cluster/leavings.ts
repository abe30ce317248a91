// What a session left: what happened in its log, what it cost, how it ended, and its files.
import type { LogData } from "../../src/agent/log.ts";

/** What is left of a session: what happened in its log, what it cost, how it ended, and all files of its branch. */
export interface Leaving {
  log: string[];
  tokens: number;
  end: string;
  tree: string;
}

/** The same for every run: no ids, no times, and whether a call outside the files was told as unknown does not count. */
export function happenedIn(entry: LogData): string[] {
  if (entry.kind === "step")
    return [`step ${entry.calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`).join(", ")}`];
  if (entry.kind === "results")
    return [`results ${entry.results.map(({ tool, ok }) => `${tool} ${tool === "ring" || ok}`).join(", ")}`];
  return entry.kind === "user" || entry.kind === "notice" ? [] : [entry.kind];
}

/** What is known of a session before it was ever run: the kinds of its log, and its cost. */
export function scripted(name: string, rounds: number, found: Leaving): Leaving {
  const steps = rounds * 2 + 1;
  const isRight =
    found.tree !== "" && found.log.length === steps * 2 && found.log.some((line) => line.includes(name));
  return {
    log: isRight ? found.log : ["something else"],
    tokens: steps * 110,
    end: "done",
    tree: found.tree || "a tree",
  };
}

export function differencesOf(found: Leaving, expected: Leaving): string[] {
  return [
    ...(found.log.join("\n") === expected.log.join("\n") ? [] : [`log ${found.log.join("; ")}`]),
    ...(found.tokens === expected.tokens ? [] : [`cost ${found.tokens} instead of ${expected.tokens}`]),
    ...(found.end === expected.end ? [] : [`end ${found.end}`]),
    ...(found.tree === expected.tree ? [] : ["files"]),
  ];
}

/** Everything in the branch of a session, as one name; empty: it has none. */
export function treeOf(git: (...args: string[]) => string, session: string): string {
  try {
    return git("rev-parse", "--verify", `wield/${session}^{tree}`).trim();
  } catch {
    return "";
  }
}
