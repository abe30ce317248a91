import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { PageEvent, StatusView } from "../api/api.ts";
import type { OpenView } from "../api/approvals.ts";
import type { CallChangeView, ChangeView } from "../api/changes.ts";
import type { ChatChunk, ChatMessage } from "../api/chat.ts";
import type { DocumentView } from "../api/documents.ts";
import type { ModelsView, QueuedView, SessionSummary, SessionView } from "../api/sessions.ts";
import type { IndexView, SettingsView } from "../api/settings.ts";
import type { CallView, StatsView, ToolView } from "../api/tools.ts";
import { placesFrom } from "../app/places.ts";
import { type ScriptedReply, scriptedModel } from "../testing/testing.ts";
import { messageOf, openStream, testServer } from "./server.suite.ts";

const edit = (path: string, content: string) => ({
  tool: "edit_file",
  input: { path, content, description: "say it better" },
});
const start = { text: "Do it" };

/** A chat whose first answer comes once the gate is open. */
async function atWork(answer: (index: number) => ScriptedReply) {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(async (_, index) => {
    if (index === 0) await gate.promise;
    return answer(index);
  });
  const server = await testServer({}, { model });
  const { session } = await server.api<{ session: string }>("/sessions", start);
  return { server, session, queue: `/sessions/${session}/queue`, gate, model };
}
const isChunk = (type: ChatChunk["type"]) => (event: PageEvent) =>
  event.type === "chunk" && event.chunk.type === type;
const chunksIn = (events: readonly PageEvent[]) =>
  events.flatMap((event) => (event.type === "chunk" ? [event.chunk] : []));
const wordsOf = (messages: readonly ChatMessage[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? part.text : []))).join("");

