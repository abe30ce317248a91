// A month of heavy use on a state of its own: 2,000 sessions, 200,000 calls and 20 GB of journal traffic, with the limits applied
// after each day. Disk within its limits, memory flat, listing and searching below 100 ms. WIELD_BENCH_SCALE=0.01 does a hundredth.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../src/store/sqlite-store.ts";
import { folderUsage } from "../src/workspace/folder-usage.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";
import { quantile, verdict } from "./measure.ts";

const scale = Number(process.env["WIELD_BENCH_SCALE"] ?? 1);
const days = 30;
const megabyte = 1024 * 1024;
const sessionsPerDay = Math.ceil((2_000 * scale) / days);
const callsPerSession = 100;
const entriesPerSession = 40;
const trafficPerDay = (20_000 * megabyte * scale) / days;
const changeBytes = 2 * megabyte;
const limits = {
  store: 512 * megabyte * Math.max(scale, 0.1),
  journal: 1024 * megabyte * Math.max(scale, 0.1),
};

const folder = mkdtempSync(join(tmpdir(), "wield-month-"));
const root = join(folder, "ws");
mkdirSync(root);
const state = join(folder, "state");
const store = openSqliteStore(join(state, "wield.db"));
const workspace = await openWorkspace(root, {
  stateDir: state,
  journal: { capBytes: 64 * megabyte, quotaBytes: limits.journal },
});
const start = Date.UTC(2026, 0, 1);
const text = (seed: number) => `topic${seed} `.repeat(600);
/** Each of the first sessions of a day says something that no other does. */
const said = (n: number, day: number, seq: number) =>
  `${seq === 1 ? `only-${day}-${n} ` : ""}${text(sessions + seq)}`;
const times: Record<"list" | "search", number[]> = { list: [], search: [] };
const memory: number[] = [];
let [written, sessions, calls] = [0, 0, 0];

async function timed(kind: keyof typeof times, work: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  await work();
  times[kind].push(performance.now() - from);
}

for (let day = 0; day < days; day++) {
  const at = new Date(start + day * 86_400_000).toISOString();
  for (let n = 0; n < sessionsPerDay; n++) {
    const id = `a_${String(sessions++).padStart(6, "0")}`;
    const session = { id, workspace: root, agent: "code", title: `Session ${id}`, at, updated: at };
    for (let seq = 1; seq <= entriesPerSession; seq++)
      await store.appendEntry(session, { seq, at, data: { kind: "user", text: said(n, day, seq) } });
    for (let call = 0; call < callsPerSession; call++) {
      const record = { id: `c_${calls++}`, session: id, tool: "read_file", at, durationMs: 1, ok: true };
      const figures = { errorCode: null, bytes: 10, tokensIn: 1, tokensOut: 1, approval: "auto" as const };
      await store.finishCall({ ...record, ...figures }, text(call));
    }
  }
  for (let sent = 0; sent < trafficPerDay; sent += changeBytes) {
    const bytes = Buffer.alloc(changeBytes, `${written}-`);
    // A few files that are changed again and again, as build output and generated code are.
    const path = `file-${written % 40}.bin`;
    await workspace.apply([{ op: "write", path, bytes }], {
      callId: `c_${written}`,
      tool: "write_file",
      description: "write",
    });
    written += 1;
  }
  const before = new Date(start + (day - 14) * 86_400_000).toISOString();
  await store
    .upkeep?.()
    .remove({ before: { sessions: before, calls: before }, bytes: limits.store }, sessionsPerDay * 2);
  await store.upkeep?.().compact(false);
  for (let round = 0; round < 5; round++) {
    await timed("list", () => store.sessions({ workspace: root, limit: 50 }));
    // What many sessions say, what one says, and what nobody does: the last two cannot end early.
    for (const query of [`topic${sessions - round}`, `only-${day}-${round}`, `nobody said ${day} ${round}`])
      await timed("search", () => store.sessions({ workspace: root, query, limit: 20 }));
  }
  globalThis.gc?.();
  memory.push(process.memoryUsage().rss / megabyte);
}

const disk = {
  store: folderUsage(join(state, "wield.db")).bytes,
  journal: folderUsage(join(state, "journals")).bytes,
};
const p95 = (values: number[]) =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.95,
  );
const inMegabytes = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;
console.log(`${sessions} sessions, ${calls} calls, ${inMegabytes(written * changeBytes)} of journal traffic`);
verdict(
  `store ${inMegabytes(disk.store)}`,
  `≤ ${inMegabytes(limits.store * 1.1)}`,
  disk.store <= limits.store * 1.1,
);
verdict(
  `journal ${inMegabytes(disk.journal)}`,
  `≤ ${inMegabytes(limits.journal * 1.1)}`,
  disk.journal <= limits.journal * 1.1,
);
const [early = 0, late = 0] = [Math.max(...memory.slice(5, 15)), Math.max(...memory.slice(-10))];
verdict(`memory ${Math.round(early)} MB, later ${Math.round(late)} MB`, "≤ 1.2 ×", late <= early * 1.2);
for (const kind of ["list", "search"] as const)
  verdict(`${kind} p95 ${p95(times[kind]).toFixed(1)} ms`, "< 100 ms", p95(times[kind]) < 100);
workspace.close();
await store.close();
rmSync(folder, { recursive: true, force: true });
