import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { profiles } from "../agent/profiles.ts";
import type { Block, MessagesRequest } from "../testing/anthropic-request.ts";
import { type AnthropicServer, anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import type { Tool } from "../tool/tool.ts";
import { builtinNames, twins } from "../toolsets/toolsets.ts";
import { runCli } from "./run-cli.suite.ts";

/** Every tool, called by a model over the real wire in at most three steps: find it, call it, answer. */

let place: TestWield;
let server: AnthropicServer;
let tools: Map<string, Tool>;
beforeAll(async () => {
  server = await anthropicServer(answer);
  place = await testWield({ "src/app.ts": "export function start() {}\n", "README.md": "# App\n" });
  const web = { research: { repository: "someone/notes", apiUrl: "http://127.0.0.1:9" } };
  place.writeConfig("settings.json", JSON.stringify({ web }));
  const wield = await place.reopen();
  tools = new Map(wield.tools.list().map((tool) => [tool.name, tool]));
});
afterAll(async () => {
  await server.close();
  await place.close();
});

/** The model looks for the tool that the question names, unless it is described already, then calls it with its example. */
function answer({ messages, tools: told = [] }: MessagesRequest): WireReply {
  const text = JSON.stringify(messages[0]);
  const tool = tools.get(/Use (\w+)\./.exec(text)?.[1] ?? "");
  if (!tool) throw new Error(`no tool in ${text}`);
  const isTold = told.some(({ name }) => name === tool.name);
  const results = resultsIn(messages);
  if (results.length === 0 && !isTold) {
    const query = `${tool.title}: ${tool.description}`.slice(0, 300);
    return { content: [{ type: "tool_use", id: "toolu_find", name: "searchTools", input: { query } }] };
  }
  const called = results.some(({ tool_use_id }) => tool_use_id === "toolu_call");
  if (called) return { content: [{ type: "text", text: "Done." }] };
  const input = tool.examples[0]?.input ?? {};
  return { content: [{ type: "tool_use", id: "toolu_call", name: tool.name, input }] };
}

function resultsIn(messages: MessagesRequest["messages"]): Block[] {
  return messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : (content as Block[])))
    .filter(({ type }) => type === "tool_result");
}

describe("wield ask", () => {
  test.each(builtinNames)("%s", async (name) => {
    server.requests.length = 0;
    const env = { ...place.env, ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
    const { code, err } = await runCli({ ...place, env }, ["ask", `Use ${name}.`]);
    // 8: the call was found and needs a person.
    expect([0, 8], err).toContain(code);
    expect(server.requests.length).toBeLessThanOrEqual(3);
    const results = resultsIn(server.requests.at(-1)?.messages ?? []);
    const textOf = (id: string) =>
      JSON.stringify(results.find(({ tool_use_id }) => tool_use_id === id) ?? "");
    expect(textOf("toolu_call")).not.toMatch(/^""$|UNKNOWN_TOOL|INTERNAL_ERROR|called with wrong input/);
    // Of two names for one engine one is shown, and the other still works; what searches is not searched for.
    const isShown = !twins.some((pair) => pair.some((twin) => twin === name));
    if (textOf("toolu_find") !== '""' && isShown && tools.get(name)?.category !== "Discovery")
      expect(textOf("toolu_find")).toContain(name);
  });

  test("what is in the core of a profile is there", () => {
    const names = new Set([...tools.keys(), "explore"]);
    for (const { core } of Object.values(profiles))
      expect(core.filter((name) => !names.has(name))).toEqual([]);
  });
});
