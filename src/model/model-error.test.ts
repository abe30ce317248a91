import { APICallError } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { explainModelError } from "./model-error.ts";

function refusal(statusCode: number, message: string, responseHeaders: Record<string, string> = {}) {
  return new APICallError({ message, url: "http://x", requestBodyValues: {}, statusCode, responseHeaders });
}

test.each([
  [
    "a rejected key names the variable to set",
    refusal(401, "invalid x-api-key"),
    "anthropic/claude-sonnet-5-5",
    "Anthropic rejected the API key (HTTP 401: invalid x-api-key). Check ANTHROPIC_API_KEY in the environment, or store a new one with: wield login anthropic",
  ],
  [
    "the key of a server by address is WIELD_API_KEY",
    refusal(403, "no"),
    "http://10.0.0.7:8000/v1#llama",
    "10.0.0.7:8000 rejected the API key (HTTP 403: no). Check WIELD_API_KEY in the environment, or store a new one with: wield login server",
  ],
  [
    "a rate limit says how long to wait",
    refusal(429, "slow down", { "retry-after": "20" }),
    "openai/gpt-5.6",
    "OpenAI limits how much you can send (HTTP 429: slow down). Wait 20 s, then continue.",
  ],
  [
    "an unknown model is named",
    refusal(404, "model: claude-x"),
    "anthropic/claude-x",
    "Anthropic does not have the model anthropic/claude-x (HTTP 404: model: claude-x). Choose another model.",
  ],
  [
    "a failing provider",
    refusal(529, "Overloaded"),
    "anthropic/claude-x",
    "Anthropic is overloaded or not working (HTTP 529: Overloaded). Continue later.",
  ],
  [
    "a lost connection",
    new TypeError("fetch failed", {
      cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
    }),
    "ollama/qwen",
    "The connection to Ollama on this machine failed (read ECONNRESET). Check the network, then continue.",
  ],
  [
    "anything else is told as it is",
    refusal(400, "prompt is too long"),
    "openai/x",
    "HTTP 400: prompt is too long",
  ],
])("%s", (_name, error, model, sentence) => {
  expect(explainModelError(error, model)).toBe(sentence);
});

test("a message cannot drive the terminal", () => {
  expect(explainModelError(refusal(500, "a\u001b[2Jb"), "openai/x")).not.toContain("\u001b");
});
