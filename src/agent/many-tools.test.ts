import { rmSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { scriptedModel } from "../testing/scripted-model.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { estimateTokens } from "../text/tokens.ts";
import { defineTool } from "../tool/define-tool.ts";

function deferred(name: string, category: string, description: string) {
  return defineTool({
    ...{ name, category, description, title: name, loading: "deferred" },
    input: z.object({ harbour: z.string().default("") }),
    output: z.object({ metres: z.number() }),
    execute: async ({ harbour }) => ({ metres: harbour.length }),
  });
}

const kinds = ["invoice", "customer", "shipment", "contract", "ticket"];
const tools = [
  deferred("getTides", "Sea", "Height of the tide at a harbour."),
  ...Array.from({ length: 499 }, (_, i) =>
    deferred(
      `export_${kinds[i % 5]}_${i}`,
      `Department ${i % 25}`,
      `Export ${kinds[i % 5]} records of unit ${i}.`,
    ),
  ),
];

let place: TestWield;
beforeEach(async () => {
  place = await testWield({}, { customTools: tools });
});
afterEach(() => place.close());

test("a model finds one tool among 500 and calls it in three steps", async () => {
  const model = scriptedModel([
    { calls: [{ tool: "searchTools", input: { query: "height of the tide" } }] },
    { calls: [{ tool: "getTides", input: { harbour: "Oslo" } }] },
    { say: "Four metres." },
  ]);
  const agent = await place.wield.agent({ model });
  const { text } = await agent.send("How high is the tide in Oslo?");
  expect(text).toBe("Four metres.");
  const told = model.requests.map((request) => request.tools?.map((tool) => tool.name) ?? []);
  expect(told).toHaveLength(3);
  expect(told[0]).toContain("searchTools");
  expect(told[0]?.filter((name) => name.startsWith("export_") || name === "getTides")).toEqual([]);
  expect(told[1]?.at(-1)).not.toBe("searchTools");
  expect(told[1]).toContain("getTides");
  const [system] = model.requests[0]?.prompt ?? [];
  expect(JSON.stringify(system)).toContain("**Department 3** (20)");
  expect(estimateTokens(JSON.stringify(system))).toBeLessThan(2000);
});

test("a deferred tool that is called without a search just works", async () => {
  const model = scriptedModel([
    { calls: [{ tool: "getTides", input: { harbour: "Bergen" } }] },
    { say: "Six." },
  ]);
  const agent = await place.wield.agent({ model });
  await agent.send("Tide in Bergen?");
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain("6");
  expect(JSON.stringify(model.requests[1]?.prompt)).not.toContain("UNKNOWN_TOOL");
});

test("one chat does not teach another", async () => {
  const query = "height of the tide";
  const searching = await place.wield.agent({
    model: scriptedModel([{ calls: [{ tool: "searchTools", input: { query } }] }, { say: "Found." }]),
  });
  await searching.send("Find it.");
  const calling = await place.wield.agent({
    model: scriptedModel([{ calls: [{ tool: "getTides", input: {} }] }, { say: "Done." }]),
  });
  await calling.send("Tide?");
  expect(await place.wield.store.uses().recent(5)).toEqual(new Map());
  const both = await place.wield.agent({
    model: scriptedModel([
      { calls: [{ tool: "searchTools", input: { query } }] },
      { calls: [{ tool: "getTides", input: {} }] },
      { say: "Done." },
    ]),
  });
  await both.send("Find it and call it.");
  expect(await place.wield.store.uses().recent(5)).toEqual(new Map([["getTides", [query]]]));
});

test("the offline model does the same", async () => {
  const agent = await place.wield.agent({ model: "offline" });
  const steps: string[] = [];
  place.wield.on((event) => {
    if (event.type === "call-start") steps.push(event.tool);
  });
  const { text } = await agent.send('Use a tool to read the height of the tide with {"harbour": "Oslo"}');
  expect(steps).toEqual(["searchTools", "getTides"]);
  expect(text).toContain('"metres": 4');
});

test("a tool that is added while the agent works is there at its next step, and gone when it is removed", async () => {
  const file = () =>
    place.writeConfig(
      "tools/anchor.ts",
      `import { defineTool } from "wield";
       import { z } from "zod";
       export default defineTool({
         name: "drop_anchor", title: "Anchor", description: "Drop the anchor.", category: "Sea",
         input: z.object({}), output: z.object({ held: z.boolean() }),
         execute: async () => ({ held: true }),
       });`,
    );
  let written = "";
  const model = scriptedModel((_, index) => {
    if (index === 0) written = file();
    if (index === 2) rmSync(written);
    return (
      [
        { calls: [{ tool: "getTides", input: { harbour: "Oslo" } }] },
        { calls: [{ tool: "drop_anchor", input: {} }] },
        { calls: [{ tool: "getTides", input: { harbour: "Bergen" } }] },
        { calls: [{ tool: "drop_anchor", input: {} }] },
      ][index] ?? { say: "Held." }
    );
  });
  const agent = await place.wield.agent({ model });
  await agent.send("Anchor in Oslo.");
  const prompts = model.requests.map((request) => JSON.stringify(request.prompt));
  expect(prompts[0]).not.toContain("drop_anchor");
  expect(prompts[1]).toContain("New tools are there: drop_anchor.");
  expect(prompts[2]).toContain('held\\": true');
  expect(prompts[3]).not.toContain("UNKNOWN_TOOL");
  expect(prompts[4]).toContain("UNKNOWN_TOOL");
});
