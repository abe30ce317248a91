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

type Points = Map<Attributes, Point>;

/** Counts until it is taken. */
export class Meters {
  /** By the object, not by what it says, which would have to be read for each value. */
  #points = new Map<MeterName, Points>();

  /** Every call passes here: calls of one tool should pass the same attributes. */
  record(name: MeterName, value: number, attributes: Attributes): void {
    const point = this.#pointOf(name, attributes);
    const { bounds } = meters[name];
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    point.counts[bucket] = (point.counts[bucket] ?? 0) + 1;
    point.sum += value;
    point.min = Math.min(point.min, value);
    point.max = Math.max(point.max, value);
  }

  take(): Histogram[] {
    const taken = [...this.#points].map(([name, points]) => ({
      ...{ name, ...meters[name] },
      points: joined([...points.values()]),
    }));
    this.#points = new Map();
    return taken;
  }

  #pointOf(name: MeterName, attributes: Attributes): Point {
    let points = this.#points.get(name);
    if (!points) {
      points = new Map();
      this.#points.set(name, points);
    }
    let point = points.get(attributes);
    if (!point) {
      const counts = Array<number>(meters[name].bounds.length + 1).fill(0);
      point = { attributes, counts, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
      points.set(attributes, point);
    }
    return point;
  }
}

/** Points whose attributes say the same are one point. */
function joined(points: readonly Point[]): Point[] {
  const alike = Map.groupBy(points, ({ attributes }) => JSON.stringify(attributes));
  return [...alike.values()].map((same) =>
    same.reduce((all, one) => ({
      attributes: all.attributes,
      counts: all.counts.map((count, bucket) => count + (one.counts[bucket] ?? 0)),
      sum: all.sum + one.sum,
      min: Math.min(all.min, one.min),
      max: Math.max(all.max, one.max),
    })),
  );
}
