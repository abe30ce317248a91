import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Reply } from "./messages.ts";
import { RunFolder } from "./run-folder.ts";

const patienceMs = 300_000;

/** Hands in a reply, where there is one, and returns the request that is open then, or how the run ended. */
export async function takeTurn(runs: string, name: string, replyFile: string | undefined): Promise<string> {
  const run = new RunFolder(runs, name);
  // The first that is open: an agent may ask several at a time.
  let wanted = 1;
  while (run.has(`reply-${wanted}.json`)) wanted++;
  if (replyFile !== undefined) {
    if (!run.has(`turn-${wanted}.txt`)) throw new Error(`Run ${name} has no open request.`);
    const reply = JSON.parse(readFileSync(replyFile === "-" ? 0 : replyFile, "utf8")) as Reply;
    if (reply.text === undefined && reply.calls === undefined)
      throw new Error('A reply is {"text": "…", "calls": [{"name": "…", "input": {…}}]}.');
    run.write(`reply-${wanted}.json`, JSON.stringify(reply));
    wanted++;
  }
  const until = Date.now() + patienceMs;
  while (Date.now() < until) {
    if (run.has(`turn-${wanted}.txt`)) return `--- request ${wanted} ---\n${run.read(`turn-${wanted}.txt`)}`;
    if (run.has("result.json")) return "--- the run has ended ---";
    await wait(200);
  }
  return "--- no request came within five minutes ---";
}
