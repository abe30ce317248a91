import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type TestWield, testWield } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";
import { fingerprintOf, ToolRegistry } from "./registry.ts";

let place: TestWield;
beforeAll(async () => {
  place = await testWield({
    "a.txt": "hello\n",
    "pixel.png": Buffer.from("\x89PNG\r\n\x1a\n----", "latin1"),
  });
});
afterAll(() => place.close());

const echo = (more: { name?: string; description?: string } = {}) =>
  defineTool({
    name: "echo",
    title: "Echo",
    description: "says it back",
    category: "Test",
    input: z.object({ text: z.string() }),
    output: z.string(),
    execute: async ({ text }) => text,
    ...more,
  });

describe("the wire shape of every tool, in every catalogue", () => {
  test("OpenAI, Anthropic and MCP", () => {
    const { registry } = place.wield.tools;
    const openai = registry.toOpenAIFunctions();
    const anthropic = registry.toAnthropicTools();
    const mcp = registry.toMCPTools();
    const shapes = openai.map(({ name, description, parameters }, index) => {
      expect(anthropic[index]).toEqual({ name, description, input_schema: parameters });
      expect(mcp[index]).toMatchObject({ name, description, inputSchema: parameters });
      const { outputSchema, annotations } = mcp[index] ?? {};
      return {
        name,
        descriptionLength: description.length,
        input: parameters,
        output: outputSchema,
        annotations,
      };
    });
    expect(shapes).toMatchSnapshot();
    expect(Object.keys(place.wield.tools.forAiSdk())).toEqual(openai.map((tool) => tool.name));
  });

  test("every schema is one object, as vendors demand", () => {
    for (const { parameters } of place.wield.tools.registry.toOpenAIFunctions()) {
      expect(parameters).toMatchObject({ type: "object" });
      expect(parameters).not.toHaveProperty("$schema");
    }
  });

  test("every tool is described for a model: what it does, fields, an example that is valid", () => {
    for (const tool of place.wield.tools.list()) {
      expect([tool.name, tool.description.length > 40]).toEqual([tool.name, true]);
      expect([tool.name, tool.examples.length > 0]).toEqual([tool.name, true]);
      for (const { input } of tool.examples)
        expect([tool.name, tool.input.safeParse(input).success]).toEqual([tool.name, true]);
    }
  });

  test("no two tools have one title: people choose by it", () => {
    const titles = place.wield.tools.list().map(({ title }) => title);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });
});

describe("names", () => {
  test("a name is registered once", () => {
    const registry = new ToolRegistry();
    registry.register(echo());
    expect(() => registry.register(echo())).toThrow('"echo" is registered already');
    expect(registry.list()).toHaveLength(1);
  });

  test.each(["__proto__", "constructor", "hasOwnProperty"])("%s is just a name", (name) => {
    const registry = new ToolRegistry();
    expect(registry.get(name)).toBeUndefined();
    registry.register(echo({ name }));
    expect(registry.get(name)?.name).toBe(name);
    expect(registry.toOpenAIFunctions()[0]?.name).toBe(name);
  });

  test.each(["", "has space", "sl/ash", "x".repeat(65), "ümlaut"])("%j is refused", (name) => {
    expect(() => echo({ name })).toThrow("Tool name");
  });
});

test("a fingerprint changes with what anybody relied on, and with nothing else", () => {
  expect(fingerprintOf(echo())).toBe(fingerprintOf(echo()));
  expect(fingerprintOf(echo())).not.toBe(
    fingerprintOf(echo({ description: "says it back, and sends it home" })),
  );
});

describe("with the AI SDK", () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };

  /** What the model is sent back after it called one tool. */
  async function resultOf(toolName: string, input: unknown): Promise<unknown> {
    const sent: unknown[] = [];
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        const last = prompt.at(-1);
        if (last?.role !== "tool") {
          const call = {
            type: "tool-call" as const,
            toolCallId: "1",
            toolName,
            input: JSON.stringify(input),
          };
          return {
            content: [call],
            finishReason: { unified: "tool-calls", raw: "tool_use" },
            usage,
            warnings: [],
          };
        }
        sent.push(...last.content);
        return {
          content: [{ type: "text", text: "done" }],
          finishReason: { unified: "stop", raw: "stop" },
          usage,
          warnings: [],
        };
      },
    });
    await generateText({
      model,
      tools: place.wield.tools.forAiSdk(),
      prompt: "go",
      stopWhen: isStepCount(3),
    });
    return (sent[0] as { output: unknown }).output;
  }

  test("a result is the model text", async () => {
    expect(await resultOf("read_file", { path: "a.txt" })).toEqual({ type: "text", value: "1\thello" });
  });

  test("a failure is marked as an error", async () => {
    expect(await resultOf("read_file", { path: "../x" })).toMatchObject({
      type: "error-text",
      value: expect.stringContaining("INVALID_PATH"),
    });
  });

  test("an image is sent as an image", async () => {
    const output = await resultOf("read_file", { path: "pixel.png", encoding: "base64" });
    expect(output).toMatchObject({
      type: "content",
      value: [{ type: "text" }, { type: "file", mediaType: "image/png" }],
    });
  });
});
