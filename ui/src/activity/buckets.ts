import type { CallRecord } from "../../../src/events/events.ts";

const wanted = 48;
const minute = 60;
/** Round bucket lengths, in seconds. */
const lengths = [
  minute,
  5 * minute,
  15 * minute,
  60 * minute,
  6 * 60 * minute,
  24 * 60 * minute,
  7 * 24 * 60 * minute,
];

export interface Buckets {
  /** Start times, in seconds. */
  times: number[];
  ok: number[];
  failed: number[];
  p95: (number | null)[];
  tokens: number[];
  asked: number[];
}

/** Calls over time, in about fifty buckets of a round length. */
export function bucketsOf(calls: readonly CallRecord[], now = Date.now()): Buckets {
  const times = calls.map(({ at }) => Date.parse(at) / 1000);
  const span = now / 1000 - Math.min(...times);
  const length = lengths.find((each) => span / each <= wanted) ?? lengths.at(-1) ?? minute;
  const last = Math.floor(now / 1000 / length);
  // The newest bucket is at the right edge, even with little data.
  const first = Math.min(Math.floor(Math.min(...times) / length), last - 11);
  const groups = Map.groupBy(calls, ({ at }) => Math.floor(Date.parse(at) / 1000 / length));
  const numbers = Array.from({ length: Math.min(400, last - first + 1) }, (_, at) => first + at);
  const inEach = <T>(pick: (group: readonly CallRecord[]) => T) =>
    numbers.map((number) => pick(groups.get(number) ?? []));
  return {
    times: numbers.map((number) => number * length),
    ok: inEach((group) => group.filter(({ ok }) => ok).length),
    failed: inEach((group) => group.filter(({ ok }) => !ok).length),
    p95: inEach((group) => p95Of(group.map(({ durationMs }) => durationMs))),
    tokens: inEach((group) => group.reduce((sum, { tokensOut }) => sum + tokensOut, 0)),
    asked: inEach((group) => group.filter(({ approval }) => !["auto", "none"].includes(approval)).length),
  };
}

function p95Of(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? null;
}
