import { fork } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BundledFixture, bundleFixture } from "../../scripts/bundle-fixture.ts";
import { seededRandom } from "../testing/faulty-store.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";

let fixture: BundledFixture;
const home = mkdtempSync(join(tmpdir(), "wield-kill-"));
const original = join(home, "original");
const kills = 50;
const killsPerRun = 5;
const runsAtOnce = 2;

beforeAll(async () => {
  fixture = await bundleFixture(join(import.meta.dirname, "fixtures/interrupted-run.ts"));
  mkdirSync(original);
  for (const [path, text] of Object.entries({ "a.txt": "alpha\n", "b.txt": "beta\n", "gone.txt": "gone\n" }))
    writeFileSync(join(original, path), text);
});
afterAll(() => {
  fixture?.remove();
  removeFolder(home);
});

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

/** Starts the run, or goes on with it; it kills itself at this moment, if one is given. */
async function start(
  { workspace, state, outside }: Place,
  moment = 0,
): Promise<{ killed: boolean; moments: number }> {
  const forked = fork(fixture.file, [workspace, state, outside, String(moment)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env },
  });
  let moments = 0;
  forked.on("message", (passed) => {
    moments = Number(passed);
  });
  const [code, signal] = (await once(forked, "exit")) as [number | null, string | null];
  if (signal === null) expect(code).toBe(0);
  return { killed: signal === "SIGKILL", moments };
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

test(`killed at ${kills} moments between calls of the store, a run ends with the same files and no call done twice`, {
  timeout: 600_000,
}, async () => {
  const calm = newPlace("calm");
  const { moments } = await start(calm);
  expect(moments).toBeGreaterThan(kills);
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
      const run = runs++;
      const place = newPlace(`run-${run}`);
      // The same moments whenever this test runs.
      const random = seededRandom(run);
      let finished = false;
      // Early kills are as likely as late ones: each stretch of work has up to a share of the moments of the whole run.
      for (let count = 0; count < killsPerRun && !finished; count++) {
        const result = await start(place, 1 + Math.floor(random() * (moments / killsPerRun) * 2));
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
