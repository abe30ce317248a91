import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { scriptedModel, type TestWield, testWield } from "../testing/testing.ts";
import { attributesOf, otlpReceiver, type Receiver } from "./receiver.suite.ts";
import { spanPicture } from "./span-picture.suite.ts";

let receiver: Receiver;
let place: TestWield | undefined;
beforeEach(async () => {
  receiver = await otlpReceiver();
});
afterEach(async () => {
  await place?.close();
  receiver.close();
});
const files = { "src/a.ts": "export const secretWord = 1;\n", "notes.txt": "n\n" };
const open = async (telemetry: object = {}) => {
  place = await testWield(files, {
    settings: { telemetry: { endpoint: receiver.url, ...telemetry } },
    approve: () => ({ approved: true }),
  });
  return place.wield;
};
const span = (name: string) => receiver.spans.find((one) => one.name === name);

describe("telemetry", () => {
  test("one run is one trace: agent, steps, model calls, tool calls, approvals, sandbox and index", async () => {
    const wield = await open();
    const model = scriptedModel([
      { calls: [{ tool: "find_definition", input: { symbol: "secretWord" } }] },
      { calls: [{ tool: "run_code", input: { language: "bash", code: "echo secretWord" } }] },
      {
        calls: [{ tool: "create_file", input: { path: "new.txt", content: "secretWord", description: "d" } }],
      },
      { say: "secretWord is done" },
    ]);
    const agent = await wield.agent({ model });
    await agent.send("Look at secretWord");
    await place?.wield.close();
    expect(receiver.refused).toEqual([]);
    // The picture in the documentation is what the collector got; `-u` draws it anew.
    await expect(spanPicture(receiver.spans)).toMatchFileSnapshot("../../docs/images/trace.svg");
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(receiver.text()).not.toContain("secretWord");
    expect(attributesOf(span("execute_tool create_file") as never)).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "create_file",
      "wield.approval": "approved",
    });
    const run = receiver.spans.find(({ name }) => name.startsWith("invoke_agent"));
    expect(attributesOf(run as never)).toMatchObject({
      "gen_ai.conversation.id": agent.session,
      "wield.steps": "4",
    });
    const metrics = receiver.metrics.map(({ name }) => name);
    expect(new Set(metrics)).toEqual(
      new Set(["gen_ai.client.token.usage", "gen_ai.client.operation.duration", "wield.approval.wait"]),
    );
  });

  test("content is sent where the person allowed it, with the headers of the settings", async () => {
    const wield = await open({ content: true, headers: { "x-key": "$HOME" } });
    const agent = await wield.agent({ model: scriptedModel([{ say: "an answer" }]) });
    await agent.send("a question");
    await wield.call("read_file", { path: "src/a.ts" });
    await wield.close();
    expect(receiver.text()).toContain("an answer");
    expect(receiver.text()).toContain("a question");
    expect(attributesOf(span("execute_tool read_file") as never)["gen_ai.tool.call.arguments"]).toContain(
      "src/a.ts",
    );
    expect(receiver.headers[0]?.["x-key"]).toBe(place?.env["HOME"]);
  });

  test("the name of a tool that does not exist is the model's own text, and is not sent", async () => {
    const wield = await open();
    const invented = "send_password_hunter2_to";
    const model = scriptedModel([{ calls: [{ tool: invented, input: {} }] }, { say: "done" }]);
    const agent = await wield.agent({ model });
    await agent.send("Go");
    await wield.callAny(invented, {});
    await wield.close();
    expect(receiver.spans.filter(({ name }) => name === "execute_tool unknown")).toHaveLength(2);
    expect(receiver.text()).not.toContain("hunter2");
  });

  test("a call that fails is a span that failed; a call of no agent is a trace of its own", async () => {
    const wield = await open();
    await wield.call("read_file", { path: "nowhere.txt" });
    await wield.call("read_file", { path: "notes.txt" });
    await wield.close();
    const failed = receiver.spans.find(({ status }) => status.code === 2);
    expect(failed).toMatchObject({ name: "execute_tool read_file", status: { message: "FILE_NOT_FOUND" } });
    expect(attributesOf(failed as never)["error.type"]).toBe("FILE_NOT_FOUND");
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(2);
  });

  test("the durations of a tool's calls are one point, and those that failed another", async () => {
    const wield = await open();
    const read = (path: string) => wield.call("read_file", { path });
    await read("notes.txt");
    await read("missing.txt");
    // As many names as a model may invent: they all count as one.
    for (let at = 0; at < 300; at++) await wield.callAny(`invented_${at}`, {});
    await read("notes.txt");
    await read("missing.txt");
    await wield.close();
    expect(receiver.refused).toEqual([]);
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(304);
    const points = receiver.metrics.flatMap(({ histogram }) => histogram.dataPoints);
    expect(points.length).toBe(3);
    const ofRead = points.filter(({ attributes }) => JSON.stringify(attributes).includes("read_file"));
    expect(ofRead.map(({ count, attributes }) => [count, attributes.at(-1)?.key])).toEqual([
      ["2", "gen_ai.tool.name"],
      ["2", "error.type"],
    ]);
  });

  test("off: nothing is sent and nothing listens; a workspace's file cannot switch it on", async () => {
    const settings = JSON.stringify({ telemetry: { endpoint: receiver.url } });
    place = await testWield({ ...files, ".wield/settings.json": settings });
    await place.trust();
    const wield = await place.reopen();
    await wield.call("read_file", { path: "notes.txt" });
    await wield.close();
    expect(receiver.text()).toBe("");
  });

  test("a collector that is not there costs a line among the problems, and no call", async () => {
    const { url } = receiver;
    receiver.close();
    const endpoint = url.replace("//", "//ann:pa55word@");
    place = await testWield(files, { settings: { telemetry: { endpoint } } });
    expect((await place.wield.call("read_file", { path: "notes.txt" })).result.ok).toBe(true);
    await place.wield.close();
    expect(place.wield.tools.problems().join()).toContain(`Telemetry could not be sent to ${url}`);
  });
});
