import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Reply } from "./messages.ts";
import { RunFolder } from "./run-folder.ts";

const patienceMs = 300_000;

/** Hands in a reply, where there is one, and returns the request that is open then, or how the run ended. */
export async function takeTurn(runs: string, name: string, replyFile: string | undefined): Promise<string> {
  const run = new RunFolder(runs, name);
  let wanted = run.lastRequest();
  const isAnswered = () => run.has(`reply-${wanted}.json`);
  if (replyFile !== undefined) {
    if (wanted === 0 || isAnswered()) throw new Error(`Run ${name} has no open request.`);
    const reply = JSON.parse(readFileSync(replyFile === "-" ? 0 : replyFile, "utf8")) as Reply;
    if (reply.text === undefined && reply.calls === undefined)
      throw new Error('A reply is {"text": "…", "calls": [{"name": "…", "input": {…}}]}.');
    run.write(`reply-${wanted}.json`, JSON.stringify(reply));
  }
  if (wanted === 0 || isAnswered()) wanted++;
  const until = Date.now() + patienceMs;
  while (Date.now() < until) {
    if (run.has(`turn-${wanted}.txt`)) return `--- request ${wanted} ---\n${run.read(`turn-${wanted}.txt`)}`;
    if (run.has("result.json")) return "--- the run has ended ---";
    await wait(200);
  }
  return "--- no request came within five minutes ---";
}
