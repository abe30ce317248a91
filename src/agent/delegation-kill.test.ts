import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BundledFixture, bundleFixture } from "../../scripts/bundle-fixture.ts";
import { removeFolder } from "../testing/remove-folder.ts";

let fixture: BundledFixture;
const home = mkdtempSync(join(tmpdir(), "wield-delegation-"));
beforeAll(async () => {
  fixture = await bundleFixture(join(import.meta.dirname, "fixtures/interrupted-delegation.ts"));
});
afterAll(() => {
  fixture?.remove();
  removeFolder(home);
});
const kills = 12;

interface Told {
  moments: number;
  sessions: number;
}

async function start(name: string, moment = 0): Promise<{ killed: boolean; told: Told | undefined }> {
  const workspace = join(home, name, "workspace");
  mkdirSync(workspace, { recursive: true });
  const forked = fork(
    fixture.file,
    [workspace, join(home, name, "home"), join(home, name, "rings"), String(moment)],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env },
    },
  );
  let told: Told | undefined;
  forked.on("message", (message) => {
    told = message as Told;
  });
  const [code, signal] = (await once(forked, "exit")) as [number | null, string | null];
  if (signal === null) expect(code).toBe(0);
  return { killed: signal === "SIGKILL", told };
}

const rings = (name: string) => {
  const file = join(home, name, "rings");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").sort() : [];
};

test(`killed at ${kills} moments, delegated runs are found again and continued, and no call is made twice`, {
  timeout: 300_000,
}, async () => {
  const { told: calm } = await start("calm");
  expect(calm?.sessions).toBe(2);
  expect(rings("calm")).toEqual(["one", "two"]);
  const moments = calm?.moments ?? 0;
  for (let kill = 1; kill <= kills; kill++) {
    const name = `run-${kill}`;
    const { killed } = await start(name, Math.floor((moments * kill) / (kills + 1)));
    expect(killed).toBe(true);
    const { told } = await start(name);
    // The same two runs, not two more.
    expect(told?.sessions).toBe(2);
    for (const who of ["one", "two"])
      expect(readFileSync(join(home, name, "workspace", `${who}.txt`), "utf8")).toBe(`${who}\n`);
    // A call whose process died while it ran is reported as unknown, never made again.
    expect(new Set(rings(name)).size).toBe(rings(name).length);
  }
});
