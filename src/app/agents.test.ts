import { expect, onTestFinished, test } from "vitest";
import type { LogData } from "../agent/log.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import { faultyStore } from "../testing/faulty-store.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { testWield, yes } from "../testing/testing.ts";
import { placesFrom } from "./places.ts";

const later = 210;

test(`a change whose result was lost is found again behind ${later} later ones, and is not made twice`, async () => {
  const options = { approve: () => yes };
  const place = await testWield({ "a.txt": "one\n", "n.txt": "" }, options);
  onTestFinished(() => place.close());
  // From the call on, nothing more is stored: as if the process had died after the file was written.
  let dead = false;
  const store = faultyStore(openSqliteStore(placesFrom(place.env).storeFile), {
    fault: ({ method }) => {
      dead ||= method === "finishCall";
      return dead ? "before" : undefined;
    },
  });
  const dying = await place.reopen({ ...options, store });
  // Made twice, it would be there twice.
  const edit = { path: "a.txt", edits: [{ oldText: "one\n", newText: "one\none\n" }], description: "d" };
  const model = () =>
    scriptedModel(({ prompt }) =>
      prompt.some(({ role }) => role === "assistant")
        ? { say: "finished" }
        : { calls: [{ tool: "replace_in_file", input: edit }] },
    );
  const first = await dying.agent({ model: model() });
  await first.send("go").catch(() => undefined);
  expect(place.read("a.txt")).toBe("one\none\n");

  const wield = await place.reopen(options);
  for (let at = 0; at < later; at++) await wield.call("write_file", { path: "n.txt", content: `${at}\n` });
  const second = await wield.agent({ model: model(), session: first.session });
  expect(second.unfinished).toBe(true);
  expect((await second.resume()).stop).toBe("done");
  expect(place.read("a.txt")).toBe("one\none\n");
  const log = (await wield.store.entries(first.session)).map(({ data }) => data as LogData);
  const results = log.flatMap((entry) => (entry.kind === "results" ? entry.results : []));
  expect(results).toMatchObject([{ tool: "replace_in_file", ok: true }]);
  const changes = await wield.changes.list({ limit: 1000 });
  expect(changes.filter(({ callId }) => callId === results[0]?.id)).toHaveLength(1);
});
