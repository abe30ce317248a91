import { callFor, doneBy } from "./abilities.ts";
import { pathOf, pathsIn } from "./results.ts";
import type { Done, Move, Standing } from "./standing.ts";

/** Reads the file that the person named: first as written, then wherever a file with that name is found. */
export function openFile(standing: Standing, name: string): { file: Done; path: string } | { move: Move } {
  const reads = doneBy("read", standing);
  const open = reads.find(({ failed }) => !failed);
  if (open) return { file: open, path: pathOf(open) };
  if (reads.length === 0) return wanted(standing, name, `I'll read ${name}.`);
  const found = doneBy("find", standing).at(-1);
  if (!found) {
    const call = callFor("find", standing, { pattern: name.split("/").at(-1) ?? name });
    return { move: call ? { say: "", calls: [call] } : missing(name) };
  }
  const next = pathsIn(found).find((path) => !reads.some((read) => pathOf(read) === path));
  return next === undefined ? { move: missing(name, reads.at(-1)) } : wanted(standing, next, "");
}

function wanted(standing: Standing, path: string, say: string): { move: Move } {
  const call = callFor("read", standing, { path });
  return { move: call ? { say, calls: [call] } : missing(path) };
}

function missing(name: string, failure?: Done): Move {
  return { say: `I could not read ${name}.${failure ? ` ${failure.text}` : ""}` };
}
