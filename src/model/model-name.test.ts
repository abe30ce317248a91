import { expect, test } from "vitest";
import { isProviderModel, readModelName } from "./model-name.ts";

test.each([
  "offline",
  "anthropic",
  "openai/gpt-5.6",
  "openrouter/anthropic/claude-sonnet-5-5:beta",
  "openai/ft:gpt-5.6:team::id",
  "ollama/hf.co/some/model:Q4_K_M",
])("%s is a model of a provider", (setting) => {
  expect(isProviderModel(setting)).toBe(true);
});

test.each([
  ...["http://host/v1#m", "https://host/v1#m", "http:host/v1#m", "http:/host/v1#m", "http:\\\\host/v1#m"],
  ...["HTTP://host/v1#m", " http://host/v1#m", "h\nttp://host/v1#m", "//host/v1#m", "file:///x", ""],
  ...["openai/../../x", "openai/./x", "openai//x", "openai/x/..", "openai/%2e%2e/x", "openai/..\\x"],
  ...["openai/x?key=1", "openai/x#y", "openai/x y", "openai/x\u0000", "nowhere/x", "__proto__/x"],
])("%j is no model of a provider", (setting) => {
  expect(isProviderModel(setting)).toBe(false);
});

test("an address has one spelling", () => {
  expect(readModelName("http://host/v1#m")).toEqual({
    kind: "address",
    address: "http://host/v1",
    model: "m",
  });
  for (const setting of ["http:host/v1#m", "http:/host/v1#m", "http:\\\\host/v1#m", "http:///host/v1#m"])
    expect(readModelName(setting).kind).toBe("named");
});
