import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Agent } from "../agent/agent.ts";
import type { LogData } from "../agent/log.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { type Fault, faultMessages, faultyStore, type StoreCall } from "../testing/faulty-store.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield, yes } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";
import { placesFrom } from "./places.ts";
import type { Wield } from "./wield.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const create = (path: string) => ({
  tool: "create_file",
  input: { path, content: `${path}\n`, description: "new" },
});
const ring = { tool: "ring", input: {} };
const script = [
  [create("a.txt"), ring],
  [{ tool: "read_file", input: { path: "a.txt" } }, ring],
  [create("b.txt")],
];

/** The next step depends on the conversation alone, as with a real model. */
const steadyModel = () =>
  scriptedModel(({ prompt }) => {
    const calls = script[prompt.filter(({ role }) => role === "assistant").length];
    return calls ? { calls } : { say: "finished" };
  });

interface Trial {
  home: TestWield;
  model: ScriptedModel;
  /** Which calls of `ring` ran, in order: an effect that no journal knows of. */
  rung: string[];
  reopen(fault?: (call: StoreCall) => Fault | undefined): Promise<Wield>;
}

async function newTrial(): Promise<Trial> {
  const rung: string[] = [];
  const bell = defineTool({
    name: "ring",
    title: "Ring",
    description: "Rings once.",
    category: "Test",
    input: z.object({}),
    output: z.object({ rung: z.boolean() }),
    can: ["run"],
    approval: "auto",
    effects: () => [{ kind: "run", command: "ring", network: "off" }],
    execute: async (_input, { callId }) => {
      rung.push(callId);
      return { rung: true };
    },
  });
  const options = { customTools: [bell as never], approve: () => yes };
  const home = await testWield({}, options);
  place = home;
  return {
    home,
    model: steadyModel(),
    rung,
    reopen: (fault) => home.reopen({ ...options, store: faulty(home, fault) }),
  };
}

function faulty({ env }: TestWield, fault: ((call: StoreCall) => Fault | undefined) | undefined): Store {
  return faultyStore(openSqliteStore(placesFrom(env).storeFile), fault ? { fault } : {});
}

async function logOf(wield: Wield): Promise<LogData[]> {
  const [session] = await wield.sessions.list(1);
  const entries = session ? await wield.store.entries(session.id) : [];
  return entries.map(({ data }) => data as LogData);
}

/**
 * Every call of the log has one result, and it tells the truth: what ran is reported as done or as unknown, what did not run
 * as failed. Nothing ran twice, and nothing ran that the log does not know.
 */
async function expectTold({ home, rung }: Trial): Promise<void> {
  const log = await logOf(home.wield);
  const calls = log.flatMap((entry) => (entry.kind === "step" ? entry.calls : []));
  const results = log.flatMap((entry) => (entry.kind === "results" ? entry.results : []));
  const ids = calls.map(({ id }) => id);
  expect(results.map(({ id }) => id)).toEqual(ids);
  const changes = await home.wield.changes.list({ limit: 100 });
  const ran = [...rung, ...changes.map(({ callId }) => callId)];
  expect(new Set(ran).size).toBe(ran.length);
  expect(ids).toEqual(expect.arrayContaining(ran));
  for (const { id, tool, ok, text } of results.filter((result) => result.tool !== "read_file")) {
    if (ran.includes(id)) expect(ok ? "done" : text).toMatch(/done|may have taken effect/);
    else expect({ id, tool, ok }).toEqual({ id, tool, ok: false });
  }
}

/** Sends, and goes on until the run is done; what fails on the way must be said, not hidden. */
async function finish(agent: Agent): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    const result = await (agent.unfinished ? agent.resume() : agent.send("go")).catch(
      (error: Error) => error,
    );
    if (!(result instanceof Error) && result.stop === "done") return;
    const message = result instanceof Error ? result.message : (result.message ?? "");
    expect(message).toMatch(new RegExp(Object.values(faultMessages).join("|")));
  }
  throw new Error("the run does not come to an end");
}

describe.each(["before", "after"] as const)("a store that fails once, %s its work", (fault) => {
  test.each(["the same agent goes on", "a new process goes on"])(
    "at every call in turn: %s, no call is lost or made twice",
    async (who) => {
      const counted = await newTrial();
      let total = 0;
      const calm = await counted.reopen(({ index }) => {
        total = index;
        return undefined;
      });
      await finish(await calm.agent({ model: counted.model }));
      await expectTold(counted);
      expect(counted.rung).toHaveLength(2);
      expect(total).toBeGreaterThan(20);
      await counted.home.close();

      for (let failing = 1; failing <= total; failing++) {
        const trial = await newTrial();
        const wield = await trial.reopen(({ index }) => (index === failing ? fault : undefined));
        const { model } = trial;
        const agent = await wield.agent({ model }).catch(() => wield.agent({ model }));
        if (who === "the same agent goes on") await finish(agent);
        else {
          await agent.send("go").catch(() => undefined);
          const next = await trial.reopen();
          const [known] = await next.sessions.list(1);
          await finish(await next.agent({ model, ...(known && { session: known.id }) }));
        }
        await expectTold(trial);
        await trial.home.close();
      }
      place = undefined;
    },
    240_000,
  );
});

describe("a store that fails for a while", () => {
  test("the run ends with a clear error; what ran is remembered and saved first when the store works again", async () => {
    const trial = await newTrial();
    let broken = false;
    let appended = 0;
    const wield = await trial.reopen(({ method }) => {
      // The person's message, the first step; from the results on, nothing can be written.
      if (method === "appendEntry" && ++appended === 3) broken = true;
      return broken ? "before" : undefined;
    });
    const agent = await wield.agent({ model: trial.model });
    const result = await agent.send("go");
    expect(result).toMatchObject({ stop: "error" });
    expect(result.message).toMatch(/could not be saved \(database or disk is full\)/);
    expect(trial.rung).toHaveLength(1);
    await expect(agent.send("go on")).rejects.toThrow("could not be saved");
    expect(trial.rung).toHaveLength(1);
    broken = false;
    await agent.send("go on");
    expect(trial.rung).toHaveLength(2);
    await expectTold(trial);
    const kinds = (await logOf(trial.home.wield)).map(({ kind }) => kind);
    expect(kinds.slice(0, 5)).toEqual(["user", "step", "results", "end", "user"]);
    expect(kinds.filter((kind) => kind === "user")).toHaveLength(2);
  });

  test("a message that could not be saved and is sent again is one message", async () => {
    const trial = await newTrial();
    let broken = true;
    const wield = await trial.reopen(({ method }) =>
      broken && method === "appendEntry" ? "before" : undefined,
    );
    const agent = await wield.agent({ model: trial.model });
    await expect(agent.send("go")).rejects.toThrow("could not be saved");
    broken = false;
    expect(await agent.send("go")).toMatchObject({ stop: "done" });
    const said = (await logOf(trial.home.wield)).filter(({ kind }) => kind === "user");
    expect(said).toHaveLength(1);
  });
});
