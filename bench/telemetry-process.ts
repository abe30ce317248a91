// One process of bench/telemetry.ts: the CPU time of blocks of calls, in turns, by four instances: without the hooks of telemetry,
// with telemetry switched off, the same once more, and with it switched on. They share all modules except the one that the
// hooks are removed from: a copy of everything would be compiled differently, which changes the time of a call by up to four per
// cent. Prints one line of JSON with the times of each block.
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { registerHooks } from "node:module";
import type { TestWield } from "../src/testing/testing.ts";

/** As many spans as the exporter sends at once: every block with telemetry on contains one sending. */
const callsOfBlock = 2048;
/** The instances take turns within a block. */
const callsOfTurn = 32;
const warmUp = 1;
const blocks = 6;
const files = { "a.txt": "line\n".repeat(100) };

/** The hooks of telemetry that a call passes, by file, and the code without them. A text that is no longer there ends the benchmark. */
const hooks: Record<string, [string, string][]> = {
  "src/app/wield.ts": [["if (telemetry) listeners.add(telemetry.listener);", ""]],
};

const copied = "?without";
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const isOfCopy = context.parentURL?.endsWith(copied) && fileWithHooks(resolved.url);
    return isOfCopy ? { ...resolved, url: `${resolved.url}${copied}` } : resolved;
  },
  load: (url, context, next) => {
    const loaded = next(url, context);
    const file = url.endsWith(copied) && fileWithHooks(url);
    if (!file) return loaded;
    const source = (hooks[file] ?? []).reduce((text, [hook, without]) => {
      if (!text.includes(hook)) throw new Error(`${file} no longer contains: ${hook}`);
      return text.replace(hook, without);
    }, String(loaded.source));
    return { ...loaded, source };
  },
});

function fileWithHooks(url: string): string | undefined {
  return Object.keys(hooks).find((path) => url.replace(copied, "").endsWith(`/${path}`));
}

type Opens = typeof import("../src/testing/testing.ts")["testWield"];
async function opened(kind: string, settings: object = {}): Promise<TestWield> {
  const from = kind === "without" ? copied : "";
  const { testWield } = (await import(`../src/testing/testing.ts${from}`)) as { testWield: Opens };
  return testWield(files, { settings });
}

const kinds = ["without", "off", "again", "on"] as const;
const [endpoint = "", first = "0"] = process.argv.slice(2);
let sent = 0;
const sending = requestsUnderWay();
const places = new Map<string, TestWield>();
for (const kind of kinds.map((_, at) => kinds[(at + Number(first)) % kinds.length] ?? "off"))
  places.set(kind, await opened(kind, kind === "on" ? { telemetry: { endpoint } } : {}));

const times: Record<string, number[]> = Object.fromEntries(kinds.map((kind) => [kind, []]));
for (let block = 0; block < warmUp + blocks; block++) {
  const used: Record<string, number> = {};
  for (let turn = 0; turn < callsOfBlock / callsOfTurn; turn++)
    // In any order: what ran before decides what is in the caches of the processor.
    for (const kind of shuffled(kinds))
      used[kind] = (used[kind] ?? 0) + (await cpuTimeOf(places.get(kind) as TestWield));
  if (block < warmUp) continue;
  for (const kind of kinds) times[kind]?.push((used[kind] ?? Number.NaN) / callsOfBlock);
}
if (sent < warmUp + blocks)
  throw new Error(`Only ${sent} batches were sent: the benchmark does not see the sending.`);
console.log(JSON.stringify(times));
for (const place of places.values()) await place.close();

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Of one turn, in microseconds. */
async function cpuTimeOf({ wield }: TestWield): Promise<number> {
  const started = process.cpuUsage();
  for (let call = 0; call < callsOfTurn; call++) await wield.call("read_file", { path: "a.txt" });
  await Promise.all(sending);
  const { user, system } = process.cpuUsage(started);
  return user + system;
}

/** The requests under way: what a block sends belongs to its time. */
function requestsUnderWay(): Set<Promise<unknown>> {
  const underWay = new Set<Promise<unknown>>();
  subscribe("http.client.request.created", (message) => {
    const { request } = message as { request: ClientRequest };
    const done = new Promise((resolve) => request.on("close", resolve)).finally(() => underWay.delete(done));
    underWay.add(done);
    sent++;
  });
  return underWay;
}
