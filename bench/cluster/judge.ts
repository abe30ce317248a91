// What the sessions of a trial left, and whether that is what they leave without faults.
import { readFileSync } from "node:fs";
import type { LogData } from "../../src/agent/log.ts";
import type { Store } from "../../src/store/store.ts";
import { differencesOf, happenedIn, type Leaving, scripted, treeOf } from "./leavings.ts";

export interface Judgement {
  calls: number;
  /** Calls outside the files that happened more than once, or are told to have happened and did not. */
  repeated: string[];
  lost: string[];
  /** Calls that were told as unknown: they had begun on a worker that died. */
  unknown: number;
  /** Sessions whose files, log or cost are not those of a run without faults. */
  different: string[];
  entries: number;
  leavings: Record<string, Leaving>;
}

interface JudgeParts {
  /** Their names, by id. */
  sessions: ReadonlyMap<string, string>;
  rounds: number;
  store: Store;
  /** A line for each call outside the files that happened. */
  witness: string;
  git(...args: string[]): string;
  without: Readonly<Record<string, Leaving>> | undefined;
}

/** Against what each session left without faults; where that was not run, against what the script makes of it. */
export async function judge(parts: JudgeParts): Promise<Judgement> {
  const { sessions, rounds, store, witness, git, without } = parts;
  const rung = readFileSync(witness, "utf8").split("\n").filter(Boolean);
  const times = Map.groupBy(rung, (line) => line);
  const repeated = [...times].filter(([, all]) => all.length > 1).map(([line]) => line);
  const lost: string[] = [];
  const different: string[] = [];
  const leavings: Record<string, Leaving> = {};
  let unknown = 0;
  let calls = 0;
  let entries = 0;
  for (const [id, name] of sessions) {
    const log = (await store.entries(id)).map(({ data }) => data as LogData);
    entries += log.length;
    const steps = log.filter((entry) => entry.kind === "step");
    const results = log.flatMap((entry) => (entry.kind === "results" ? entry.results : []));
    calls += results.length;
    const rings = results.filter(({ tool }) => tool === "ring");
    for (const [round, { ok, text }] of rings.entries()) {
      const isUnknown = /Wield ended while this call ran|The process that ran this call failed/.test(text);
      if (isUnknown) unknown++;
      else if (!ok || !times.has(`${name} ${round}`)) lost.push(`${name} ${round}: ${text}`);
    }
    const tokens = steps.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
    const end = log.at(-1);
    leavings[name] = {
      log: log.flatMap(happenedIn),
      tokens,
      end: end?.kind === "end" ? end.stop : "none",
      tree: treeOf(git, id),
    };
    const differences = differencesOf(
      leavings[name],
      without?.[name] ?? scripted(name, rounds, leavings[name]),
    );
    if (differences.length > 0) different.push(`${name}: ${differences.join("; ")}`);
  }
  return { calls, repeated, lost, unknown, different, entries, leavings };
}
