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
