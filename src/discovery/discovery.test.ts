import { describe, expect, test } from "vitest";
import { z } from "zod";
import { estimateTokens } from "../text/tokens.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import { catalogueText } from "./catalogue.ts";
import { createDiscovery } from "./discovery.ts";
import { isSwitchedOff } from "./switches.ts";

function tool(
  name: string,
  category: string,
  description: string,
  loading: "core" | "deferred" = "deferred",
): Tool {
  return defineTool({
    ...{ name, category, description, loading, title: name },
    input: z.object({ text: z.string() }),
    output: z.object({}),
    execute: async () => ({}),
  }) as unknown as Tool;
}

describe("discovery", () => {
  test("follows tools that come, change and go", () => {
    let tools = [tool("a", "X", "paint a picture")];
    const discovery = createDiscovery({
      tools: () => tools,
      uses: () => new Map(),
      recordUse: () => undefined,
    });
    expect(discovery.search("picture").map((t) => t.name)).toEqual(["a"]);
    tools = [...tools, tool("b", "X", "print a picture")];
    expect(discovery.search("print").map((t) => t.name)).toEqual(["b"]);
    tools = [tool("a", "X", "sing a song")];
    expect(discovery.search("picture")).toEqual([]);
    expect(discovery.search("song").map((t) => t.name)).toEqual(["a"]);
  });

  test("a category limits the search, in any case of letters", () => {
    const tools = [tool("a", "Music", "play a song"), tool("b", "Games", "play a game")];
    const discovery = createDiscovery({
      tools: () => tools,
      uses: () => new Map(),
      recordUse: () => undefined,
    });
    expect(discovery.search("play", { category: "games" }).map((t) => t.name)).toEqual(["b"]);
  });

  test("a search that led to a call is remembered once; a call without a search is not", () => {
    const tools = [tool("a", "X", "paint a picture"), tool("b", "X", "sing")];
    const recorded: string[] = [];
    const discovery = createDiscovery({
      tools: () => tools,
      uses: () => new Map(),
      recordUse: (query, name) => recorded.push(`${query} → ${name}`),
    });
    discovery.called("a");
    discovery.discover("paint");
    discovery.called("b");
    discovery.called("a");
    discovery.called("a");
    expect(recorded).toEqual(["paint → a"]);
  });

  test("what was found is kept in the order of finding", () => {
    const tools = [tool("a", "X", "paint"), tool("b", "X", "sing")];
    const discovery = createDiscovery({
      tools: () => tools,
      uses: () => new Map(),
      recordUse: () => undefined,
    });
    discovery.discover("sing");
    discovery.discover("paint");
    discovery.search("nothing of this session");
    expect(discovery.discovered()).toEqual(["b", "a"]);
  });
});

describe("the catalogue in the prompt", () => {
  const many = (count: number, categories: number) =>
    Array.from({ length: count }, (_, i) =>
      tool(`tool_with_a_long_name_${i}`, `Category number ${i % categories}`, "does something"),
    );

  test("names the deferred tools by category, core ones not", () => {
    const text = catalogueText([
      tool("getWeather", "Utility", "weather"),
      tool("browseWeb", "Web Content", "read"),
      tool("readPlan", "Planning", "plan", "core"),
    ]);
    expect(text).toContain("- **Utility**: getWeather\n- **Web Content**: browseWeb");
    expect(text).not.toContain("readPlan");
    expect(catalogueText([tool("readPlan", "Planning", "plan", "core")])).toBe("");
  });

  test("what a profile puts first comes first, its categories too, and the rest in alphabetical order", () => {
    const text = catalogueText(
      [
        tool("a_tool", "A", "a"),
        tool("close", "Browser", "c"),
        tool("another", "Browser", "c"),
        tool("navigate", "Browser", "n"),
        tool("weather", "Utility", "w"),
      ],
      ["agent-browser"],
      600,
      ["navigate", "close", "weather"],
    );
    expect(text).toMatch(
      /FIRST searchTools .* THEN optionally readSkill .*\n- \*\*Browser\*\*: navigate, close, another\n- \*\*Utility\*\*: weather\n- \*\*A\*\*: a_tool\nSkills: agent-browser$/,
    );
  });

  test.each([
    [500, 20],
    [5_000, 90],
    [20_000, 4_000],
  ])("%i tools in %i categories stay within 1,000 tokens, in stable order", (count, categories) => {
    const tools = many(count, categories);
    const text = catalogueText(tools);
    expect(estimateTokens(text)).toBeLessThanOrEqual(1000);
    expect(catalogueText(tools.toReversed())).toBe(text);
    expect(text).toMatch(/\*\*Category number \d+\*\*/);
  });
});

describe("switches", () => {
  const weather = { name: "getWeather", category: "Utility" };
  const off = (...names: string[]) => ({ off: names, on: [] });
  test.each([
    ["nothing said", [], false],
    ["its category is off", [off("Utility")], true],
    ["its category is off, it is on", [{ off: ["Utility"], on: ["getWeather"] }], false],
    ["it is off, its category on", [{ off: ["getWeather"], on: ["Utility"] }], true],
    ["a later layer switches it on", [off("Utility"), { off: [], on: ["Utility"] }], false],
    ["a later layer switches it off", [{ off: [], on: ["getWeather"] }, off("getWeather")], true],
  ])("%s", (_name, layers, expected) => {
    expect(isSwitchedOff(weather, layers)).toBe(expected);
  });

  test("discovery tools stay on", () => {
    const layers = [off("searchTools", "readSkill", "searchSkills", "Discovery")];
    for (const name of ["searchTools", "readSkill", "searchSkills"])
      expect(isSwitchedOff({ name, category: "Discovery" }, layers)).toBe(false);
  });
});
