import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { SessionSummary, SessionView } from "../api/sessions.ts";
import { scriptedModel } from "../testing/testing.ts";
import { testServer } from "./server.suite.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("attached images and texts reach the model, are kept with the message, and are served from it", async () => {
  const model = scriptedModel([{ say: "A red dot." }, { say: "Still red." }]);
  const server = await testServer({}, { model });
  const attachments = [
    { name: "dot.png", mediaType: "image/png", base64: pixel },
    { name: "notes.txt", mediaType: "text/plain", text: "one\n```\ntwo" },
  ];
  const { session } = await server.api<{ session: string }>("/sessions", {
    text: "What is it?",
    attachments,
  });
  const view = await server.ended(session);
  expect(view.messages[0]?.parts).toMatchObject([
    { type: "file", filename: "dot.png", mediaType: "image/png", url: "attachments/0/0" },
    { type: "file", filename: "notes.txt" },
    { type: "text", text: "What is it?" },
  ]);
  const headers = { authorization: `Bearer ${server.token}` };
  const file = await fetch(`${server.origin}/api/sessions/${session}/attachments/0/0`, { headers });
  expect(Buffer.from(await file.arrayBuffer()).toString("base64")).toBe(pixel);
  await expect(server.api(`/sessions/${session}/attachments/0/2`)).rejects.toThrow("no such attachment");
  await server.api(`/sessions/${session}/messages`, { text: "And now?" });
  await server.ended(session);
  // Also with the next message, and also when it is read from the log.
  const asked = JSON.stringify(model.requests[1]?.prompt);
  expect(asked).toContain(pixel);
  expect(asked).toContain("The person attached notes.txt:\\n````\\none");
  await expect(
    server.api("/sessions", {
      text: "",
      attachments: [{ name: "a", mediaType: "video/mp4", base64: pixel }],
    }),
  ).rejects.toThrow("400");
  await expect(server.api("/sessions", { text: " " })).rejects.toThrow("The message is empty");
});

test("a session is forked before a message: the fork has what came before, and the other stays as it is", async () => {
  const model = scriptedModel([{ say: "One." }, { say: "Two." }, { say: "Two again." }]);
  const server = await testServer({}, { model });
  const { session } = await server.api<{ session: string }>("/sessions", { text: "First" });
  await server.ended(session);
  await server.api(`/sessions/${session}/mode`, { mode: "plan" });
  await server.api(`/sessions/${session}/messages`, { text: "Second" });
  const before = await server.ended(session);
  const second = Number(before.messages.findLast(({ role }) => role === "user")?.id.slice(1));
  const { session: fork } = await server.api<{ session: string }>(`/sessions/${session}/fork`, {
    before: second,
  });
  expect((await server.api<SessionView>(`/sessions/${fork}`)).messages).toHaveLength(3);
  expect(await server.api(`/sessions/${fork}/mode`)).toEqual({ mode: "plan" });
  await server.api(`/sessions/${fork}/messages`, { text: "Other" });
  await server.ended(fork);
  expect(JSON.stringify(model.requests[2]?.prompt)).toMatch(/First.*One\..*Other/);
  expect(JSON.stringify(model.requests[2]?.prompt)).not.toContain("Second");
  expect((await server.api<SessionView>(`/sessions/${session}`)).messages).toEqual(before.messages);
  await expect(server.api(`/sessions/${session}/fork`, { before: 1 })).rejects.toThrow("400");
});

test("sessions are renamed, pinned, saved as files and deleted", async () => {
  const model = scriptedModel([{ say: "**One** <b>." }, { say: "Two." }]);
  const server = await testServer({}, { model });
  const ids: string[] = [];
  for (const text of ["First", "Second"]) {
    const { session } = await server.api<{ session: string }>("/sessions", { text });
    await server.ended(session);
    ids.push(session);
  }
  const [first = "", second = ""] = ids;
  const list = () => server.api<SessionSummary[]>("/sessions");
  await server.api(`/sessions/${first}`, { title: "Mine", pinned: true }, "PATCH");
  expect(await list()).toMatchObject([
    { title: "Mine", pinned: true },
    { title: "Second", pinned: false },
  ]);
  const saved = async (format: string) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await fetch(`${server.origin}/api/sessions/${first}/export?format=${format}`, {
      headers,
    });
    return { name: response.headers.get("content-disposition"), text: await response.text() };
  };
  expect(await saved("md")).toMatchObject({
    name: expect.stringContaining("Mine.md"),
    text: expect.stringContaining("**One** <b>."),
  });
  expect((await saved("html")).text).toContain("<strong>One</strong> &lt;b&gt;.");
  expect(
    (await saved("json")).text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  ).toHaveLength(4);
  await server.api(`/sessions/${first}`, {}, "DELETE");
  expect((await list()).map(({ id }) => id)).toEqual([second]);
  await expect(server.api(`/sessions/${first}`)).rejects.toThrow("404");
});

test.skipIf(!existsSync("/usr/bin/bwrap"))(
  "what became of the changes of a run that waited for a person is in the session when it is opened again",
  async () => {
    const run = { tool: "run_code", input: { language: "bash", code: "echo 2 >> a.txt" } };
    const model = scriptedModel([{ calls: [run] }, { calls: [run] }, { say: "Done." }]);
    const server = await testServer({ "a.txt": "1\n" }, { model });
    const { session } = await server.api<{ session: string }>("/sessions", { text: "Run it twice" });
    const first = await server.asked();
    server.write("a.txt", "mine\n");
    await server.api(`/approvals/${first.id}`, { approved: true });
    await expect.poll(async () => (await server.asked()).id, { timeout: 60_000 }).not.toBe(first.id);
    const second = await server.asked();
    await server.api(`/approvals/${second.id}`, { approved: true });
    await server.ended(session);
    const { messages } = await server.api<SessionView>(`/sessions/${session}`);
    const calls = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "dynamic-tool"));
    expect(calls).toMatchObject([
      { toolName: "run_code" },
      {
        toolName: "apply_held_changes",
        state: "output-error",
        errorText: expect.stringContaining("Changed since the run: a.txt"),
        toolMetadata: { record: { ok: false } },
      },
      { toolName: "run_code" },
      {
        toolName: "apply_held_changes",
        state: "output-available",
        toolMetadata: { record: { ok: true, approval: "approved" } },
      },
    ]);
    const headers = { authorization: `Bearer ${server.token}` };
    const saved = await fetch(`${server.origin}/api/sessions/${session}/export?format=md`, { headers });
    const text = await saved.text();
    expect(text).toContain("Changed since the run: a.txt. Nothing was applied");
    expect(text).not.toContain("Not applied yet");
  },
);
