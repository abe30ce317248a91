import { MockLanguageModelV4 } from "ai/test";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agent } from "../../examples/agent.ts";
import { withAiSdk } from "../../examples/ai-sdk.ts";
import { approveAndUndo } from "../../examples/approve-and-undo.ts";
import { customTool } from "../../examples/custom-tool.ts";
import { firstCall } from "../../examples/first-call.ts";
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

test("with the AI SDK", async () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1);
      if (last?.role === "tool") {
        const seen = JSON.stringify(last.content);
        const text = /# (\w+)/.exec(seen)?.[1] ?? "nothing";
        return {
          content: [{ type: "text", text }],
          finishReason: { unified: "stop", raw: "stop" },
          usage,
          warnings: [],
        };
      }
      const call = {
        type: "tool-call" as const,
        toolCallId: "1",
        toolName: "read_file",
        input: '{"path":"README.md"}',
      };
      return {
        content: [call],
        finishReason: { unified: "tool-calls", raw: "tool_use" },
        usage,
        warnings: [],
      };
    },
  });
  expect(await withAiSdk(place.root, model)).toBe("Title");
});
