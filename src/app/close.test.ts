import { expect, test } from "vitest";
import { z } from "zod";
import { scriptedModel } from "../testing/scripted-model.ts";
import { testWield } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";

/** A call that lasts until it is stopped, and says when it has begun. */
function lasting() {
  const begun = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "last",
    title: "Last",
    description: "Lasts until it is stopped.",
    category: "Test",
    input: z.object({}),
    output: z.object({}),
    can: ["run"],
    approval: "auto",
    effects: () => [{ kind: "run", command: "last", network: "off" }],
    execute: async (_input, { signal }) => {
      begun.resolve();
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
      return {};
    },
  });
  return { begun: begun.promise, options: { customTools: [tool as never] } };
}

test("closing stops a call under way and waits for its end; later calls are refused with a sentence", async () => {
  const { begun, options } = lasting();
  const { wield, close } = await testWield({ "a.txt": "a\n" }, options);
  const call = wield.callAny("last", {});
  await begun;
  await wield.close();
  expect((await call).result).toMatchObject({ ok: false, error: { code: "ABORTED" } });
  await expect(wield.call("read_file", { path: "a.txt" })).rejects.toThrow("Wield is closed");
  await expect(wield.sessions.list()).rejects.toThrow("The store is closed");
  await close();
});

test("closing in the middle of a run leaves a whole log: the session can be resumed", async () => {
  const { begun, options } = lasting();
  const place = await testWield({}, options);
  const model = scriptedModel([{ calls: [{ tool: "last", input: {} }] }, { say: "Stopped, I see." }]);
  const agent = await place.wield.agent({ model });
  const run = agent.send("go");
  await begun;
  await place.wield.close();
  expect(await run).toMatchObject({ stop: "aborted" });
  await expect(agent.send("more")).rejects.toThrow("Wield is closed");
  const next = await place.reopen(options);
  const kinds = (await next.store.entries(agent.session)).map(({ data }) => (data as { kind: string }).kind);
  expect(kinds).toEqual(["user", "step", "results", "end"]);
  const again = await next.agent({ model, session: agent.session });
  expect(await again.resume()).toMatchObject({ stop: "done", text: "Stopped, I see." });
  await place.close();
});
