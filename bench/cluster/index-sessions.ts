// One worker's part of the trial of the code index: sessions of one repository that all search. Arguments: repository, ref, number of
// sessions, and `alone` if each makes an index of its own. Prints one line of JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWield, type Wield } from "../../src/app/wield.ts";
import { CommitIndexes } from "../../src/cluster/commit-indexes.ts";
import { Repositories } from "../../src/cluster/repositories.ts";
import { sessionTools } from "../../src/cluster/session-wield.ts";

const [, , url = "", ref = "main", count = "20", how = "shared"] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "wield-index-"));
const project = { id: "p", name: "p", url, ref };
const env = { HOME: join(folder, "home"), PATH: process.env["PATH"] };
const repositories = new Repositories(join(folder, "worker"), env);
const indexes = new CommitIndexes(join(folder, "worker"), repositories);
const base = await repositories.newest(project);
const open: Wield[] = [];
const began = process.cpuUsage();

/** Milliseconds from the first question to its answer; undefined when there was none. */
async function session(n: number): Promise<number | undefined> {
  const workspace = await repositories.checkOut(project, base, `s-${n}`);
  const code = indexes.of(project, base);
  const wield = await createWield({
    ...{ workspace, env, sharedMachine: true, tools: sessionTools, durable: false },
    ...(how === "shared" && { sharedCode: code }),
    around: async (opened) => {
      if (how === "shared") await code.lookAt(opened);
      return opened;
    },
  });
  open.push(wield);
  const asked = performance.now();
  const { result } = await wield.call("search_code", { query: "where are settings read" });
  return result.ok ? performance.now() - asked : undefined;
}

/** All memory of the process that is in use, without what the engine keeps for later. */
function usedBytes(): number {
  for (let n = 0; n < 3; n++) global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = usedBytes();
const first = await session(0);
const afterFirst = usedBytes();
const second = await session(1);
const afterSecond = usedBytes();
const asked = performance.now();
const rest = await Promise.all(Array.from({ length: Number(count) - 2 }, (_, n) => session(n + 2)));
const together = performance.now() - asked;
const cpu = process.cpuUsage(began);
console.log(
  JSON.stringify({
    ...{ how, first, second, together, unanswered: rest.filter((ms) => ms === undefined).length },
    slowest: Math.max(...rest.map((ms) => ms ?? Number.POSITIVE_INFINITY)),
    firstBytes: afterFirst - before,
    secondBytes: afterSecond - afterFirst,
    eachBytes: (usedBytes() - afterSecond) / rest.length,
    rss: process.memoryUsage.rss(),
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  }),
);
for (const wield of open) await wield.close();
await indexes.close();
rmSync(folder, { recursive: true, force: true });
