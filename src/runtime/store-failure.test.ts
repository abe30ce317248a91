import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Answer } from "../approval/approval.ts";
import type { Store } from "../store/store.ts";
import fc from "../testing/properties.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { createRuntime, type Runtime } from "./runtime.ts";

const open: TestWield[] = [];
afterEach(async () => {
  for (const place of open.splice(0)) await place.close();
});

/** A runtime on real parts, whose store fails where the test wants it to, before or after it did its work. */
async function start(approve?: () => Answer) {
  const place = await testWield({ "a.txt": "old\n" });
  open.push(place);
  const runs: string[] = [];
  const count = defineTool({
    name: "count",
    title: "Count",
    description: "made for a test",
    category: "Test",
    input: z.object({ n: z.string() }),
    output: z.string(),
    can: ["run"],
    approval: "auto",
    effects: ({ n }) => [{ kind: "run", command: n, network: "off" }],
    execute: async ({ n }) => {
      runs.push(n);
      return n;
    },
  });
  place.wield.tools.registry.register(count as unknown as Tool);
  let fails: (method: string) => "before" | "after" | undefined = () => undefined;
  const store = new Proxy(place.wield.store, {
    get: (target, method: keyof Store) => {
      const real = target[method] as (...given: unknown[]) => unknown;
      return async (...given: unknown[]) => {
        const when = fails(method);
        if (when === "before") throw new Error("disk full");
        const value = await real.apply(target, given);
        if (when === "after") throw new Error("disk full");
        return value;
      };
    },
  });
  const runtime: Runtime = createRuntime({
    registry: place.wield.tools.registry,
    workspace: place.wield.workspace,
    store,
    session: "w_test",
    policy: () => place.wield.settings.policy(),
    asker: () => approve && (async (asks) => asks.map(() => approve())),
    remember: async () => undefined,
    disabled: () => undefined,
    run: () => Promise.reject(new Error("not needed")),
    emit: () => undefined,
  });
  const failOn = (...methods: string[]) => {
    fails = (method) => (methods.includes(method) ? "before" : undefined);
  };
  return {
    ...{ place, runtime, runs, failOn },
    failAs: (how: typeof fails) => {
      fails = how;
    },
  };
}

const count = { id: "c_0000000001", tool: "count", input: { n: "one" } };

describe("a store that fails", () => {
  test("before the call: nothing runs, and the result says why", async () => {
    const { runtime, runs, failOn } = await start();
    failOn("recordCall");
    const { result, text } = await runtime.call(count);
    expect(result).toMatchObject({ ok: false, error: { code: "UNAVAILABLE" } });
    expect(text).toContain("was not run");
    expect(text).toContain("disk full");
    expect(runs).toEqual([]);
  });

  test("after the call: the result is told, stored later, and the call does not run again", async () => {
    const { runtime, runs, failOn, place } = await start();
    failOn("finishCall");
    const first = await runtime.call(count);
    expect(first.result).toEqual({ ok: true, value: "one" });
    expect(first.text).toContain("could not store its record: disk full");
    expect(await place.wield.store.result(count.id)).toBeUndefined();
    expect(await runtime.call(count)).toBe(first);
    expect(runs).toEqual(["one"]);
    failOn();
    await runtime.call({ tool: "read_file", input: { path: "a.txt" } });
    expect(await place.wield.store.result(count.id)).toMatchObject({ tool: "count" });
    expect(await place.wield.store.call(count.id)).toMatchObject({ ok: true });
  });

  test("a file that was written is not reported as a failure", async () => {
    const { runtime, failAs, place } = await start(() => ({ approved: true }));
    failAs((method) => (method === "finishCall" ? "before" : undefined));
    const { result } = await runtime.call({ tool: "write_file", input: { path: "a.txt", content: "new\n" } });
    expect(result.ok).toBe(true);
    expect(place.read("a.txt")).toBe("new\n");
  });

  test("while a question is stored: nobody is asked, nothing is changed, nothing stays open", async () => {
    let asked = 0;
    const { runtime, failOn, place } = await start(() => ({ approved: ++asked > 0 }));
    failOn("savePending");
    const overwrite = { tool: "write_file", input: { path: "a.txt", content: "new\n" } };
    expect((await runtime.call(overwrite)).result).toMatchObject({ error: { code: "UNAVAILABLE" } });
    expect([asked, place.read("a.txt"), await place.wield.approvals.pending()]).toEqual([0, "old\n", []]);
  });

  test("while an answer is taken: nobody knows who answered first, so nothing is changed", async () => {
    const { runtime, failOn, place } = await start(() => ({ approved: true }));
    failOn("takePending");
    const overwrite = { tool: "write_file", input: { path: "a.txt", content: "new\n" } };
    const { result, text } = await runtime.call(overwrite);
    expect(result.ok).toBe(false);
    expect(text).toContain("Nothing was run, because Wield could not store the answer");
    expect(place.read("a.txt")).toBe("old\n");
  });

  test("wherever it fails: a step never rejects, and no call runs twice", async () => {
    const { runtime, runs, failAs } = await start(() => ({ approved: true }));
    let id = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.constantFrom(undefined, undefined, "before" as const, "after" as const)),
        async (faults) => {
          failAs(() => faults.next().value);
          const calls = Array.from({ length: 3 }, () => {
            const n = `c_${String(++id).padStart(10, "0")}`;
            return { id: n, tool: "count", input: { n } };
          });
          const outcomes = await runtime.step(calls);
          for (const [at, { result }] of outcomes.entries()) {
            const ran = runs.filter((one) => one === calls[at]?.id).length;
            expect(ran).toBe(result.ok ? 1 : 0);
          }
          failAs(() => undefined);
          for (const [at, call] of calls.entries())
            if (outcomes[at]?.text.includes("could not store")) await runtime.call(call);
          for (const { id: n } of calls)
            expect(runs.filter((one) => one === n).length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 60 },
    );
  });
});
