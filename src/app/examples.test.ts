import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agent } from "../../examples/agent.ts";
import { approveAndUndo } from "../../examples/approve-and-undo.ts";
import { customTool } from "../../examples/custom-tool.ts";
import { firstCall } from "../../examples/first-call.ts";
import { research } from "../../examples/research-client.ts";
import { anthropicServer, type WireBlock } from "../testing/anthropic-server.ts";
import { type TestWield, testWield } from "../testing/testing.ts";

let place: TestWield;
const before = { ...process.env };
beforeEach(async () => {
  place = await testWield({ "README.md": "# Title\n", LICENSE: "MIT\n" });
  Object.assign(process.env, place.env);
});
afterEach(async () => {
  Object.assign(process.env, before);
  await place.close();
});

test("first call", () => firstCall(place.root));
test("custom tool", () => customTool(place.root));
test("approve and undo", async () => {
  await approveAndUndo(place.root);
  expect(place.read("README.md")).toBe("# Title\n");
});

test("an agent", async () => {
  await agent(place.root);
  expect(place.read("README.md")).toBe("<!-- Start here. -->\n# Title\n");
});

test("the research client", async () => {
  const github = createServer((request, response) => {
    const isFile = request.url?.endsWith("/ideas/solar/research.md");
    const file = { type: "file", encoding: "base64", size: 7, content: btoa("# Solar") };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isFile ? file : []));
  });
  github.listen(0, "127.0.0.1");
  await once(github, "listening");
  const read = { id: "toolu_1", name: "read_research", input: { path: "solar/research.md" } };
  const page = { url: "https://prices.com/a", title: "Prices" };
  const cited: WireBlock[] = [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "solar roof prices" } },
    {
      ...{ type: "web_search_tool_result", tool_use_id: "srvtoolu_1" },
      content: [{ type: "web_search_result", ...page, encrypted_content: "x", page_age: null }],
    },
    {
      ...{ type: "text", text: "Roofs cost 900 euros." },
      citations: [
        { type: "web_search_result_location", ...page, cited_text: "900 euros", encrypted_index: "x" },
      ],
    },
  ];
  const anthropic = await anthropicServer((_request, index) => ({
    content: index === 0 ? [{ type: "tool_use", ...read }] : cited,
  }));
  try {
    const apiUrl = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
    expect(await research("key-for-tests", anthropic.url, apiUrl)).toBe(
      "Roofs cost 900 euros. [1]\n\n## Sources\n\n1. Prices. <https://prices.com/a>\n",
    );
    expect(JSON.stringify(anthropic.requests[1])).toContain("# Solar");
  } finally {
    await anthropic.close();
    github.close();
  }
});
