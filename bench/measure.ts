// Side by side in one run: the ways take turns, so that whatever slows the machine slows all of them.

export interface Way {
  name: string;
  run(): unknown;
}

export interface Timing {
  name: string;
  p50: number;
  p95: number;
}

/** Milliseconds of each way, `rounds` times in turns after a warm-up. */
export async function sideBySide(ways: readonly Way[], rounds: number): Promise<Timing[]> {
  const times = await timesInTurns(ways, rounds);
  return ways.map(({ name }, index) => {
    const sorted = (times[index] ?? []).toSorted((a, b) => a - b);
    return { name, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
  });
}

/** The milliseconds of every round. Each round begins with another way: what follows a costly one is not always the same. */
export async function timesInTurns(ways: readonly Way[], rounds: number): Promise<number[][]> {
  const times = ways.map((): number[] => []);
  const warmUp = Math.ceil(rounds / 10);
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < ways.length; turn++) {
      const index = (round + turn) % ways.length;
      const started = performance.now();
      await ways[index]?.run();
      if (round >= warmUp) times[index]?.push(performance.now() - started);
    }
  }
  return times;
}

export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** A row says what was measured against what, and whether the goal was met. */
export function report(
  title: string,
  timings: readonly Timing[],
  goal?: { ratio: number; of: string; to: string },
): void {
  console.log(`\n${title}`);
  for (const { name, p50, p95 } of timings)
    console.log(`  ${name.padEnd(46)} p50 ${format(p50)}  p95 ${format(p95)}`);
  if (!goal) return;
  const of = timings.find((t) => t.name === goal.of)?.p50 ?? Number.NaN;
  const to = timings.find((t) => t.name === goal.to)?.p50 ?? Number.NaN;
  const ratio = of / to;
  verdict(`${goal.of} / ${goal.to}: ${ratio.toFixed(2)}×`, `≤ ${goal.ratio}×`, ratio <= goal.ratio);
}

export function verdict(measured: string, goal: string, met: boolean): void {
  console.log(`  ${met ? "met   " : "MISSED"} ${measured}  (goal ${goal})`);
}

function format(ms: number): string {
  return (ms < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(2)} ms`).padStart(10);
}
