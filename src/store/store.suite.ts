import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallRecord } from "../events/events.ts";
import { documentsContract } from "./documents.suite.ts";
import type { LogEntry, SessionRecord, Store } from "./store.ts";

/** What every store must do. `open` gives two handles on the same data, as two processes would have them. */
export function storeContract(
  name: string,
  open: () => Promise<{ stores: [Store, Store]; close(): Promise<void> }>,
): void {
  describe(name, () => {
    let store: Store;
    let other: Store;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const opened = await open();
      [store, other] = opened.stores;
      close = opened.close;
    });
    afterEach(() => close());

    const call = (id: string, more: Partial<CallRecord> = {}): CallRecord => ({
      id,
      session: "s",
      tool: "read_file",
      at: "2026-11-15T10:00:00.000Z",
      durationMs: 1.5,
      ok: true,
      errorCode: null,
      bytes: 10,
      tokensIn: 1,
      tokensOut: 2,
      approval: "auto",
      ...more,
    });
    const session = (id: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
      id,
      workspace: "/w",
      agent: "coding",
      title: "a question",
      at: "2026-11-15T10:00:00.000Z",
      updated: "2026-11-15T10:00:00.000Z",
      ...more,
    });
    const entry = (seq: number, data: unknown): LogEntry => ({ seq, at: `t${seq}`, data });
    const start = (id: string, more: Partial<SessionRecord> = {}) =>
      store.appendEntry(session(id, more), entry(0, { kind: "user", text: "hello" }));

    test("a call is found by its id, and a second record of it replaces the first", async () => {
      expect(await store.call("c_1")).toBeUndefined();
      await store.recordCall(call("c_1", { ok: false, errorCode: "ABORTED" }));
      await store.recordCall(call("c_1", { durationMs: 7 }));
      expect(await other.call("c_1")).toEqual(call("c_1", { durationMs: 7 }));
      expect(await store.calls()).toHaveLength(1);
    });

    test("calls are listed newest first, by tool, or by their ids", async () => {
      for (let n = 0; n < 5; n++)
        await store.recordCall(
          call(`c_${n}`, { at: `2026-11-15T10:00:0${n}.000Z`, tool: n % 2 ? "odd" : "even" }),
        );
      const ids = async (query: Parameters<Store["calls"]>[0]) =>
        (await other.calls(query)).map(({ id }) => id);
      expect(await ids({ limit: 2 })).toEqual(["c_4", "c_3"]);
      expect(await ids({ tool: "odd" })).toEqual(["c_3", "c_1"]);
      expect(await ids({ ids: ["c_0", "c_2", "c_none"] })).toEqual(["c_2", "c_0"]);
      expect(await ids({ ids: [] })).toEqual([]);
    });

    test("a finished call has its record and its result", async () => {
      await store.recordCall(call("c_1", { ok: false, errorCode: "ABORTED" }));
      expect(await other.result("c_1")).toBeUndefined();
      await store.finishCall(call("c_1"), "all of it");
      expect(await other.call("c_1")).toEqual(call("c_1"));
      const { tool, at } = call("c_1");
      expect(await other.result("c_1")).toEqual({ id: "c_1", tool, at, text: "all of it" });
    });

    test("a finished call keeps the files that it handed over, in their order", async () => {
      const bytes = new Uint8Array([0, 255, 7]);
      const chart = { name: "chart.png", mediaType: "image/png", bytes };
      const table = { name: "out/a.csv", mediaType: "text/csv", bytes: Buffer.from("a,b\n") };
      await store.finishCall(call("c_1"), "made two", [chart, table]);
      // The same again, when only the answer was lost.
      await store.finishCall(call("c_1"), "made two", [chart, table]);
      await store.finishCall(call("c_2"), "made none");
      const files = other.files();
      expect([...(await files.list(["c_1", "c_2", "c_none"]))]).toEqual([
        [
          "c_1",
          [
            { name: "chart.png", mediaType: "image/png", size: 3 },
            { name: "out/a.csv", mediaType: "text/csv", size: 4 },
          ],
        ],
      ]);
      expect(await files.read("c_1", 0)).toEqual({ name: "chart.png", mediaType: "image/png", bytes });
      expect(await files.read("c_1", 2)).toBeUndefined();
      expect(await files.read("c_2", 0)).toBeUndefined();
    });

    test("statistics count by tool, the most used first, and since a time", async () => {
      const times = [5, 1, 4, 2, 3];
      for (const [n, durationMs] of times.entries())
        await store.recordCall(call(`c_${n}`, { durationMs, at: `2026-11-1${n}T10:00:00.000Z` }));
      await store.recordCall(
        call("c_x", { tool: "write_file", ok: false, errorCode: "CONFLICT", approval: "edited" }),
      );
      await store.recordCall(
        call("c_y", { tool: "write_file", ok: false, errorCode: "APPROVAL_DENIED", approval: "denied" }),
      );
      await store.recordCall(call("c_z", { tool: "write_file", approval: "approved", durationMs: 9 }));
      const read = { tool: "read_file", failures: 0, failuresByCode: {}, asked: 0, approved: 0, edited: 0 };
      const write = {
        ...{ tool: "write_file", calls: 3, failures: 2, p50Ms: 1.5, p95Ms: 9, tokensIn: 3, tokensOut: 6 },
        ...{ failuresByCode: { CONFLICT: 1, APPROVAL_DENIED: 1 }, asked: 3, approved: 2, edited: 1 },
      };
      expect(await other.statistics()).toEqual([
        { ...read, calls: 5, p50Ms: 3, p95Ms: 5, tokensIn: 5, tokensOut: 10 },
        write,
      ]);
      expect(await other.statistics("2026-11-13T00:00:00.000Z")).toEqual([
        write,
        { ...read, calls: 2, p50Ms: 3, p95Ms: 3, tokensIn: 2, tokensOut: 4 },
      ]);
    });

    test("a session begins with its first entry, and later ones update what is said about it", async () => {
      await start("a");
      const later = { title: "another title", updated: "2026-11-15T11:00:00.000Z" };
      await store.appendEntry(session("a", later), entry(1, 1));
      expect(await other.session("a")).toEqual(session("a", later));
      expect(await other.session("b")).toBeUndefined();
    });

    test("sessions are listed by workspace, the last used first, and found by words or a prefix", async () => {
      await start("old", { updated: "2026-11-14T10:00:00.000Z", title: "the Ärger" });
      await start("new", { updated: "2026-11-15T10:00:00.000Z" });
      await start("elsewhere", { workspace: "/x" });
      const ids = async (query: Omit<Parameters<Store["sessions"]>[0], "workspace">) =>
        (await other.sessions({ workspace: "/w", ...query })).map(({ id }) => id);
      expect(await ids({})).toEqual(["new", "old"]);
      expect(await ids({ limit: 1 })).toEqual(["new"]);
      expect(await ids({ prefix: "ol" })).toEqual(["old"]);
      expect(await ids({ prefix: "%" })).toEqual([]);
      expect(await ids({ query: "HELLO" })).toEqual(["new", "old"]);
      expect(await ids({ query: "the" })).toEqual(["old"]);
    });

    test("entries come back in order and as they were", async () => {
      const data = [
        { kind: "user", text: "ä\u0000\n" },
        { kind: "step", nested: { list: [1, null, true] } },
      ];
      for (const [seq, one] of data.entries()) await store.appendEntry(session("a"), entry(seq, one));
      await store.appendEntry(session("b"), entry(0, 1));
      expect(await other.entries("a")).toEqual(data.map((one, seq) => entry(seq, one)));
      expect(await other.entries("none")).toEqual([]);
    });

    test("a place in the log is given once: the second writer is told of a conflict and changes nothing", async () => {
      await store.appendEntry(session("a"), entry(0, "first"));
      const second = other.appendEntry(session("a", { title: "mine" }), entry(0, "second"));
      await expect(second).rejects.toMatchObject({ code: "CONFLICT" });
      expect((await store.entries("a")).map(({ data }) => data)).toEqual(["first"]);
      expect((await store.session("a"))?.title).toBe("a question");
    });

    test("of many writers at one place, one wins", async () => {
      const tries = Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? store : other).appendEntry(session("a"), entry(0, `writer ${n}`)),
      );
      const won = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
      expect(won).toHaveLength(1);
      expect(await store.entries("a")).toHaveLength(1);
    });

    test("the same entry again is no conflict: its writer may not have heard that it was written", async () => {
      await store.appendEntry(session("a"), entry(0, { kind: "user", text: "hello" }));
      await store.appendEntry(session("a"), entry(0, { kind: "user", text: "hello" }));
      expect(await store.entries("a")).toHaveLength(1);
    });

    test("what models used is counted by session, model and time", async () => {
      const at = "2026-11-16T07:12:00.000Z";
      const usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 4 };
      const step = (seq: number, model: string, more = {}) => ({
        ...entry(seq, { kind: "step", messages: ["\u0000"], usage: { ...usage, ...more }, model }),
        at,
      });
      await store.appendEntry(session("a"), step(0, "m/one"));
      await store.appendEntry(session("a"), step(1, "m/one", { writtenTokens: 3 }));
      await store.appendEntry(session("a"), entry(2, { kind: "user", text: "usage", usage }));
      await store.appendEntry(session("a"), { ...step(3, "m/two"), at: "2026-11-17T00:00:00.000Z" });
      const rows = await other.usage({ workspace: session("a").workspace, since: "2026-11-01" });
      expect(rows).toEqual([
        { session: "a", title: "a question", at: "2026-11-17T00:00:00.000Z", model: "m/two", usage },
        {
          ...{ session: "a", title: "a question", at: "2026-11-16T07:10:00.000Z", model: "m/one" },
          usage: { inputTokens: 20, outputTokens: 4, cachedTokens: 8, writtenTokens: 3 },
        },
      ]);
      expect(await other.usage({ since: "2026-11-18" })).toEqual([]);
      expect(await other.usage({ workspace: "/elsewhere" })).toEqual([]);
    });

    test("the calls of one session", async () => {
      await store.recordCall(call("c1", { session: "one" }));
      await store.recordCall(call("c2", { session: "two" }));
      expect((await other.calls({ session: "one" })).map(({ id }) => id)).toEqual(["c1"]);
    });

    test("an open ask is seen by others and taken by one", async () => {
      const pending = {
        id: "c_1",
        workspace: "/w",
        tool: "t",
        args: { a: 1 },
        reason: "r",
        seen: { f: "absent" },
        at: "t",
        session: "a_1",
      };
      const { session: _, ...ofNoSession } = pending;
      await store.savePending(ofNoSession);
      expect(await other.pending()).toEqual([ofNoSession]);
      await store.savePending(pending);
      expect(await other.pending()).toEqual([pending]);
      const taken = await Promise.all([other.takePending("c_1"), store.takePending("c_1")]);
      expect(taken.filter((one) => one !== undefined)).toEqual([pending]);
      expect(await store.pending()).toEqual([]);
    });

    test("after close every method rejects with a sentence, and closing again does no harm", async () => {
      await store.close();
      await store.close();
      await expect(store.calls()).rejects.toThrow("The store is closed");
      await expect(store.recordCall(call("c_1"))).rejects.toThrow("The store is closed");
      await expect(store.appendEntry(session("a"), entry(0, 1))).rejects.toThrow("The store is closed");
      expect(await other.calls()).toEqual([]);
    });

    test("whoever claims a session later takes it over: the earlier claim writes nothing any more", async () => {
      await start("a");
      const first = await store.claim("a", "one");
      await first.store.appendEntry(session("a"), entry(1, "mine"));
      await first.store.recordCall(call("c_1", { session: "a" }));
      expect(await first.holds()).toBe(true);
      const second = await other.claim("a", "two");
      expect(second.epoch).toBeGreaterThan(first.epoch);
      expect(await first.holds()).toBe(false);
      const late = first.store;
      const pending = { id: "p", workspace: "/w", tool: "t", args: {}, reason: "r", seen: {}, at: "t" };
      const document = { id: "d", title: "t", kind: "text", content: "" } as const;
      const change = { id: "x", at: "t", data: 1 };
      const writes: (() => Promise<unknown>)[] = [
        () => late.appendEntry(session("a", { title: "late" }), entry(2, "late")),
        // Not even its own entry again: it cannot know what was done since.
        () => late.appendEntry(session("a"), entry(1, "mine")),
        () => late.recordCall(call("c_2", { session: "a" })),
        () => late.finishCall(call("c_1", { session: "a" }), "late"),
        () => late.saveResult({ id: "c_1", tool: "t", at: "t", text: "late" }),
        () => late.savePending(pending),
        () => late.takePending("p"),
        () => late.documents("/w").create(document),
        () => late.plans("/w").create({ id: "p", title: "t", steps: ["a"] }),
        () => late.held("/w").save({ id: "h", description: "d", data: new Uint8Array([1]) }),
        () => late.sessionStates().change("a", () => ({ mode: "auto" })),
        () => late.keptChanges().add("a", change, new Map()),
      ];
      for (const write of writes) await expect(write()).rejects.toMatchObject({ code: "CONFLICT" });
      expect((await store.entries("a")).map(({ data }) => data)).toEqual([
        { kind: "user", text: "hello" },
        "mine",
      ]);
      expect((await store.session("a"))?.title).toBe("a question");
      expect(await store.call("c_2")).toBeUndefined();
      expect(await store.result("c_1")).toBeUndefined();
      expect(await store.pending()).toEqual([]);
      expect((await store.documents("/w").list({ limit: 9 })).total).toBe(0);
      expect(await store.plans("/w").current()).toBeUndefined();
      expect(await store.held("/w").ids()).toEqual([]);
      expect(await store.sessionStates().get("a")).toBeUndefined();
      expect(await store.keptChanges().list("a")).toEqual([]);
      // It still reads, and the one that took over writes.
      expect(await late.entries("a")).toHaveLength(2);
      await second.store.appendEntry(session("a"), entry(2, "theirs"));
      await second.store.finishCall(call("c_1", { session: "a" }), "theirs");
      await second.release();
      await second.release();
      await expect(second.store.recordCall(call("c_3"))).rejects.toMatchObject({ code: "CONFLICT" });
    });

    test("claims of a session count up until its log grows", async () => {
      await start("a");
      const attempts = async () => (await store.claim("a", "w")).attempts;
      expect([await attempts(), await attempts(), await attempts()]).toEqual([1, 2, 3]);
      const claim = await store.claim("a", "w");
      await claim.store.appendEntry(session("a"), entry(1, "more"));
      expect(await attempts()).toBe(1);
    });

    test("changes of a session are kept in order, once each, with their contents", async () => {
      const bytes = Buffer.from("x".repeat(5000));
      const changes = [
        { id: "c1", at: "t1", data: { path: "a\u0000" } },
        { id: "c0", at: "t0", data: [1] },
      ];
      for (const change of changes) await store.keptChanges().add("a", change, new Map([["h1", bytes]]));
      await store.keptChanges().add("a", { id: "c1", at: "t9", data: "again" }, new Map());
      await store.keptChanges().add("b", { id: "c1", at: "t", data: 2 }, new Map());
      expect(await other.keptChanges().list("a")).toEqual(changes);
      const kept = await other.keptChanges().contents(["h1", "none"]);
      expect([...kept].map(([hash, content]) => [hash, Buffer.from(content)])).toEqual([["h1", bytes]]);
    });

    documentsContract(() => [store, other]);

    test("a session is found by words of the person and of the agent, over all folders or in one", async () => {
      await start("a_1", { workspace: "/w" });
      await start("a_2", { workspace: "/v", title: "another" });
      const step = {
        kind: "step",
        messages: [
          {
            role: "assistant",
            content: [
              { type: "text", text: 'The "Lighthouse" is\nred' },
              { type: "tool-call", toolName: "hidden" },
            ],
          },
        ],
      };
      await store.appendEntry(session("a_2", { workspace: "/v", title: "another" }), entry(1, step));
      await store.appendEntry(
        session("a_1"),
        entry(1, { kind: "results", results: [{ text: "lighthouse" }] }),
      );
      const ids = async (query: Parameters<Store["sessions"]>[0]) =>
        (await other.sessions(query)).map(({ id }) => id).sort();
      expect(await ids({})).toEqual(["a_1", "a_2"]);
      expect(await ids({ query: '"lightHOUSE" is\nred' })).toEqual(["a_2"]);
      expect(await ids({ query: "hello" })).toEqual(["a_1", "a_2"]);
      expect(await ids({ query: "hidden" })).toEqual([]);
      expect(await ids({ query: "lighthouse", workspace: "/w" })).toEqual([]);
      // What a rewind dropped is not found; what was said after it is, and what stood before it.
      await store.appendEntry(session("a_2", { workspace: "/v" }), entry(2, { kind: "rewind", to: 1 }));
      await store.appendEntry(
        session("a_2", { workspace: "/v" }),
        entry(3, { kind: "user", text: "windmill" }),
      );
      expect(await ids({ query: "lighthouse" })).toEqual([]);
      expect(await ids({ query: "windmill" })).toEqual(["a_2"]);
      expect(await ids({ query: "hello" })).toEqual(["a_1", "a_2"]);
    });

    test("a title of the person stays, and what is pinned is listed first", async () => {
      await start("a_1", { updated: "1" });
      await start("a_2", { updated: "2" });
      await store.markSession("a_1", { pinned: true });
      await store.markSession("a_1", { title: "mine" });
      await store.appendEntry(session("a_1", { updated: "1" }), entry(1, { kind: "end" }));
      expect(await other.sessions({})).toMatchObject([
        { id: "a_1", title: "mine", pinned: true },
        { id: "a_2" },
      ]);
      expect(await other.session("a_1")).toMatchObject({ title: "mine", pinned: true });
      await other.markSession("a_1", { pinned: false });
      expect((await store.sessions({})).map(({ id, pinned }) => [id, pinned])).toEqual([
        ["a_2", undefined],
        ["a_1", undefined],
      ]);
    });

    test("of a removed session nothing that was said, found or handed over is left; its figures are", async () => {
      for (const id of ["a_1", "a_2"]) {
        await start(id);
        await store.markSession(id, { pinned: true });
        await store.sessionStates().change(id, () => ({ mode: "plan" }));
        const file = { name: "f", mediaType: "text/plain", bytes: new Uint8Array([1]) };
        await store.finishCall(call(`c_${id}`, { session: id }), "secret", [file]);
      }
      await store.removeSession("a_1");
      expect(await other.session("a_1")).toBeUndefined();
      expect(await other.entries("a_1")).toEqual([]);
      expect(await other.sessionStates().get("a_1")).toBeUndefined();
      expect(await other.result("c_a_1")).toBeUndefined();
      expect(await other.files().read("c_a_1", 0)).toBeUndefined();
      expect(await other.call("c_a_1")).toBeDefined();
      expect((await other.sessions({})).map(({ id }) => id)).toEqual(["a_2"]);
      expect(await other.result("c_a_2")).toBeDefined();
      expect(await other.files().read("c_a_2", 0)).toBeDefined();
      expect(await other.sessionStates().get("a_2")).toEqual({ mode: "plan" });
    });
  });
}
