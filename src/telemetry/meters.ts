import type { Attributes, Histogram } from "./otlp.ts";

const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];

/** Names, units and bounds as the GenAI conventions have them; the last is Wield's own. */
const meters = {
  "gen_ai.client.token.usage": {
    description: "Tokens that the model read and wrote",
    unit: "{token}",
    bounds: tokens,
  },
  "gen_ai.client.operation.duration": {
    description: "Duration of model calls, tool calls and runs of agents",
    unit: "s",
    bounds: seconds,
  },
  "wield.approval.wait": { description: "Time until a person answered", unit: "s", bounds: seconds },
} as const;
export type MeterName = keyof typeof meters;

interface Point {
  attributes: Attributes;
  counts: number[];
  sum: number;
  min: number;
  max: number;
}

interface Recorded {
  name: MeterName;
  value: number;
  attributes: Attributes;
}

const mostRecorded = 512;

/** Counts until they are taken. */
export class Meters {
  #recorded: Recorded[] = [];
  #points = new Map<MeterName, Map<string, Point>>();

  /** Every call passes here: many values are counted at once, which is several times faster. */
  record(name: MeterName, value: number, attributes: Attributes): void {
    this.#recorded.push({ name, value, attributes });
    if (this.#recorded.length === mostRecorded) this.#countAll();
  }

  #countAll(): void {
    for (const recorded of this.#recorded) this.#count(recorded);
    this.#recorded = [];
  }

  #count({ name, value, attributes }: Recorded): void {
    const { bounds } = meters[name];
    const points = this.#points.get(name) ?? new Map<string, Point>();
    this.#points.set(name, points);
    let key = "";
    for (const attribute in attributes) key += `${attributes[attribute]}\0`;
    const known = points.get(key);
    const counts = known?.counts ?? Array<number>(bounds.length + 1).fill(0);
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    if (!known) {
      points.set(key, { attributes, counts, sum: value, min: value, max: value });
      return;
    }
    known.sum += value;
    known.min = Math.min(known.min, value);
    known.max = Math.max(known.max, value);
  }

  take(): Histogram[] {
    this.#countAll();
    const taken = [...this.#points].map(([name, points]) => ({
      ...{ name, ...meters[name] },
      points: [...points.values()],
    }));
    this.#points = new Map();
    return taken;
  }
}
