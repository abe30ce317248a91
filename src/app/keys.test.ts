import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { sessionAsJsonLines, sessionAsMarkdown } from "../agent/export.ts";
import type { WieldEvent } from "../events/events.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { placesFrom } from "./places.ts";

const key = "sk-ant-test-0123456789abcdefghijklmnop";
const closing: (() => Promise<unknown>)[] = [];
let opened: TestWield | undefined;
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await opened?.close();
  opened = undefined;
});

/** A provider that takes one key, and repeats whatever it is sent in its errors. */
async function provider(): Promise<{ address: string; requests: { key: string; body: string }[] }> {
  const requests: { key: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const given = String(request.headers["x-api-key"]);
    requests.push({ key: given, body: Buffer.concat(chunks).toString() });
    const isGood = given === key && request.url?.startsWith("/v1/models");
    const error = { type: "error", error: { type: "authentication_error", message: `invalid key ${given}` } };
    response.writeHead(isGood ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isGood ? { data: [{ id: "claude-test" }] } : error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.close();
    await once(server, "close");
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

async function withProvider(): Promise<{ test: TestWield; requests: { key: string; body: string }[] }> {
  const { address, requests } = await provider();
  opened = await testWield();
  const env = { ...opened.env, ANTHROPIC_BASE_URL: address };
  const wield = await opened.reopen({ env });
  return { test: { ...opened, wield, env }, requests };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? join(entry.parentPath, entry.name) : [],
  );
}

describe("keys", () => {
  test("a key is checked with one request, stored for its owner alone, and used from then on", async () => {
    const { test: given, requests } = await withProvider();
    const { wield, env } = given;
    expect(wield.keys.list().find(({ provider: id }) => id === "anthropic")).toMatchObject({
      source: "none",
      variable: "ANTHROPIC_API_KEY",
      page: expect.stringContaining("https://"),
    });
    expect(await wield.keys.set("anthropic", ` ${key}\n`)).toMatchObject({ source: "stored" });
    expect(requests).toEqual([{ key, body: "" }]);
    const { keysFile, configDir } = placesFrom(env);
    expect((statSync(keysFile).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(configDir).mode & 0o777).toString(8)).toBe("700");
    expect((await wield.agent()).model).toMatch(/^anthropic\//);
    expect((await wield.models()).names).toContain("anthropic/claude-test");
    expect(await wield.keys.remove("anthropic")).toMatchObject({ source: "none" });
    expect(existsSync(keysFile)).toBe(false);
    expect((await wield.agent({ model: "offline" })).model).toBe("offline");
  });

  test("a rejected key and an unreachable provider store nothing; without the check it is stored", async () => {
    const { test: given } = await withProvider();
    const { wield, env } = given;
    await expect(wield.keys.set("anthropic", "wrong-key")).rejects.toThrow(/rejected the key \(HTTP 401\)/);
    await expect(wield.keys.set("anthropic", "two words")).rejects.toThrow(/one word/);
    await expect(wield.keys.set("antropic", key)).rejects.toThrow(/Did you mean anthropic/);
    for (const close of closing.splice(0)) await close();
    await expect(wield.keys.set("anthropic", key)).rejects.toThrow(/cannot be reached/);
    expect(existsSync(placesFrom(env).keysFile)).toBe(false);
    expect(await wield.keys.set("anthropic", key, { check: false })).toMatchObject({ source: "stored" });
  });

  test("the environment comes before what is stored", async () => {
    const { test: given } = await withProvider();
    await given.wield.keys.set("anthropic", key);
    const other = await given.reopen({ env: { ...given.env, ANTHROPIC_API_KEY: "from-the-environment" } });
    expect(other.keys.list()[0]).toMatchObject({ provider: "anthropic", source: "environment" });
  });

  test("after entry a key is in no event, log, export, request body, view or file but its own", async () => {
    const { test: given, requests } = await withProvider();
    const { wield, env } = given;
    const events: WieldEvent[] = [];
    wield.on((event) => events.push(event));
    await wield.keys.set("anthropic", key);
    const agent = await wield.agent();
    // The provider rejects the request and repeats the key in its error.
    const result = await agent.send("hello");
    expect(result.message).toMatch(/rejected the API key/);
    expect(requests.at(-1)?.key).toBe(key);
    const record = await wield.store.session(agent.session);
    const entries = await wield.store.entries(agent.session);
    const seen = [
      JSON.stringify(events),
      JSON.stringify(result),
      JSON.stringify(entries),
      sessionAsMarkdown(record as never, entries),
      sessionAsJsonLines(record as never, entries),
      JSON.stringify(wield.keys.list()),
      JSON.stringify([...wield.providers.list(), ...(await wield.providers.machine())]),
      ...requests.map(({ body }) => body),
    ];
    for (const text of seen) expect(text).not.toContain(key);
    const { keysFile } = placesFrom(env);
    const holding = filesBelow(env["HOME"] ?? "").filter((file) => readFileSync(file).includes(key));
    expect(holding).toEqual([keysFile]);
  });

  test("a stored key is a secret: it never leaves by a call", async () => {
    const { test: given } = await withProvider();
    await given.wield.keys.set("anthropic", key);
    const wield = await given.reopen({ env: given.env, approve: () => ({ approved: true }) });
    const { result } = await wield.call("web_fetch", { url: `https://example.com/?q=${key}` });
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).not.toContain(key);
  });

  test("a folder that holds the keys is refused", async () => {
    const { test: given } = await withProvider();
    await expect(given.reopen({ workspace: given.env["HOME"] ?? "" })).rejects.toThrow(/Wield's own files/);
  });
});
