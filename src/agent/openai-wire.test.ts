import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { testWield } from "../testing/testing.ts";

interface ChatRequest {
  stream: boolean;
  messages: { role: string; content: string | null; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools: { type: string; function: { name: string; parameters: { type: string } } }[];
}

/** A server that speaks OpenAI's streamed chat completions: deltas, one answer a request. */
async function chatServer(answers: object[][]) {
  const requests: ChatRequest[] = [];
  const server = createServer((incoming, response) => {
    void incoming.toArray().then((chunks) => {
      const index = requests.push(JSON.parse(Buffer.concat(chunks).toString())) - 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const deltas = answers[index] ?? [];
      const finish = JSON.stringify(deltas).includes("tool_calls") ? "tool_calls" : "stop";
      const chunk = (more: object) => ({
        id: "x",
        object: "chat.completion.chunk",
        created: 1,
        model: "m",
        ...more,
      });
      const parts = [
        ...deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
        chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
        chunk({ choices: [], usage: { prompt_tokens: 40, completion_tokens: 4, total_tokens: 44 } }),
      ];
      response.end(`${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("")}data: [DONE]\n\n`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, close };
}

test("any OpenAI-compatible server: streamed calls in pieces, results by id, usage", async () => {
  const call = (index: number, id: string, json: string) => [
    {
      tool_calls: [
        { index, id, type: "function", function: { name: "read_file", arguments: json.slice(0, 5) } },
      ],
    },
    { tool_calls: [{ index, function: { arguments: json.slice(5) } }] },
  ];
  const server = await chatServer([
    [
      { role: "assistant", content: "Looking." },
      ...call(0, "call_a", '{"path":"a.txt"}'),
      ...call(1, "call_b", '{"path":"missing"}'),
    ],
    [{ role: "assistant", content: "It says " }, { content: "hello." }],
  ]);
  const place = await testWield({ "a.txt": "hello\n" });
  try {
    const agent = await place.wield.agent({ model: `${server.url}#m` });
    expect(await agent.send("What is in a.txt?")).toMatchObject({
      stop: "done",
      text: "It says hello.",
      steps: 2,
      usage: { inputTokens: 80, outputTokens: 8 },
    });
    const [first, second] = server.requests;
    expect(first?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(first?.tools.find((tool) => tool.function.name === "read_file")).toMatchObject({
      type: "function",
      function: { parameters: { type: "object" } },
    });
    expect(second?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "tool"]);
    expect(second?.messages.slice(3).map(({ tool_call_id }) => tool_call_id)).toEqual(["call_a", "call_b"]);
    expect(second?.messages[3]?.content).toContain("hello");
    expect(second?.messages[4]?.content).toContain("FILE_NOT_FOUND");
  } finally {
    await place.close();
    await server.close();
  }
});
