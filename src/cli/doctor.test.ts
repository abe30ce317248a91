import { expect, onTestFinished, test } from "vitest";
import type { ProviderView } from "../api/settings.ts";
import { otlpReceiver } from "../telemetry/receiver.suite.ts";
import { anthropicServer } from "../testing/anthropic-server.ts";
import { testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";

async function doctor(args: readonly string[], env: Record<string, string> = {}) {
  const place = await testWield({});
  onTestFinished(() => place.close());
  return runCli({ root: place.root, env: { ...place.env, ...env } }, ["doctor", ...args]);
}

test("says what is set up, what is missing and how to get it, and shows no key", async () => {
  const { out, code } = await doctor([], { BRAVE_API_KEY: "secret-1", OPENAI_API_KEY: "secret-2" });
  expect(code).toBe(0);
  expect(out).toMatch(/✓ openai\/\S+ +no model is chosen, and the first key found is that of OpenAI/);
  expect(out).toMatch(/✓ OpenAI +OPENAI_API_KEY/);
  expect(out).toMatch(/– Anthropic +run wield login anthropic, or set ANTHROPIC_API_KEY; keys: https:/);
  expect(out).toMatch(/✓ Brave Search +BRAVE_API_KEY/);
  expect(out).toMatch(/– Tavily +set TAVILY_API_KEY/);
  expect(out).toMatch(/✓ DuckDuckGo/);
  expect(out).toMatch(/✓ Open-Meteo/);
  expect(out).toMatch(/– Token +.*GITHUB_TOKEN/);
  expect(out).toMatch(/[✓–] Sandbox/);
  expect(out).toContain("wield doctor --check");
  expect(out).not.toContain("secret");
});

test("the first search provider is used, others are ready", async () => {
  const { out } = await doctor(["--json"], {
    EXA_API_KEY: "x",
    SEARXNG_URL: "http://127.0.0.1:1",
    WIELD_MODEL: "offline",
  });
  const { providers, model } = JSON.parse(out) as { providers: ProviderView[]; model: object };
  expect(model).toEqual({ name: "offline", from: "chosen by WIELD_MODEL in the environment" });
  const state = (name: string) => providers.find((each) => each.name === name)?.state;
  expect(["Tavily", "Exa", "SearXNG", "DuckDuckGo"].map(state)).toEqual([
    "missing",
    "used",
    "ready",
    "ready",
  ]);
});

test("a collector for telemetry is listed and asked", async () => {
  const receiver = await otlpReceiver();
  onTestFinished(() => receiver.close());
  const place = await testWield({});
  onTestFinished(() => place.close());
  const asked = async (endpoint: string) => {
    place.writeConfig("settings.json", JSON.stringify({ telemetry: { endpoint } }));
    const env = { ...place.env, SEARXNG_URL: "http://127.0.0.1:1", OLLAMA_HOST: "127.0.0.1:1" };
    const { out } = await runCli({ root: place.root, env }, ["doctor", "--check"]);
    return out;
  };
  const fine = await asked(receiver.url);
  expect(fine).toContain(`✓ Collector  ${receiver.url}, the setting telemetry`);
  expect(fine).toMatch(/✓ Collector +\S+ takes traces/);
  expect(receiver.refused).toEqual([]);
  expect(await asked("http://127.0.0.1:1")).toMatch(/– Collector +connect ECONNREFUSED 127\.0\.0\.1:1/);
  for (const url of [receiver.url, "http://127.0.0.1:1"])
    expect(await asked(url.replace("//", "//ann:pa55word@"))).not.toContain("pa55word");
  expect(receiver.headers.at(-1)?.authorization).toBe(`Basic ${btoa("ann:pa55word")}`);
});

test("--check asks what is set up, and fails when something does not answer", async () => {
  const server = await anthropicServer(() => ({ content: [] }), ["claude-sonnet-5-5", "claude-large-6"]);
  onTestFinished(() => server.close());
  const { out, code } = await doctor(["--check", "--json"], {
    ANTHROPIC_API_KEY: "key-for-tests",
    ANTHROPIC_BASE_URL: server.url,
    SEARXNG_URL: "http://127.0.0.1:1",
    OLLAMA_HOST: "127.0.0.1:1",
  });
  const { checks } = JSON.parse(out) as { checks: { name: string; ok: boolean; message: string }[] };
  expect(checks).toContainEqual({ name: "Anthropic", ok: true, message: "2 models" });
  expect(checks).toContainEqual({
    name: "Ollama on this machine",
    ok: true,
    message: "not running on this machine",
  });
  expect(checks.find(({ name }) => name === "searxng")).toMatchObject({ ok: false });
  expect(code).toBe(1);
});
