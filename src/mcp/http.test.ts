import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { type McpHttp, serveMcpHttp } from "./http.ts";
import { createMcp } from "./server.ts";

// Clients that do what no library does: the handler is called with requests written by hand.

let place: TestWield;
let served: McpHttp;
beforeEach(async () => {
  place = await testWield({ "a.txt": "one\n", "b.txt": "one\n" }, { tools: "workspace" });
  served = serveMcpHttp(createMcp(place.wield));
});
afterEach(async () => {
  await served.close();
  await place.close();
});

type Json = Record<string, unknown>;

function post(body: Json, headers: Record<string, string> = {}): Promise<Response> {
  return served.fetch(
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    }),
  );
}

/** The messages of an event stream, as they come. */
async function* messages(
  response: Response,
): AsyncGenerator<Json & { id?: number; result: Json; params: Json }> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}

describe("a current client", () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const call = async (path: string, more: Json = {}) => {
    const params = { name: "write_file", arguments: { path, content: "two\n" }, _meta: meta, ...more };
    const headers = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "write_file",
    };
    const response = await post({ id: 1, method: "tools/call", params }, headers);
    return (await response.json()) as { result: Json; error?: Json };
  };
  const ask = async (path: string) => {
    const { result } = await call(path);
    expect(result).toMatchObject({ resultType: "input_required" });
    const id = Object.keys(result["inputRequests"] as Json)[0] ?? "";
    return {
      requestState: result["requestState"],
      inputResponses: { [id]: { action: "accept", content: {} } },
    };
  };

  test("an answer counts once", async () => {
    const answer = await ask("a.txt");
    expect((await call("a.txt", answer)).result).toMatchObject({ structuredContent: { path: "a.txt" } });
    place.write("a.txt", "three\n");
    expect((await call("a.txt", answer)).error).toMatchObject({ code: -32602 });
    expect(place.read("a.txt")).toBe("three\n");
  });

  test.each([
    [
      "an invented state",
      async () => ({ ...(await ask("a.txt")), requestState: "00000000-0000-4000-8000-000000000000" }),
    ],
    ["the answer to another call", () => ask("b.txt")],
  ])("%s executes nothing", async (_what, forge) => {
    expect((await call("a.txt", await forge())).error).toMatchObject({ code: -32602 });
    expect(place.read("a.txt")).toBe("one\n");
    expect(place.read("b.txt")).toBe("one\n");
  });

  test("an answer without a question only asks", async () => {
    const { inputResponses } = await ask("a.txt");
    const { result } = await call("a.txt", { inputResponses });
    expect(result).toMatchObject({ resultType: "input_required" });
    expect(place.read("a.txt")).toBe("one\n");
  });

  test("an answer that leaves the question open is asked again", async () => {
    const answer = await ask("a.txt");
    const { result } = await call("a.txt", { ...answer, inputResponses: { other: { action: "accept" } } });
    expect(result).toMatchObject({ resultType: "input_required", requestState: answer.requestState });
    expect((await call("a.txt", answer)).result).toMatchObject({ structuredContent: { path: "a.txt" } });
  });

  test("what is never answered ends with the server", async () => {
    await ask("a.txt");
    expect(await place.wield.approvals.pending()).toHaveLength(1);
    await served.close();
    expect(await place.wield.approvals.pending()).toEqual([]);
    expect(await place.wield.store.calls({ tool: "write_file" })).toMatchObject([{ errorCode: "ABORTED" }]);
  });
});

describe("a 2025 client", () => {
  const initialize = async (capabilities: Json = {}) => {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities, clientInfo };
    const response = await post({ id: 0, method: "initialize", params });
    const session = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
    await response.text();
    await post({ method: "notifications/initialized" }, session);
    return session;
  };

  test("is asked on the stream of its call, without any other stream open", async () => {
    const session = await initialize({ elicitation: {} });
    const params = { name: "write_file", arguments: { path: "a.txt", content: "two\n" } };
    const stream = messages(await post({ id: 1, method: "tools/call", params }, session));
    const { value: question } = await stream.next();
    expect(question).toMatchObject({ method: "elicitation/create" });
    expect(place.read("a.txt")).toBe("one\n");
    await post({ id: question?.id, result: { action: "accept", content: { decision: "approve" } } }, session);
    const { value: answer } = await stream.next();
    expect(answer).toMatchObject({ id: 1, result: { structuredContent: { path: "a.txt" } } });
    expect(place.read("a.txt")).toBe("two\n");
  });

  test("that cancels while it is asked stops the call", async () => {
    const session = await initialize({ elicitation: {} });
    const params = { name: "write_file", arguments: { path: "a.txt", content: "two\n" } };
    const stream = messages(await post({ id: 1, method: "tools/call", params }, session));
    await stream.next();
    await post({ method: "notifications/cancelled", params: { requestId: 1 } }, session);
    await expect
      .poll(() => place.wield.store.calls({ tool: "write_file" }))
      .toMatchObject([{ errorCode: "ABORTED" }]);
    expect(place.read("a.txt")).toBe("one\n");
  });

  test("needs a session that is open", async () => {
    const session = await initialize();
    const ping = (given: Record<string, string>) => post({ id: 1, method: "ping" }, given);
    expect((await ping(session)).status).toBe(200);
    expect((await ping({})).status).toBe(400);
    expect((await ping({ "mcp-session-id": "made-up" })).status).toBe(404);
    const end = new Request("http://127.0.0.1/mcp", { method: "DELETE", headers: session });
    expect((await served.fetch(end)).status).toBe(200);
    expect((await ping(session)).status).toBe(404);
  });

  test("that went away makes space for others, the least used first", async () => {
    const first = await initialize();
    const second = await initialize();
    for (let others = 0; others < 62; others++) await initialize();
    const ping = async (session: Record<string, string>) =>
      (await post({ id: 1, method: "ping" }, session)).status;
    expect(await ping(first)).toBe(200);
    await initialize();
    expect([await ping(first), await ping(second)]).toEqual([200, 404]);
  });
});