describe("sessions", () => {
  test("a question is answered on the stream and stays readable", async () => {
    const server = await testServer({ "package.json": '{ "name": "demo" }\n' });
    const everything = await openStream(server);
    const { session } = await server.api<{ session: string }>("/sessions", {
      text: "Read package.json and tell me the project name",
    });
    const { messages } = await server.ended(session);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(wordsOf(messages)).toContain("demo");
    expect(messages.at(-1)).toMatchObject({
      metadata: { stop: "done" },
      parts: expect.arrayContaining([
        expect.objectContaining({ type: "dynamic-tool", toolName: "read_file", state: "output-available" }),
      ]),
    });
    await everything.next((event) => event.type === "sessions-change");
    const [listed] = await server.api<SessionSummary[]>("/sessions?query=PROJECT%20name");
    expect(listed).toMatchObject({ id: session, running: false, agent: "code" });
    expect(await server.api("/sessions?query=nothing%20like%20it")).toEqual([]);
    await everything.close();
  });

  test("looking in the middle and following from there gives every event once", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const model = scriptedModel(async (_, index) => {
      await gates[index]?.promise;
      return index === 0
        ? { say: "First. ", calls: [{ tool: "read_file", input: { path: "a.txt" } }] }
        : { say: "Second." };
    });
    const server = await testServer({ "a.txt": "a\n" }, { model });
    const { session } = await server.api<{ session: string }>("/sessions", start);
    const early = await openStream(
      server,
      session,
      (await server.api<SessionView>(`/sessions/${session}`)).cursor,
    );
    gates[0]?.resolve();
    await early.next(isChunk("tool-output-available"));
    const middle = await server.api<SessionView>(`/sessions/${session}`);
    expect(middle.session.running).toBe(true);
    const late = await openStream(server, session, middle.cursor);
    gates[1]?.resolve();
    await late.next(isChunk("finish"));
    const watched = await messageOf([...(middle.chunks ?? []), ...chunksIn(late.events)]);
    expect(wordsOf([watched])).toBe("First. Second.");
    const { messages } = await server.ended(session);
    expect(wordsOf(messages.slice(1))).toBe("First. Second.");
    // Watched and read are the same message, call by call.
    const [, read] = messages;
    const calls = ({ parts }: ChatMessage) =>
      parts.flatMap((part) =>
        part.type === "dynamic-tool"
          ? [[part.toolName, part.state, part.input, part.output, part.toolMetadata]]
          : [],
      );
    expect(read && { id: read.id, calls: calls(read), ending: read.metadata }).toEqual({
      id: watched.id,
      calls: calls(watched),
      ending: watched.metadata,
    });
    await Promise.all([early.close(), late.close()]);
  });

  test("a reader that was cut off goes on where it was", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel(async (_, index) => {
      if (index === 1) await gate.promise;
      return index === 0
        ? { say: "One ", calls: [{ tool: "read_file", input: { path: "a.txt" } }] }
        : { say: "two" };
    });
    const server = await testServer({ "a.txt": "a\n" }, { model });
    const { session } = await server.api<{ session: string }>("/sessions", start);
    const { cursor, chunks: before = [] } = await server.api<SessionView>(`/sessions/${session}`);
    const first = await openStream(server, session, cursor);
    if (!before.some(({ type }) => type === "tool-output-available"))
      await first.next(isChunk("tool-output-available"));
    await first.close();
    gate.resolve();
    await server.ended(session);
    const again = await openStream(server, session, first.ids.at(-1) ?? cursor);
    await again.next(isChunk("finish"));
    const message = await messageOf([...before, ...chunksIn(first.events), ...chunksIn(again.events)]);
    expect(wordsOf([message])).toBe("One two");
    await again.close();
  });

  test("messages sent during a run are queued, can be withdrawn, and are sent in order", async () => {
    const { server, session, queue, gate } = await atWork((index) => ({ say: `Answer ${index + 1}.` }));
    for (const text of ["two", "never", "three"]) await server.api(queue, { text });
    const waiting = await server.api<QueuedView[]>(queue);
    expect(waiting.map(({ text, held }) => [text, held])).toEqual([
      ["two", false],
      ["never", false],
      ["three", false],
    ]);
    const take = `${queue}/${waiting[1]?.id}/take`;
    expect(await server.api(take, {})).toEqual({ text: "never" });
    await expect(server.api(take, {})).rejects.toThrow(/409 CONFLICT: This message is no longer queued/);
    const stream = await openStream(
      server,
      session,
      (await server.api<SessionView>(`/sessions/${session}`)).cursor,
    );
    gate.resolve();
    for (let run = 0; run < 3; run++) await stream.next(isChunk("finish"));
    await stream.close();
    const { messages } = await server.ended(session);
    expect(wordsOf(messages)).toMatch(/Answer 1\.two.*Answer 2\.three.*Answer 3\./s);
    expect(await server.api(queue)).toEqual([]);
    // Nothing goes on: it is said at once.
    await server.api(queue, { text: "four" });
    expect(wordsOf((await server.ended(session)).messages)).toMatch(/four.*Answer 4\.$/s);
    await expect(server.api("/sessions/a_nowhere/queue", { text: "x" })).rejects.toThrow(/404/);
    await expect(server.api("/sessions/a_nowhere/queue")).rejects.toThrow(/404/);
  });

  test.each(["a stop", "an error"])(
    "after %s, what waited is held for the person and not sent",
    async (how) => {
      const broken = Object.assign(new Error("broken"), { isRetryable: false });
      const { server, session, queue, gate, model } = await atWork((index) =>
        index === 0 ? { error: broken } : { say: "Fine." },
      );
      await server.api(queue, { text: "later" });
      if (how === "a stop") await server.api(`/sessions/${session}/stop`, {});
      else gate.resolve();
      await server.ended(session);
      const [held, ...others] = await server.api<QueuedView[]>(queue);
      expect([held?.text, held?.held, others]).toEqual(["later", true, []]);
      await server.api(queue, { text: "now" });
      expect(wordsOf((await server.ended(session)).messages)).toMatch(/now.*Fine\.$/s);
      expect(model.requests).toHaveLength(2);
      expect(await server.api(`${queue}/${held?.id}/take`, {})).toEqual({ text: "later" });
    },
  );

  test("a stop between two runs holds the message whose turn it is", async () => {
    const { server, session, queue, gate } = await atWork((index) => ({ say: `Answer ${index + 1}.` }));
    await server.api(queue, { text: "later" });
    const { agent } = server.wield;
    const opening = Promise.withResolvers<void>();
    const mayOpen = Promise.withResolvers<void>();
    server.wield.agent = async (options) => {
      opening.resolve();
      await mayOpen.promise;
      return agent(options);
    };
    gate.resolve();
    await opening.promise;
    await server.api(`/sessions/${session}/stop`, {});
    expect(await server.api(queue)).toMatchObject([{ text: "later", held: true }]);
    mayOpen.resolve();
    await server.api(queue, { text: "now" });
    const { messages } = await server.ended(session);
    expect(wordsOf(messages)).toMatch(/Answer 1\.now.*Answer 2\.$/s);
    expect(await server.api(queue)).toMatchObject([{ text: "later", held: true }]);
  });

  test("a message whose turn comes when no model can be had is held for the person", async () => {
    const server = await testServer(
      { "a.js": "export const a = 1;\n" },
      { env: { OLLAMA_HOST: "127.0.0.1:1" } },
    );
    const { session } = await server.api<{ session: string }>("/sessions", {
      text: "Add a comment to the top of a.js explaining what it does",
    });
    const ask = await server.asked();
    // A message for another profile waits for the end of the run.
    await server.api(`/sessions/${session}/queue`, { text: "later", profile: "explore" });
    const settings = join(placesFrom(server.env).configDir, "settings.json");
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, JSON.stringify({ model: "nowhere/model" }));
    const stream = await openStream(server);
    await server.api(`/approvals/${ask.id}`, { approved: false });
    for (;;) {
      const [message] = await server.api<QueuedView[]>(`/sessions/${session}/queue`);
      expect(message?.text).toBe("later");
      if (message?.held) break;
      await stream.next((event) => event.type === "queue-change");
    }
    await stream.close();
    const { messages } = await server.ended(session);
    expect(messages).toHaveLength(2);
  });

  test("a session knows what its own calls changed; a person turns it over without a question", async () => {
    const model = scriptedModel([{ calls: [edit("a.txt", "b\n")] }, { say: "Done." }, { say: "Nothing." }]);
    const server = await testServer({ "a.txt": "a\n" }, { model });
    const { session } = await server.api<{ session: string }>("/sessions", start);
    await server.api(`/approvals/${(await server.asked()).id}`, { approved: true });
    await server.ended(session);
    const [change, ...others] = await server.api<CallChangeView[]>(`/sessions/${session}/changes`);
    expect([change?.state, others]).toEqual(["done", []]);
    const other = await server.api<{ session: string }>("/sessions", start);
    await server.ended(other.session);
    expect(await server.api(`/sessions/${other.session}/changes`)).toEqual([]);

    const body = { tool: "undo", changeId: [change?.id] };
    server.write("a.txt", "of another\n");
    const refused = await server.api<CallView>(`/sessions/${session}/reverse`, body);
    expect(refused.result).toMatchObject({ ok: false, error: { code: "CONFLICT" } });
    expect(server.read("a.txt")).toBe("of another\n");
    server.write("a.txt", "b\n");
    expect((await server.api<CallView>(`/sessions/${session}/reverse`, body)).result.ok).toBe(true);
    expect(server.read("a.txt")).toBe("a\n");
    expect(await server.api(`/sessions/${session}/changes`)).toMatchObject([{ state: "undone" }]);
    for (const forged of [
      { ...body, tool: "delete_file" },
      { tool: "undo", changeId: [] },
    ])
      await expect(server.api(`/sessions/${session}/reverse`, forged)).rejects.toThrow(/400 INVALID_INPUT/);
    await expect(server.api("/sessions/a_nowhere/reverse", body)).rejects.toThrow(/404/);
    await expect(server.api("/sessions/a_nowhere/changes")).rejects.toThrow(/404/);
  });

  test("a session is given another model by name; an unknown one is refused with the nearest and begins nothing", async () => {
    const server = await testServer();
    const unknown = /400 INVALID_INPUT: Unknown model "oflin"\. Did you mean offline\?/;
    expect(await server.api<ModelsView>("/models")).toMatchObject({
      names: expect.arrayContaining(["offline"]),
    });
    await expect(server.api("/models", { model: "oflin" })).rejects.toThrow(unknown);
    await expect(server.api("/sessions", { ...start, model: "oflin" })).rejects.toThrow(unknown);
    expect(await server.api("/sessions")).toEqual([]);
    const { session } = await server.api<{ session: string }>("/sessions", { ...start, model: "offline" });
    await server.ended(session);
    expect(await server.api(`/sessions/${session}/model`)).toEqual({ model: "offline" });
    await expect(server.api(`/sessions/${session}/model`, { model: "oflin" })).rejects.toThrow(unknown);
    await expect(server.api(`/sessions/${session}/model`, { model: "openai/gpt-9" })).rejects.toThrow(
      /503 UNAVAILABLE: The model openai\/gpt-9 needs a key/,
    );
    expect(await server.api(`/sessions/${session}/model`)).toEqual({ model: "offline" });
    await expect(server.api("/sessions/a_nowhere/model", { model: "offline" })).rejects.toThrow(/404/);
    await expect(server.api("/sessions/a_nowhere/model")).rejects.toThrow(/404/);
  });

  test("one run at a time; it can be stopped and taken up again", async () => {
    const model = scriptedModel((_, index) => {
      if (index === 0) return new Promise(() => undefined);
      return { say: "Now." };
    });
    const server = await testServer({}, { model });
    const { session } = await server.api<{ session: string }>("/sessions", start);
    await expect(server.api(`/sessions/${session}/messages`, { text: "and?" })).rejects.toThrow(
      /409 CONFLICT/,
    );
    await server.api(`/sessions/${session}/stop`, {});
    const stopped = await server.ended(session);
    expect(stopped.messages.at(-1)?.metadata).toMatchObject({ stop: "aborted" });
    await server.api(`/sessions/${session}/resume`, {});
    const { messages } = await server.ended(session);
    expect(messages.at(-1)?.metadata).toMatchObject({ stop: "done" });
  });

  test("a limit ends the run, and going on is a word of the person", async () => {
    const model = scriptedModel((_, index) =>
      index < 3 ? { calls: [{ tool: "read_file", input: { path: `${index}.txt` } }] } : { say: "Done." },
    );
    const server = await testServer({ "0.txt": "0", "1.txt": "1", "2.txt": "2" }, { model });
    await server.api("/settings", { steps: 3 }, "PATCH");
    const { session } = await server.api<{ session: string }>("/sessions", start);
    expect((await server.ended(session)).messages.at(-1)?.metadata).toMatchObject({ stop: "steps" });
    await server.api(`/sessions/${session}/resume`, {});
    expect((await server.ended(session)).messages.at(-1)?.metadata).toMatchObject({ stop: "done" });
  });

  test("a run that an earlier process left in the middle of an approval is asked again, and ends", async () => {
    const server = await testServer({ "a.txt": "a\n" }, { model: scriptedModel([{ say: "Done." }]) });
    const { store, workspace } = server.wield;
    const at = new Date().toISOString();
    const id = "a_leftbehind";
    const about = { id, workspace: workspace.root, agent: "coding", title: "Go", at, updated: at };
    await store.appendEntry(about, { seq: 0, at, data: { kind: "user", text: "Go" } });
    const call = { id: "c_leftbehind", ref: "r", ...edit("a.txt", "A\n") };
    const content = [{ type: "tool-call", toolCallId: "r", toolName: call.tool, input: call.input }];
    const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
    const step = {
      kind: "step",
      messages: [{ role: "assistant", content }],
      calls: [call],
      usage,
      final: false,
    };
    await store.appendEntry(about, { seq: 1, at, data: step });
    expect(await server.api<SessionView>(`/sessions/${id}`)).toMatchObject({ unfinished: true });
    await server.api(`/sessions/${id}/resume`, {});
    const ask = await server.asked();
    const { messages, chunks, cursor } = await server.api<SessionView>(`/sessions/${id}`);
    expect(messages.map(({ role }) => role)).toEqual(["user"]);
    const stream = await openStream(server, id, cursor);
    await server.api(`/approvals/${ask.id}`, { approved: true });
    await stream.next(isChunk("finish"));
    const watched = await messageOf([...(chunks ?? []), ...chunksIn(stream.events)]);
    await stream.close();
    const ended = await server.ended(id);
    expect(ended).toMatchObject({ unfinished: false, messages: [{ role: "user" }, { id: watched.id }] });
    expect(watched.parts.filter(({ type }) => type === "dynamic-tool")).toMatchObject([
      { toolCallId: "r", state: "output-available", approval: { approved: true } },
    ]);
    expect(server.read("a.txt")).toBe("A\n");
  });

  test("sessions of other folders and unknown ones do not exist here", async () => {
    const server = await testServer();
    await expect(server.api("/sessions/a_unknown000")).rejects.toThrow(/404 FILE_NOT_FOUND/);
    await expect(server.api("/sessions", { text: " " })).rejects.toThrow(/400 INVALID_INPUT/);
    await expect(server.api("/sessions", { text: "x", history: [] })).rejects.toThrow(/400 INVALID_INPUT/);
  });
});

