import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { limitWork } from "./work-limit.ts";

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

async function start(program: string): Promise<Worker> {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     parentPort.on("message", () => { ${program} parentPort.postMessage("done"); });`,
    { eval: true },
  );
  workers.push(worker);
  await once(worker, "online");
  return worker;
}

test("a thread that waits for the machine is not given up: only its work counts", async () => {
  const worker = await start(`Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);`);
  const gaveUp = Promise.withResolvers<string>();
  const end = limitWork(worker, 1_000, () => gaveUp.resolve("given up"));
  worker.postMessage("begin");
  expect(await Promise.race([once(worker, "message"), gaveUp.promise])).toEqual(["done"]);
  end();
});

test("a thread that works on and on is given up", async () => {
  const worker = await start("for (;;);");
  const gaveUp = Promise.withResolvers<string>();
  const end = limitWork(worker, 50, () => gaveUp.resolve("given up"));
  worker.postMessage("begin");
  expect(await Promise.race([once(worker, "message"), gaveUp.promise])).toBe("given up");
  end();
});
