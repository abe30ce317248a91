import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Answer } from "../approval/approval.ts";
import { scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
  vi.restoreAllMocks();
});
const start = async (...given: Parameters<typeof testWield>) => {
  place = await testWield(...given);
  return place;
};

describe("a listener that throws", () => {
  test("breaks no call, hides nothing from the others, and is reported once", async () => {
    const report = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { wield, read } = await start({ "a.txt": "old\n" }, { approve: () => yes });
    const heard: string[] = [];
    wield.on(() => {
      throw new Error("broken listener");
    });
    wield.on(({ type }) => heard.push(type));
    const { result } = await wield.call("write_file", { path: "a.txt", content: "new\n" });
    expect(result).toEqual({ ok: true, value: { path: "a.txt", size: 4 } });
    expect(read("a.txt")).toBe("new\n");
    expect(heard).toEqual(["call-start", "approval-ask", "approval-answer", "files-change", "call-end"]);
    expect(report).toHaveBeenCalledTimes(1);
  });

  test("a progress callback that throws does not fail the call", async () => {
    const tool = defineTool({
      ...{ name: "report", title: "Report", description: "made for a test", category: "Test" },
      input: z.object({}),
      output: z.string(),
      execute: async (_input, { progress }) => {
        progress("half");
        return "done";
      },
    });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { wield } = await start({}, { customTools: [tool] });
    const progress = () => {
      throw new Error("broken callback");
    };
    expect((await wield.callAny("report", {}, { progress })).result).toEqual({ ok: true, value: "done" });
  });
});

test("a rendering that throws does not turn a call that happened into a failure", async () => {
  const tool = defineTool({
    ...{ name: "odd", title: "Odd", description: "made for a test", category: "Test" },
    input: z.object({}),
    output: z.object({ n: z.number() }),
    execute: async () => ({ n: 7 }),
    render: () => {
      throw new Error("broken rendering");
    },
  });
  const { wield } = await start({}, { customTools: [tool] });
  const { result, text } = await wield.callAny("odd", {});
  expect(result).toEqual({ ok: true, value: { n: 7 } });
  expect(text).toContain('"n": 7');
});

test("a call that is stopped already asks nobody", async () => {
  const person = scriptedPerson();
  const { wield } = await start({ "a.txt": "old\n" }, { asker: person.asker });
  const call = wield.call("write_file", { path: "a.txt", content: "new\n" }, { signal: AbortSignal.abort() });
  expect((await call).result).toMatchObject({ error: { code: "ABORTED" } });
  expect(person.asked).toEqual([]);
});

describe("an edited call", () => {
  const edit = (path: string, content: string) => ({ path, content, description: "d" });
  const editTo = (modifiedArgs: Record<string, unknown>): Answer => ({ approved: true, modifiedArgs });

  test("that names another file is shown and asked again", async () => {
    const person = scriptedPerson(editTo(edit("b.txt", "new\n")), (ask) => {
      expect(ask.args).toMatchObject({ path: "b.txt" });
      expect(ask.preview?.files[0]?.diff).toContain("-two\n+new");
      expect(ask.again).toContain("You changed what this call touches");
      return { approved: false };
    });
    const { wield, read } = await start({ "a.txt": "one\n", "b.txt": "two\n" }, { asker: person.asker });
    const { result } = await wield.call("edit_file", edit("a.txt", "new\n"));
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(person.asked).toHaveLength(2);
    expect([read("a.txt"), read("b.txt")]).toEqual(["one\n", "two\n"]);
  });

  test("runs as edited once that is approved, and the model is told", async () => {
    const person = scriptedPerson(editTo(edit("b.txt", "new\n")), yes);
    const { wield, read } = await start({ "a.txt": "one\n", "b.txt": "two\n" }, { asker: person.asker });
    const { text, details } = await wield.call("edit_file", edit("a.txt", "new\n"));
    expect([read("a.txt"), read("b.txt")]).toEqual(["one\n", "new\n"]);
    expect(details.record.approval).toBe("edited");
    expect(text).toContain('path: "a.txt" → "b.txt"');
  });

  test("that would even create a file unasked is asked again", async () => {
    const person = scriptedPerson(editTo({ path: "new.txt", content: "x" }), { approved: false });
    const { wield } = await start({ "a.txt": "one\n" }, { asker: person.asker });
    await wield.call("write_file", { path: "a.txt", content: "x" });
    expect(person.asked.map(([ask]) => ask?.args["path"])).toEqual(["a.txt", "new.txt"]);
  });

  test("with other content for the same file is not asked again", async () => {
    const person = scriptedPerson(editTo(edit("a.txt", "mine\n")));
    const { wield, read } = await start({ "a.txt": "one\n" }, { asker: person.asker });
    expect((await wield.call("edit_file", edit("a.txt", "new\n"))).result.ok).toBe(true);
    expect(read("a.txt")).toBe("mine\n");
  });
});

test("a tool that does not pass on what was approved cannot change a file that is no longer like it", async () => {
  const careless = defineTool({
    ...{ name: "careless", title: "Careless", description: "made for a test", category: "Test" },
    input: z.object({}),
    output: z.string(),
    can: ["write"],
    effects: () => [{ kind: "write", path: "a.txt", replaces: true }],
    preview: async (_input, { workspace }) => {
      const { fingerprint } = await workspace.read("a.txt");
      return { summary: "write", files: [], seen: new Map([["a.txt", fingerprint]]), notes: [] };
    },
    execute: async (_input, { workspace, callId }) => {
      const by = { callId, tool: "careless", description: "write" };
      await workspace.apply([{ op: "write", path: "a.txt", bytes: Buffer.from("1\n") }], by);
      await workspace.apply([{ op: "write", path: "a.txt", bytes: Buffer.from("2\n") }], by);
      return "done";
    },
  });
  const person = scriptedPerson(() => {
    place?.write("a.txt", "somebody else\n");
    return yes;
  }, yes);
  const { wield, read } = await start({ "a.txt": "old\n" }, { customTools: [careless], asker: person.asker });
  expect((await wield.callAny("careless", {})).result).toEqual({ ok: true, value: "done" });
  expect(person.asked).toHaveLength(2);
  expect(read("a.txt")).toBe("2\n");
});
