import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { knownModels, requireKnown } from "./known-models.ts";

/** Answers every path with what the test says for it, and keeps what it was sent. A text is where it points to. */
async function serve(lists: Record<string, unknown>) {
  const keys: Record<string, unknown> = {};
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const { headers } = request;
    keys[path] = headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization;
    const list = lists[path];
    if (typeof list === "string") {
      response.writeHead(307, { location: list }).end();
      return;
    }
    response.writeHead(list === undefined ? 500 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(list ?? { data: [{ id: "of-an-error" }] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { at: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}

test("every provider with a key is asked in its own way, and whoever says nothing is left open", async () => {
  const { at, keys } = await serve({
    "/anthropic/v1/models": { data: [{ id: "claude-b" }, { id: "claude-a" }] },
    "/google/models": { models: [{ name: "models/gemini-x" }, { name: 3 }] },
    "/openrouter/models": { data: [{ id: "maker/model" }] },
    "/api/tags": { models: [{ name: "qwen3:8b" }] },
  });
  const known = await knownModels(
    {
      ...{ ANTHROPIC_API_KEY: "ka", ANTHROPIC_BASE_URL: `${at}/anthropic` },
      ...{ OPENAI_API_KEY: "ko", OPENAI_BASE_URL: `${at}/openai` },
      ...{ GEMINI_API_KEY: "kg", GOOGLE_BASE_URL: `${at}/google` },
      ...{ OPENROUTER_API_KEY: "kr", OPENROUTER_BASE_URL: `${at}/openrouter` },
      OLLAMA_HOST: at,
    },
    ["http://host/v1#mine"],
  );
  expect(keys).toMatchObject({
    "/anthropic/v1/models": "ka",
    "/openai/models": "Bearer ko",
    "/google/models": "kg",
    "/openrouter/models": "Bearer kr",
  });
  expect(known.names).toEqual([
    "http://host/v1#mine",
    expect.stringMatching(/^anthropic\/claude-sonnet/),
    "anthropic/claude-a",
    "anthropic/claude-b",
    expect.stringMatching(/^openai\/gpt/),
    expect.stringMatching(/^google\/gemini/),
    "google/gemini-x",
    "openrouter/openrouter/auto",
    "openrouter/maker/model",
    "ollama/qwen3:8b",
    "offline",
  ]);
  expect(known.unlisted).toEqual(["openai"]);
});

test.each(["", "/", "/v1", "/v1/"])("ANTHROPIC_BASE_URL works with the ending %j", async (ending) => {
  const { at } = await serve({ "/v1/models": { data: [{ id: "claude-large-6" }] } });
  const env = { ANTHROPIC_API_KEY: "ka", ANTHROPIC_BASE_URL: `${at}${ending}`, OLLAMA_HOST: "127.0.0.1:1" };
  expect((await knownModels(env, [])).names).toContain("anthropic/claude-large-6");
});

test("a key is not sent on to where a provider points", async () => {
  const other = await serve({ "/v1/models": { data: [{ id: "of-another" }] } });
  const { at, keys } = await serve({ "/v1/models": `${other.at}/v1/models` });
  const { names } = await knownModels(
    {
      ...{ ANTHROPIC_API_KEY: "ka", ANTHROPIC_BASE_URL: `${at}/` },
      OLLAMA_HOST: "127.0.0.1:1",
    },
    [],
  );
  expect(keys).toEqual({ "/v1/models": "ka" });
  expect(other.keys).toEqual({});
  expect(names).toEqual([expect.stringMatching(/^anthropic\/claude-sonnet/), "offline"]);
});

test("what would drive a terminal or look like another name is no model", async () => {
  const hostile = ["\u001b]0;title\u0007x", "a\u202eb", "a\nb", "zero\u200bwidth", "x".repeat(301)];
  const { at } = await serve({ "/api/tags": { models: [...hostile, "good"].map((name) => ({ name })) } });
  expect((await knownModels({ OLLAMA_HOST: at }, [])).names).toEqual(["ollama/good", "offline"]);
});

test("without a key nobody is asked, and only the built-in model is there", async () => {
  expect(await knownModels({ OLLAMA_HOST: "127.0.0.1:1" }, [])).toEqual({
    names: ["offline"],
    unlisted: ["anthropic", "openai", "google", "openrouter"],
  });
});

const known = {
  names: ["anthropic/claude-large-6", "anthropic/claude-small-6", "openrouter/maker/model", "offline"],
  unlisted: ["openai"],
};

test.each([
  "anthropic/claude-large-6",
  "anthropic",
  "offline",
  "openai/gpt-of-tomorrow",
  "http://host/v1#any",
])("%s may be chosen", (name) => {
  expect(() => requireKnown(name, known)).not.toThrow();
});

test.each([
  ["claude-large-6", /Did you mean anthropic\/claude-large-6\b/],
  ["anthropic/claude-lrge-6", /Did you mean anthropic\/claude-large-6\b/],
  ["large", /Did you mean anthropic\/claude-large-6\?/],
  ["openrouter/maker", /Did you mean openrouter\/maker\/model\?/],
  ["ollama/none", /Unknown model "ollama\/none"\. Known ones: anthropic\/.* lists no such model\.$/],
  ["constructor", /Unknown model "constructor"\. Known ones: .*wield doctor shows how to add a provider\.$/],
])("%s is refused, with what may be meant", (name, message) => {
  expect(() => requireKnown(name, known)).toThrow(message);
});
