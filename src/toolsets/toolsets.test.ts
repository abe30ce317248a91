import { expect, test } from "vitest";
import { testWield } from "../testing/testing.ts";
import { builtinNames, toolsets, twins } from "./toolsets.ts";

test.each(Object.entries(toolsets) as [string, readonly string[]][])(
  "the toolset %s names tools that exist, each once, and no twins",
  (_set, names) => {
    expect(new Set(names).size).toBe(names.length);
    expect(builtinNames).toEqual(expect.arrayContaining([...names]));
    for (const pair of twins)
      expect(pair.filter((name) => names.includes(name)).length).toBeLessThanOrEqual(1);
  },
);

test("every name of the table is the name of its tool", async () => {
  const place = await testWield({}, { settings: { web: { research: { repository: "owner/ideas" } } } });
  expect(
    place.wield.tools
      .list()
      .map((tool) => tool.name)
      .sort(),
  ).toEqual([...builtinNames].sort());
  await place.close();
});

test("read_research is there only when a repository is named", async () => {
  const place = await testWield();
  expect(place.wield.tools.registry.get("read_research")).toBeUndefined();
  await place.close();
});
