import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { testWield } from "../testing/testing.ts";
import { finishReport } from "./report.ts";

const said = "Roofs cost 900 euros ([prices.com](https://prices.com/a)). They last twenty years.";
const citation = {
  ...{ type: "url_citation", url: "https://prices.com/a", title: "Prices of roofs" },
  start_index: said.indexOf("([prices"),
  end_index: said.indexOf("). They") + 1,
};

/** OpenAI's streamed Responses API: a search that OpenAI runs, and an answer that cites it. */
function eventsOf(): object[] {
  const search = {
    ...{ type: "web_search_call", id: "ws_1", status: "completed" },
    action: { type: "search", query: "solar roof price" },
  };
  const message = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [] };
  const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5.6", output: [] };
  const usage = { input_tokens: 50, output_tokens: 9, total_tokens: 59 };
  return [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { ...search, status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item: search },
    { type: "response.output_item.added", output_index: 1, item: message },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 1, content_index: 0, delta: said },
    {
      ...{
        type: "response.output_text.annotation.added",
        item_id: "msg_1",
        output_index: 1,
        content_index: 0,
      },
      ...{ annotation_index: 0, annotation: citation },
    },
    { type: "response.output_item.done", output_index: 1, item: message },
    { type: "response.completed", response: { ...response, status: "completed", usage } },
  ];
}

test("what OpenAI's own search cites becomes a number and a source with its title", async () => {
  const requests: { tools?: { type: string }[] }[] = [];
  const server = createServer((incoming, response) => {
    void incoming.toArray().then((chunks) => {
      requests.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        eventsOf()
          .map((event) => `data: ${JSON.stringify(event)}\n\n`)
          .join(""),
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const place = await testWield();
  try {
    const env = { ...place.env, OPENAI_API_KEY: "key-for-tests", OPENAI_BASE_URL: url };
    const wield = await place.reopen({ env });
    const searches: string[] = [];
    wield.on((event) => {
      if (event.type === "search-add") searches.push(event.query);
    });
    const agent = await wield.agent({ profile: "research", model: "openai" });
    const { text, sources, stop, message } = await agent.send("What do solar roofs cost?");
    expect({ stop, message }).toEqual({ stop: "done" });
    expect(requests[0]?.tools).toContainEqual(expect.objectContaining({ type: "web_search" }));
    expect(searches).toEqual(["solar roof price"]);
    expect(text).toBe(
      "Roofs cost 900 euros [1]. They last twenty years.\n\n## Sources\n\n- [1] Prices of roofs. <https://prices.com/a>\n",
    );
    expect(finishReport(text, sources).text).toContain("1. Prices of roofs. <https://prices.com/a>");
  } finally {
    await place.close();
    server.close();
  }
});
