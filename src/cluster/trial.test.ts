import { expect, test } from "vitest";
import { clusterTrial } from "../../bench/cluster/trial.ts";
import { postgresPrograms } from "../../scripts/local-postgres.ts";

// Small; `npm run bench cluster` is the whole of it.
test.skipIf(postgresPrograms() === undefined)(
  "workers and web processes that are killed and a database that crashes lose, repeat and change nothing",
  async () => {
    const result = await clusterTrial({
      ...{
        sessions: 6,
        rounds: 2,
        workers: 2,
        webs: 2,
        places: 8,
        stepMs: 400,
        readers: 2,
        pause: 0.5,
        clocks: false,
      },
      faults: ["kill worker", "kill web", "crash Postgres"],
      say: () => undefined,
    });
    expect(result).toMatchObject({ repeated: [], lost: [], different: [], readersBehind: [] });
    expect(result.calls).toBe(6 * 2 * 3);
    // On a busy machine the crashed database may be away for so long that all takeovers wait for it.
    expect(result.claimed.length + result.withoutDatabase.length).toBeGreaterThan(0);
  },
  600_000,
);
