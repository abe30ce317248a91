import { expect, test } from "vitest";
import { testWield } from "../testing/testing.ts";
import { runOpenCalls } from "./run-calls.ts";

test("after an interruption every change of a call is found, and one that was undone is not called applied", async () => {
  const place = await testWield({});
  const { workspace, store } = place.wield;
  const by = { callId: "c_lost", tool: "write_file", description: "made" };
  for (const path of ["a.txt", "b.txt"])
    await workspace.apply([{ op: "write", path, bytes: Buffer.from("new\n") }], by);
  await workspace.reverse("undo", { steps: 1 }, { ...by, callId: "c_undo" });
  const ran: unknown[] = [];
  const [outcome] = await runOpenCalls(
    [{ id: "c_lost", ref: "r", tool: "write_file", input: {} }],
    true,
    "s",
    {
      runtime: {
        step: async (calls) => {
          ran.push(...calls);
          return [];
        },
      },
      store,
      changes: (callIds) => workspace.changes({ callIds }),
      toolOf: () => undefined,
      budget: 8000,
    },
    new AbortController().signal,
  );
  expect(ran).toEqual([]);
  expect(outcome?.text).toMatch(/Applied and undone since \(change \w+\):(.|\n)*b\.txt/);
  expect(outcome?.text).toMatch(/Applied \(change \w+\):(.|\n)*a\.txt/);
  expect(outcome?.changes.flatMap(({ files }) => files.map(({ path }) => path))).toEqual(["a.txt"]);
  await place.close();
});
