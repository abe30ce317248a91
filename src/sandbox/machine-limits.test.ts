import { expect, test } from "vitest";
import { limitsOn, machineNow } from "./machine-limits.ts";

const GiB = 1024 ** 3;

test("half of what is free, and never less than a compiler needs", () => {
  expect(limitsOn({ freeMemory: 16 * GiB, cores: 8 }, {}, 60)).toMatchObject({
    memory: 8 * GiB,
    processes: 1280,
    cpu: 480,
    wallMs: 60_000,
    disk: 2 * GiB,
  });
  expect(limitsOn({ freeMemory: 100, cores: 1 }, {}, 1)).toMatchObject({ memory: GiB / 2, cpu: 1 });
});

test("what the person set counts", () => {
  const chosen = { memory: 1024, disk: 100, processes: 20 };
  expect(limitsOn(machineNow(), chosen, 5)).toMatchObject({
    memory: GiB,
    disk: 100 * 1024 ** 2,
    fileSize: 100 * 1024 ** 2,
    processes: 20,
    wallMs: 5000,
  });
});
