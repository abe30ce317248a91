import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { oneThreadAtATime, shareTurns } from "./one-thread-at-a-time.ts";

/** Counts how often another thread was at work in the meantime. */
const script = `
  import { parentPort, workerData } from "node:worker_threads";
  const { oneThreadAtATime } = await import("${import.meta.resolve("./one-thread-at-a-time.ts")}");
  const inside = new Int32Array(workerData);
  let met = 0;
  for (let i = 0; i < 300; i++)
    oneThreadAtATime(() => {
      if (Atomics.add(inside, 0, 1) > 0) met++;
      for (let j = 0; j < 2_000; j++) Atomics.load(inside, 0);
      Atomics.sub(inside, 0, 1);
    });
  parentPort.postMessage(met);
`;

test("threads wait for each other, and not for one that was ended", async () => {
  const turn = shareTurns();
  const inside = new SharedArrayBuffer(4);
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const threads = Array.from({ length: 3 }, () => new Worker(url, { workerData: inside }));
  const met = await Promise.all(threads.map(async (thread) => (await once(thread, "message"))[0]));
  expect(met).toEqual([0, 0, 0]);
  Atomics.store(turn, 0, 1);
  expect(oneThreadAtATime(() => "done")).toBe("done");
});
