// What telemetry costs a call: with it switched off beside code without it, and switched on beside switched off. The collector
// is a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { testWield } from "../src/testing/testing.ts";
import { report, sideBySide, verdict } from "./measure.ts";

const collector = spawn(
  process.execPath,
  [
    "-e",
    `require("node:http").createServer((q, r) => q.resume().on("end", () => r.end("{}"))).listen(0, "127.0.0.1", function () { console.log(this.address().port) })`,
  ],
  { stdio: ["ignore", "pipe", "inherit"] },
);
const [port] = await once(collector.stdout, "data");
const files = { "a.txt": "line\n".repeat(100) };
const off = await testWield(files);
const on = await testWield(files, {
  settings: { telemetry: { endpoint: `http://127.0.0.1:${String(port).trim()}` } },
});
const again = await testWield(files);
const read = (place: typeof off) => () => place.wield.call("read_file", { path: "a.txt" });

const measured = await sideBySide(
  [
    { name: "off", run: read(off) },
    { name: "off, a second one", run: read(again) },
    { name: "on", run: read(on) },
  ],
  3000,
);
report("read_file through the whole pipeline", measured);
const [base = Number.NaN, second = Number.NaN, traced = Number.NaN] = measured.map(({ p50 }) => p50);
const more = (value: number) => (value / Math.min(base, second) - 1) * 100;
// Switched off there is no listener and nothing is loaded: what differs between two of them is the noise of the measurement.
verdict(
  `noise ${Math.abs(more(Math.max(base, second))).toFixed(1)} %`,
  "two that are off, side by side",
  true,
);
verdict(`${more(traced).toFixed(1)} %`, "< 5 % when on", more(traced) < 5);
const branch = await sideBySide([{ name: "the check for telemetry in a call", run: check }], 3000);
const share = ((branch[0]?.p50 ?? 0) / base) * 100;
verdict(`${share.toFixed(3)} %`, "< 1 % when off: the one branch that a call has", share < 1);
await Promise.all([off.close(), on.close(), again.close()]);
collector.kill();

async function check(): Promise<void> {
  const parts: { around?: () => void } = {};
  if (parts.around) parts.around();
}