describe("approvals", () => {
  const files = { "a.txt": "one\ntwo\n", "b.txt": "b\n" };

  test("yes runs exactly what was shown", async () => {
    const server = await testServer(files);
    const called = server.api<CallView>("/call", edit("a.txt", "one\nTWO\n"));
    const ask = await server.asked();
    expect(ask).toMatchObject({ tool: "edit_file", effects: ["changes a.txt"], editable: true });
    expect(ask.files[0]).toMatchObject({
      path: "a.txt",
      current: "one\ntwo\n",
      proposed: "one\nTWO\n",
      added: 1,
      removed: 1,
    });
    await server.api(`/approvals/${ask.id}`, { approved: true });
    expect((await called).result.ok).toBe(true);
    expect(server.read("a.txt")).toBe("one\nTWO\n");
  });

  test("edited content is what is written, and the model is told", async () => {
    const server = await testServer(files);
    const called = server.api<CallView>("/call", edit("a.txt", "one\nTWO\n"));
    const { id } = await server.asked();
    await server.api(`/approvals/${id}`, { approved: true, contents: { "a.txt": "one\nzwei\n" } });
    const { text, record } = await called;
    expect(server.read("a.txt")).toBe("one\nzwei\n");
    expect(record.approval).toBe("edited");
    expect(text).toContain("zwei");
  });

  test("no, with a reason that the model reads", async () => {
    const server = await testServer(files);
    const called = server.api<CallView>("/call", edit("a.txt", "x\n"));
    await server.api(`/approvals/${(await server.asked()).id}`, { approved: false, reason: "keep it" });
    expect((await called).text).toContain("User rejected changes: keep it");
    expect(server.read("a.txt")).toBe("one\ntwo\n");
  });

  test("invented, repeated, foreign and altered answers run nothing", async () => {
    const server = await testServer(files);
    await expect(server.api("/approvals/invented", { approved: true })).rejects.toThrow(/409 CONFLICT/);
    const called = server.api<CallView>("/call", edit("a.txt", "x\n"));
    const ask = await server.asked();
    for (const forged of [ask.callId, ask.stepId, `${ask.id}x`])
      await expect(server.api(`/approvals/${forged}`, { approved: true })).rejects.toThrow(/409 CONFLICT/);
    for (const body of [
      { approved: "true" },
      { approved: true, tool: "delete_file" },
      { approved: true, args: { path: "b.txt" } },
      { approved: true, remember: { rule: { decision: "allow" }, scope: "user" } },
      { approved: true, contents: { "b.txt": "stolen" } },
      { approved: true, modifiedArgs: { path: 1 } },
    ])
      await expect(server.api(`/approvals/${ask.id}`, body), JSON.stringify(body)).rejects.toThrow(
        /400 INVALID_INPUT/,
      );
    // After all that the question is still open, and what was proposed is unchanged.
    expect(await server.asked()).toEqual(ask);
    await server.api(`/approvals/${ask.id}`, { approved: true });
    await called;
    expect([server.read("a.txt"), server.read("b.txt")]).toEqual(["x\n", "b\n"]);
    await expect(server.api(`/approvals/${ask.id}`, { approved: true })).rejects.toThrow(/409 CONFLICT/);
  });

  test("edited arguments are previewed and bound again: outside the folder stays outside", async () => {
    const server = await testServer(files);
    const called = server.api<CallView>("/call", edit("a.txt", "x\n"));
    const { id } = await server.asked();
    await server.api(`/approvals/${id}`, {
      approved: true,
      modifiedArgs: { path: "../evil.txt", content: "x", description: "y" },
    });
    expect((await called).result).toMatchObject({ ok: false, error: { code: "INVALID_PATH" } });
  });

  test("when the file changes before the answer, the approval is void and the call is asked again", async () => {
    const server = await testServer(files);
    const called = server.api<CallView>("/call", edit("a.txt", "one\nTWO\n"));
    const first = await server.asked();
    server.write("a.txt", "someone else\n");
    await server.api(`/approvals/${first.id}`, { approved: true });
    const second = await server.asked();
    expect(second.id).not.toBe(first.id);
    expect(second.again).toMatch(/changed/);
    await expect(server.api(`/approvals/${first.id}`, { approved: true })).rejects.toThrow(/409 CONFLICT/);
    expect(server.read("a.txt")).toBe("someone else\n");
    await server.api(`/approvals/${second.id}`, { approved: false });
    await called;
  });

  test("an answer that comes late, to a later process, counts for the version that was shown", async () => {
    const server = await testServer(files);
    const called = server.api<CallView>("/call", edit("a.txt", "one\nTWO\n"));
    const { id, callId, version } = await server.asked();
    const [pending] = await server.wield.approvals.pending();
    if (!pending) throw new Error("nothing is pending");
    await server.api(`/approvals/${id}`, { approved: false });
    await called;
    const late = () => server.api(`/approvals/left/${callId}`, { approved: true, version });
    // A process that is gone had asked again, after the file changed; its question nobody saw.
    server.write("a.txt", "someone else\n");
    const now = (await server.wield.workspace.read("a.txt")).fingerprint;
    await server.wield.store.savePending({ ...pending, seen: { "a.txt": now } });
    await expect(late()).rejects.toThrow(/409 CONFLICT.*changed since/);
    expect(server.read("a.txt")).toBe("someone else\n");
    server.write("a.txt", "one\ntwo\n");
    await server.wield.store.savePending(pending);
    await late();
    expect(server.read("a.txt")).toBe("one\nTWO\n");
  });

  test("asks of one step come together, with their session, and go when it is stopped", async () => {
    const model = scriptedModel([{ calls: [edit("a.txt", "x\n"), edit("b.txt", "y\n")] }]);
    const server = await testServer(files, { model });
    const { session } = await server.api<{ session: string }>("/sessions", start);
    const ask = await server.asked();
    const { asks } = await server.api<OpenView>("/approvals");
    expect(asks.map((each) => [each.chat?.id, each.stepId])).toEqual([
      [session, ask.stepId],
      [session, ask.stepId],
    ]);
    await server.api(`/sessions/${session}/stop`, {});
    await server.ended(session);
    expect(await server.api("/approvals")).toEqual({ asks: [], questions: [], left: [] });
    await expect(server.api(`/approvals/${ask.id}`, { approved: true })).rejects.toThrow(/409 CONFLICT/);
    expect([server.read("a.txt"), server.read("b.txt")]).toEqual(["one\ntwo\n", "b\n"]);
  });

  test("remember saves the rule that was shown; it can be taken back", async () => {
    const server = await testServer(files);
    const called = server.api<CallView>("/call", edit("a.txt", "x\n"));
    const ask = await server.asked();
    await server.api(`/approvals/${ask.id}`, { approved: true, remember: "user" });
    await called;
    expect((await server.api<CallView>("/call", edit("a.txt", "y\n"))).record.approval).toBe("auto");
    const { rules } = await server.api<SettingsView>("/settings");
    expect(rules.user).toMatchObject([{ decision: "allow", tool: "edit_file", path: "a.txt" }]);
    await server.api("/settings/forget", { rule: rules.user[0] });
    const again = server.api<CallView>("/call", edit("a.txt", "z\n"));
    await server.api(`/approvals/${(await server.asked()).id}`, { approved: false });
    expect((await again).result.ok).toBe(false);
  });

  test("leaving the page withdraws its call", async () => {
    const server = await testServer(files);
    const leave = new AbortController();
    const called = fetch(`${server.origin}/api/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: JSON.stringify(edit("a.txt", "x\n")),
      signal: leave.signal,
    });
    await server.asked();
    const stream = await openStream(server);
    leave.abort();
    await expect(called).rejects.toThrow();
    while ((await server.api<OpenView>("/approvals")).asks.length > 0)
      await stream.next((event) => event.type === "approvals-change");
    await stream.close();
    expect(server.read("a.txt")).toBe("one\ntwo\n");
  });
});

describe("changes, tools, statistics, MCP, documents and the code index", () => {
  test("changes are listed with diffs and undone through the same gate", async () => {
    const server = await testServer({ "a.txt": "a\n" });
    const created = await server.api<CallView>("/call", {
      tool: "write_file",
      input: { path: "new.txt", content: "n\n" },
    });
    expect(created.result.ok).toBe(true);
    const [change] = await server.api<ChangeView[]>("/changes");
    expect(change).toMatchObject({
      tool: "write_file",
      state: "done",
      files: [{ path: "new.txt", change: "create" }],
    });
    const undone = server.api<CallView>("/call", { tool: "undo", input: { changeId: change?.id } });
    await server.api(`/approvals/${(await server.asked()).id}`, { approved: true });
    expect((await undone).result.ok).toBe(true);
    expect(() => server.read("new.txt")).toThrow(/ENOENT/);
  });

  test("tools carry their schema; switching one off holds at once and is kept", async () => {
    const server = await testServer({ "a.txt": "a\n" });
    const tools = await server.api<ToolView[]>("/tools");
    expect(tools.find(({ name }) => name === "read_file")).toMatchObject({
      on: true,
      input: { required: ["path"] },
    });
    await server.api("/settings/switch", { name: "read_file", on: false });
    await server.api("/settings/switch", { name: "Git", on: false });
    const now = await server.api<ToolView[]>("/tools");
    expect(now.filter(({ on }) => !on).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["read_file", "git_log"]),
    );
    const called = await server.api<CallView>("/call", { tool: "read_file", input: { path: "a.txt" } });
    expect(called.result).toMatchObject({ error: { code: "TOOL_DISABLED" } });
    await server.api("/settings/switch", { name: "read_file", on: true });
    expect(
      (await server.api<CallView>("/call", { tool: "read_file", input: { path: "a.txt" } })).result.ok,
    ).toBe(true);
    await expect(server.api("/settings", { rules: [] }, "PATCH")).rejects.toThrow(/400 INVALID_INPUT/);
  });

  test("statistics count what was called", async () => {
    const server = await testServer();
    await server.api("/call", { tool: "read_file", input: { path: "none" } });
    const { tools, calls } = await server.api<StatsView>("/stats");
    expect(tools).toMatchObject([{ tool: "read_file", calls: 1, failures: 1 }]);
    expect(calls).toMatchObject([{ tool: "read_file", ok: false, errorCode: "FILE_NOT_FOUND" }]);
  });

  test("MCP clients are served behind the same guard; who shows no form is asked on the page", async () => {
    const server = await testServer({ "a.txt": "a\n" });
    expect(await server.status("/mcp")).toBe(401);
    const headers = { authorization: `Bearer ${server.mcpToken}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), {
      requestInit: { headers },
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("write_file");
    const called = client.callTool({ name: "write_file", arguments: { path: "a.txt", content: "b\n" } });
    await server.api(`/approvals/${(await server.asked()).id}`, { approved: true });
    expect((await called).isError ?? false).toBe(false);
    expect(server.read("a.txt")).toBe("b\n");
    await client.close();
  });

  test("documents and the index of the code can be looked at", async () => {
    const server = await testServer({ "a.ts": "export const a = 1;\n" });
    const made = await server.api<CallView>("/call", {
      tool: "createDocument",
      input: { title: "Notes", kind: "text", content: "# Notes\n" },
    });
    const { id } = (made.result as { value: { id: string } }).value;
    expect(await server.api<DocumentView>(`/documents/${id}`)).toMatchObject({
      title: "Notes",
      content: "# Notes\n",
    });
    await expect(server.api("/documents/none")).rejects.toThrow(/404/);
    expect(await server.api<IndexView>("/index", {})).toMatchObject({ code: 1, parsed: 1, building: false });
  });

  test("tools are ranked as a model would find them", async () => {
    const server = await testServer();
    expect((await server.api<string[]>("/tools/ranking?query=weather"))[0]).toBe("getWeather");
  });
});

test("the status tells what is left out", async () => {
  const settings = { mcp: { broken: { command: "/nowhere/at-all" } } };
  const server = await testServer({}, { wield: { settings } });
  await server.wield.tools.ready();
  const { problems } = await server.api<StatusView>("/status");
  expect(problems).toEqual([expect.stringContaining("broken cannot be reached")]);
});
