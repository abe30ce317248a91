// What telemetry costs a call: not configured, beside the same code with its hooks removed; and switched on, beside switched
// off. Several copies of the code are loaded into one process and take turns, because two copies of the same code already
// differ by how they were compiled and where they lie in memory. The collector is a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { registerHooks } from "node:module";
import type { TestWield } from "../src/testing/testing.ts";
import { quantile, timesInTurns, verdict } from "./measure.ts";

const copies = 7;
const rounds = 1000;
const files = { "a.txt": "line\n".repeat(100) };

/** Every hook of telemetry, by file, and the code without it. A text that is no longer there ends the benchmark. */
const hooks: Record<string, [string, string][]> = {
  "src/runtime/call.ts": [["return parts.around ? parts.around(call.id, work) : work();", "return work();"]],
  "src/app/wield.ts": [
    ['const telemetry = await openTelemetry(preferences.group("telemetry"), env);', ""],
    ["if (telemetry) listeners.add(telemetry.listener);", ""],
    [", telemetry && indexing(telemetry)", ""],
    ["return telemetry ? watchedSandbox(execution, telemetry) : execution;", "return execution;"],
    ["...(telemetry && { around: telemetry.inCall }),", ""],
    [", ...(telemetry?.problems() ?? [])", ""],
    ["await telemetry?.close();", ""],
  ],
};

registerHooks({
  // A module that a copy imports belongs to the same copy.
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const [, copy] = /[?](copy=[^#]+)$/.exec(context.parentURL ?? "") ?? [];
    const isOurs = resolved.url.startsWith("file:") && !resolved.url.includes("/node_modules/");
    return copy && isOurs ? { ...resolved, url: `${resolved.url}?${copy}` } : resolved;
  },
  load: (url, context, next) => {
    const loaded = next(url, context);
    const file = Object.keys(hooks).find((path) => url.includes(`/${path}?copy=without`));
    if (!file) return loaded;
    const source = (hooks[file] ?? []).reduce((text, [hook, without]) => {
      if (!text.includes(hook)) throw new Error(`${file} no longer contains: ${hook}`);
      return text.replace(hook, without);
    }, String(loaded.source));
    return { ...loaded, source };
  },
});

type Opens = typeof import("../src/testing/testing.ts")["testWield"];
async function opened(copy: string, settings: object = {}): Promise<TestWield> {
  const { testWield } = (await import(`../src/testing/testing.ts?copy=${copy}`)) as { testWield: Opens };
  return testWield(files, { settings });
}

const collector = spawn(
  process.execPath,
  [
    "-e",
    `require("node:http").createServer((q, r) => q.resume().on("end", () => r.end("{}"))).listen(0, "127.0.0.1", function () { console.log(this.address().port) })`,
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);
const [port] = await once(collector.stdout, "data");
const endpoint = `http://127.0.0.1:${String(port).trim()}`;
const kinds = ["without", "off", "on"] as const;
const places: { kind: (typeof kinds)[number]; place: TestWield }[] = [];
for (let copy = 1; copy <= copies; copy++)
  for (const kind of kinds)
    places.push({
      kind,
      place: await opened(`${kind}-${copy}`, kind === "on" ? { telemetry: { endpoint } } : {}),
    });
const times = await timesInTurns(
  places.map(({ kind, place }) => ({
    name: kind,
    run: () => place.wield.call("read_file", { path: "a.txt" }),
  })),
  rounds,
);

console.log(
  `\nread_file through the whole pipeline, ${rounds} rounds, ${copies} copies of each; p50 of each copy`,
);
const medians = Map.groupBy(
  times.map((all, index) => ({ kind: places[index]?.kind, p50: medianOf(all) })),
  ({ kind }) => kind,
);
for (const kind of kinds) console.log(`  ${kind.padEnd(8)} ${p50sOf(kind).map(inMicroseconds).join("  ")}`);
/** The median copy stands for its kind. */
const of = (kind: (typeof kinds)[number]) => medianOf(p50sOf(kind));
const more = (kind: "off" | "on", than: "without" | "off") => (of(kind) / of(than) - 1) * 100;
const spread = (Math.max(...p50sOf("without")) / Math.min(...p50sOf("without")) - 1) * 100;
console.log(`  copies of the same code differ by ${spread.toFixed(1)} %`);
const off = more("off", "without");
const on = more("on", "off");
verdict(`${off.toFixed(2)} %`, "off: < 1 % more than without the hooks", off < 1);
verdict(`${on.toFixed(2)} %`, "on: < 5 % more than off", on < 5);
await Promise.all(places.map(({ place }) => place.close()));
collector.kill();

function p50sOf(kind: (typeof kinds)[number]): number[] {
  return (medians.get(kind) ?? []).map(({ p50 }) => p50);
}

function medianOf(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function inMicroseconds(ms: number): string {
  return `${(ms * 1000).toFixed(1)} µs`;
}
