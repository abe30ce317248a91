import { expect, test } from "vitest";
import { testWield } from "../testing/testing.ts";
import { toolsets, twins } from "./toolsets.ts";

test("toolsets name tools that exist, each once, and never twins", async () => {
  const place = await testWield();
  for (const names of Object.values(toolsets) as (readonly string[])[]) {
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect([name, place.wield.registry.get(name)?.name]).toEqual([name, name]);
    for (const pair of twins)
      expect(pair.filter((name) => names.includes(name)).length).toBeLessThanOrEqual(1);
  }
  place.close();
});
