import { fork } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorkspace } from "../workspace/open-workspace.ts";

const child = join(import.meta.dirname, "fixtures/interrupted-run.ts");
const home = mkdtempSync(join(tmpdir(), "wield-kill-"));
const original = join(home, "original");
const kills = 50;
const killsPerRun = 5;
const runsAtOnce = 2;

beforeAll(() => {
  mkdirSync(original);
  for (const [path, text] of Object.entries({ "a.txt": "alpha\n", "b.txt": "beta\n", "gone.txt": "gone\n" }))
    writeFileSync(join(original, path), text);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Place {
  workspace: string;
  state: string;
  outside: string;
}

function newPlace(name: string): Place {
  const workspace = join(home, name, "workspace");
  mkdirSync(join(home, name), { recursive: true });
  cpSync(original, workspace, { recursive: true });
  return { workspace, state: join(home, name, "home"), outside: join(home, name, "outside.log") };
}

/** Starts the run, or goes on with it; killed after so many milliseconds of work, if a time is given. */
async function start(
  { workspace, state, outside }: Place,
  killAfterMs?: number,
): Promise<{ killed: boolean; ms: number }> {
  const forked = fork(child, [workspace, state, outside], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(home, "compiled") },
  });
  const ended = once(forked, "exit") as Promise<[number | null, string | null]>;
  await once(forked, "message");
  const began = performance.now();
  if (killAfterMs !== undefined) {
    await Promise.race([sleep(killAfterMs), ended]);
    forked.kill("SIGKILL");
  }
  const [code, signal] = await ended;
  if (signal === null) expect(code).toBe(0);
  return { killed: signal === "SIGKILL", ms: performance.now() - began };
}

function tree(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    files.flatMap((path) =>
      statSync(join(root, path)).isFile() ? [[path, readFileSync(join(root, path), "utf8")]] : [],
    ),
  );
}

async function callIds({ workspace, state }: Place): Promise<string[]> {
  const opened = await openWorkspace(workspace, {
    stateDir: join(state, ".local/state/wield"),
    journal: { capBytes: 1 << 26, quotaBytes: 1 << 30 },
  });
  const changes = await opened.changes({ limit: 1000 });
  opened.close();
  return changes.map(({ callId }) => callId);
}

function rings({ outside }: Place): string[] {
  return existsSync(outside) ? readFileSync(outside, "utf8").trim().split("\n") : [];
}

test(`killed at ${kills} random moments, a run ends with the same files and no call done twice`, {
  timeout: 120_000,
}, async () => {
  const calm = newPlace("calm");
  const { ms } = await start(calm);
  const expected = tree(calm.workspace);
  expect(expected).toMatchObject({
    "a.txt": "alpha four\n",
    "moved/b.txt": "beta two\n",
    "new/c.txt": "edited\n",
  });
  const changes = (await callIds(calm)).length;
  expect(rings(calm)).toHaveLength(2);

  let killed = 0;
  let runs = 0;
  const one = async () => {
    while (killed < kills) {
      const place = newPlace(`run-${runs++}`);
      let finished = false;
      // Early kills are as likely as late ones: each stretch of work lasts up to a share of the whole run.
      for (let count = 0; count < killsPerRun && !finished; count++) {
        const result = await start(place, Math.random() * (ms / killsPerRun) * 2);
        if (result.killed) killed++;
        else finished = true;
      }
      if (!finished) await start(place);
      expect(tree(place.workspace)).toEqual(expected);
      const ids = await callIds(place);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(changes);
      const rung = rings(place);
      expect(new Set(rung).size).toBe(rung.length);
      expect(rung.length).toBeLessThanOrEqual(2);
    }
  };
  await Promise.all(Array.from({ length: runsAtOnce }, one));
  expect(killed).toBeGreaterThanOrEqual(kills);
});
