import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";

const wieldScript = join(import.meta.dirname, "wield.ts");
let place: TestWield | undefined;
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await place?.close();
});

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An answer of an OpenAI-compatible server: words, or calls of `web_search`. */
function streamed(response: ServerResponse, words: string, queries: readonly string[] = []): void {
  const calls = queries.map((query, index) => ({
    ...{ index, id: `call_${query}`, type: "function" },
    function: { name: "web_search", arguments: JSON.stringify({ query }) },
  }));
  const delta = { role: "assistant", content: words, ...(calls.length > 0 && { tool_calls: calls }) };
  const chunk = (choice: object) => ({
    ...{ id: "x", object: "chat.completion.chunk", created: 1, model: "m" },
    choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }],
  });
  response.writeHead(200, { "content-type": "text/event-stream" });
  const parts = [chunk({ delta }), chunk({ finish_reason: calls.length > 0 ? "tool_calls" : "stop" })];
  response.end(`${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("")}data: [DONE]\n\n`);
}

test("killed in the middle, a research goes on and repeats no search", async () => {
  const searched: string[] = [];
  const searx = await listen((request, response) => {
    const query = new URL(request.url ?? "", "http://x").searchParams.get("q") ?? "";
    searched.push(query);
    const results = [{ title: `About ${query}`, url: `https://${query}.com/`, content: "text" }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ results }));
  });
  const asked: string[] = [];
  const firstFindings = Promise.withResolvers<void>();
  const model = await listen((request, response) => {
    void request.toArray().then((chunks) => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString());
      const task = String(messages.find(({ role }: { role: string }) => role === "user").content);
      const hasResults = messages.some(({ role }: { role: string }) => role === "tool");
      const question = /Find out: question (\w+)/.exec(task)?.[1];
      const phase = question ?? (task.startsWith("Plan") ? "plan" : "report");
      asked.push(`${phase}${hasResults ? " with results" : ""}`);
      if (phase === "plan") return streamed(response, "- question one\n- question two");
      if (phase === "report") return streamed(response, "# Report\n\nBoth [1], [2].");
      if (!hasResults) return streamed(response, "", [`${phase}-a`, `${phase}-b`]);
      // The first process never gets the findings of the second question: it hangs here, and is killed.
      if (question === "two" && asked.filter((what) => what === "two with results").length === 1)
        return firstFindings.resolve();
      const number = question === "one" ? 1 : 2;
      return streamed(response, `Known of ${question} [${number}].`);
    });
  });
  place = await testWield();
  const env = { ...place.env, SEARXNG_URL: searx, WIELD_MODEL: `${model}/v1#m` };
  const process1 = spawn(process.execPath, [wieldScript, "research", "An idea"], {
    cwd: place.root,
    env,
    stdio: "ignore",
  });
  await firstFindings.promise;
  process1.kill("SIGKILL");
  await once(process1, "exit");
  expect(searched.toSorted()).toEqual(["one-a", "one-b", "two-a", "two-b"]);

  const { code, out, err } = await runCli({ ...place, env }, ["research", "--continue"]);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(searched).toHaveLength(4);
  expect(asked.filter((what) => what === "plan")).toHaveLength(1);
  expect(asked.filter((what) => what === "one")).toHaveLength(1);
  expect(asked.filter((what) => what === "two")).toHaveLength(1);
  expect(out).toContain("Both [1], [2].\n\n## Sources\n\n1. About one-a. <https://one-a.com/>");
  const log = place.read(/Log: (\S+)/.exec(err)?.[1] ?? "");
  for (const query of searched) expect(log).toContain(`\`${query}\``);

  // Continued once more, nothing is asked or searched, and the files are the same.
  const requests = asked.length;
  const again = await runCli({ ...place, env }, ["research", "--continue"]);
  expect(again).toMatchObject({ code: 0, out });
  expect(asked).toHaveLength(requests);
  expect(/Report: \S+/.exec(again.err)?.[0]).toBe(/Report: \S+/.exec(err)?.[0]);
  expect(again.err).toContain("This research is finished: no model is asked");
});
