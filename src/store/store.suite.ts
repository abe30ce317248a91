import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallRecord } from "../events/events.ts";
import type { SessionRecord, Store } from "./store.ts";

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

    test("a call is found by its id, and a second record of it replaces the first", () => {
      expect(store.call("c_1")).toBeUndefined();
      store.recordCall(call("c_1", { ok: false, errorCode: "ABORTED" }));
      store.recordCall(call("c_1", { durationMs: 7 }));
      expect(other.call("c_1")).toEqual(call("c_1", { durationMs: 7 }));
      expect(store.calls()).toHaveLength(1);
    });

    test("a session is saved once and updated after", () => {
      store.saveSession(session("a"));
      store.saveSession(session("a", { title: "another title", updated: "2026-11-15T11:00:00.000Z" }));
      expect(other.session("a")).toEqual(
        session("a", { title: "another title", updated: "2026-11-15T11:00:00.000Z" }),
      );
      expect(other.session("b")).toBeUndefined();
    });

    test("sessions are listed by workspace, the last used first", () => {
      store.saveSession(session("old", { updated: "2026-11-14T10:00:00.000Z" }));
      store.saveSession(session("new", { updated: "2026-11-15T10:00:00.000Z" }));
      store.saveSession(session("elsewhere", { workspace: "/x" }));
      expect(store.sessions({ workspace: "/w" }).map(({ id }) => id)).toEqual(["new", "old"]);
      expect(store.sessions({ workspace: "/w", limit: 1 }).map(({ id }) => id)).toEqual(["new"]);
    });

    test("entries come back in order and as they were", () => {
      const data = [
        { kind: "user", text: "ä\u0000\n" },
        { kind: "step", nested: { list: [1, null, true] } },
      ];
      for (const [seq, entry] of data.entries()) store.appendEntry("a", { seq, at: `t${seq}`, data: entry });
      store.appendEntry("b", { seq: 0, at: "t", data: 1 });
      expect(other.entries("a")).toEqual(data.map((entry, seq) => ({ seq, at: `t${seq}`, data: entry })));
      expect(other.entries("none")).toEqual([]);
    });

    test("a place in the log is given once: the second who wants it is told of a conflict", () => {
      store.appendEntry("a", { seq: 0, at: "t", data: "first" });
      expect(() => other.appendEntry("a", { seq: 0, at: "t", data: "second" })).toThrow(
        expect.objectContaining({ code: "CONFLICT" }),
      );
      expect(store.entries("a").map(({ data }) => data)).toEqual(["first"]);
    });

    test("an open ask is seen by others and taken by one", () => {
      const pending = {
        id: "c_1",
        workspace: "/w",
        tool: "t",
        args: { a: 1 },
        reason: "r",
        seen: { f: "absent" },
        at: "t",
      };
      store.savePending(pending);
      expect(other.pending()).toEqual([pending]);
      expect(other.takePending("c_1")).toEqual(pending);
      expect(store.takePending("c_1")).toBeUndefined();
    });
  });
}
