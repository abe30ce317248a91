import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Answer } from "../approval/approval.ts";
import type { WieldEvent } from "../events/events.ts";
import { no, scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";

const open: TestWield[] = [];
afterEach(async () => {
  for (const test of open.splice(0)) await test.close();
});
const start = async (...given: Parameters<typeof testWield>) => {
  const made = await testWield(...given);
  open.push(made);
  return made;
};

/** A tool of the test's own, around one function. */
function tool(name: string, execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  const made = defineTool({
    name,
    title: name,
    description: "made for a test",
    category: "Test",
    input: z.looseObject({}),
    output: z.unknown(),
    approval: "auto",
    execute,
  });
  return { ...made, ...more } as Tool;
}

describe("finding and parsing", () => {
  test("an unknown name is answered with the nearest ones", async () => {
    const { wield } = await start();
    const { result, text } = await wield.callAny("raed_file", {});
    expect(result).toMatchObject({
      ok: false,
      error: { code: "UNKNOWN_TOOL", details: { nearest: ["read_file"] } },
    });
    expect(text).toContain("Did you mean read_file");
  });

  test.each(["__proto__", "constructor", "toString", ""])("the name %j is just a name", async (name) => {
    const { wield } = await start();
    expect((await wield.callAny(name, {})).result).toMatchObject({
      ok: false,
      error: { code: "UNKNOWN_TOOL" },
    });
  });

  test("a tool may even be called __proto__", async () => {
    const { wield } = await start({}, { customTools: [tool("__proto__", async () => "here")] });
    expect((await wield.callAny("__proto__", {})).result).toEqual({ ok: true, value: "here" });
    expect(Object.keys(wield.tools.forAiSdk())).toContain("__proto__");
  });

  test("wrong input comes back in the schema's words, with a valid call", async () => {
    const { wield } = await start();
    const { result } = await wield.callAny("read_file", { path: 7 });
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
    expect(JSON.stringify(result)).toContain("expected string");
    expect(JSON.stringify(result)).toContain("A valid call: read_file(");
  });

  test("a parameter that the tool does not have is refused with the nearest one", async () => {
    const { wield } = await start({ "a.txt": "one\n" });
    const { result } = await wield.callAny("grep", { pattern: "one", includes: "*.txt", blob: 3 });
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
    const told = JSON.stringify(result);
    expect(told).toMatch(/grep has no parameter .{0,2}"includes.{0,2}"\. Did you mean include\?/);
    expect(told).toContain("Its parameters: pattern, ");
  });

  test("parameters by the names that other tools have for them", async () => {
    const { wield } = await start({ "a.txt": "one\ntwo\nthree\n" }, { approve: () => yes });
    const read = await wield.callAny("read_file", { file_path: "a.txt", start_line: 2, limit: 1 });
    expect(read.text).toContain("2\ttwo");
    const replaced = await wield.callAny("replace_in_file", {
      ...{ path: "a.txt", description: "d", edits: [{ old_string: "one", new_string: "1" }] },
    });
    expect(replaced.text).toContain("1 edit in a.txt (+1 −1), exact; undo ");
    expect((await wield.callAny("batch_read", { paths: ["a.txt"] })).text).toContain("two");
    await wield.callAny("createPlan", { title: "Plan", steps: ["a"] });
    expect((await wield.callAny("updatePlan", { step: 1, status: "done" })).text).toContain("[x] 1. a");
    for (const name of ["ref", "commit", "rev"]) {
      const shown = await wield.callAny("git_show", { [name]: "f945fc5e1" });
      expect(shown.text).not.toContain("no parameter");
    }
    expect((await wield.callAny("git_diff", { path: "a.txt" })).text).not.toContain("no parameter");
    // Which one is meant is not clear, or it is given as well.
    expect((await wield.callAny("git_show", { ref: "a", commit: "b" })).text).toMatch(
      /no parameter "(ref|commit)"[\s\S]*A valid call: git_show\(\{"revision":/,
    );
    expect((await wield.callAny("read_file", { path: "a.txt", constructor: 1 })).text).toContain(
      "no parameter",
    );
  });

  test("a list or number sent as a JSON string is repaired", async () => {
    const { wield } = await start({ "a.txt": "one\ntwo\nthree\n" });
    const { result } = await wield.callAny(
      "read_file",
      JSON.stringify({ path: "a.txt", startLine: "2", numLines: "1" }),
    );
    expect(result).toMatchObject({ ok: true, value: { content: "two\n", startLine: 2, endLine: 2 } });
  });

  test("a switched-off tool is not callable", async () => {
    const { wield } = await start({}, { settings: { tools: { off: ["Git", "read_file"] } } });
    expect((await wield.call("read_file", { path: "x" })).result).toMatchObject({
      error: { code: "TOOL_DISABLED" },
    });
    expect((await wield.call("git_status", {})).result).toMatchObject({ error: { code: "TOOL_DISABLED" } });
    expect(wield.tools.list().map((t) => t.name)).not.toContain("git_status");
  });
});

describe("a caller of its own", () => {
  test("brings its own asker, beside the one for all", async () => {
    const owner = scriptedPerson(no);
    const guest = scriptedPerson(yes);
    const { wield, read } = await start({ "a.txt": "one\n" }, { asker: owner.asker });
    const overwrite = (content: string, options = {}) =>
      wield.call("write_file", { path: "a.txt", content }, options);
    expect((await overwrite("two\n", { asker: guest.asker })).result.ok).toBe(true);
    expect((await overwrite("three\n")).result.ok).toBe(false);
    expect([guest.asked.length, owner.asked.length]).toEqual([1, 1]);
    expect(read("a.txt")).toBe("two\n");
  });

  test("hears the progress of its own calls only", async () => {
    const report = tool("report", async (input, { progress }) => progress(String(input)));
    const { wield } = await start(
      {},
      { customTools: [{ ...report, input: z.string(), output: z.undefined() }] },
    );
    const heard: unknown[] = [];
    await Promise.all([
      wield.callAny("report", "mine", { progress: (...news) => heard.push(news) }),
      wield.callAny("report", "another's"),
    ]);
    expect(heard).toEqual([["mine", undefined, undefined]]);
  });
});

describe("failures are results", () => {
  test("a throw is INTERNAL_ERROR and does not end the run", async () => {
    const { wield } = await start(
      {},
      { customTools: [tool("bad", async () => Promise.reject(new TypeError("oops")))] },
    );
    expect((await wield.callAny("bad", {})).result).toMatchObject({ error: { code: "INTERNAL_ERROR" } });
  });

  test("a value that does not fit the tool's own schema is not passed on", async () => {
    const bad = tool("bad", async () => 7, { output: z.string() });
    const { wield } = await start({}, { customTools: [bad] });
    expect((await wield.callAny("bad", {})).result).toMatchObject({ error: { code: "INTERNAL_ERROR" } });
  });
});

describe("timeout and abort", () => {
  const never = () => new Promise<never>(() => undefined);

  test("a tool that ignores its signal cannot hold the call", async () => {
    const { wield } = await start({}, { customTools: [tool("hang", never, { timeoutMs: 20 })] });
    expect((await wield.callAny("hang", {})).result).toMatchObject({ error: { code: "TIMEOUT" } });
  });

  test("the caller's abort ends the call", async () => {
    const { wield } = await start({}, { customTools: [tool("hang", never)] });
    const stop = new AbortController();
    const call = wield.callAny("hang", {}, { signal: stop.signal });
    stop.abort();
    expect((await call).result).toMatchObject({ error: { code: "ABORTED" } });
  });

  test("an abort while the person is asked ends the call and leaves nothing open", async () => {
    const stop = new AbortController();
    const { wield, read } = await start(
      { "a.txt": "old" },
      {
        asker: async () => {
          stop.abort();
          return never();
        },
      },
    );
    const call = await wield.call("write_file", { path: "a.txt", content: "new" }, { signal: stop.signal });
    expect(call.result).toMatchObject({ error: { code: "ABORTED" } });
    expect(await wield.approvals.pending()).toEqual([]);
    expect(read("a.txt")).toBe("old");
  });

  test("once the call is over, the tool can change nothing any more", async () => {
    const over = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    const sly = tool(
      "sly",
      async (_input, context) => {
        late = over.promise.then(() =>
          context.workspace.apply([{ op: "write", path: "late.txt", bytes: Buffer.from("x") }], {
            callId: context.callId,
            tool: "sly",
            description: "late",
          }),
        );
        late.catch(() => undefined);
        return never();
      },
      { timeoutMs: 20 },
    );
    const { wield, root } = await start({}, { customTools: [sly] });
    expect((await wield.callAny("sly", {})).result).toMatchObject({ error: { code: "TIMEOUT" } });
    over.resolve();
    await expect(late).rejects.toThrow("nothing was changed");
    expect(existsSync(join(root, "late.txt"))).toBe(false);
  });

  test("a change that was made before the abort is told, not denied", async () => {
    const stop = new AbortController();
    const writes = tool("writes", async (_input, context) => {
      await context.workspace.apply([{ op: "write", path: "a.txt", bytes: Buffer.from("x") }], {
        callId: context.callId,
        tool: "writes",
        description: "write",
      });
      stop.abort();
      return never();
    });
    const { wield } = await start({}, { customTools: [writes] });
    const outcome = await wield.callAny("writes", {}, { signal: stop.signal });
    expect(outcome.text).toContain("this call had changed: a.txt");
    expect(outcome.details.changes).toHaveLength(1);
  });

  test("looking before asking cannot change anything", async () => {
    const eager = tool("eager", async () => "ran", {
      effects: async (_input, context) => {
        const by = { callId: context.callId, tool: "eager", description: "early" };
        await context.workspace.apply([{ op: "write", path: "early.txt", bytes: Buffer.from("x") }], by);
        return [];
      },
    });
    const { wield, root } = await start({}, { customTools: [eager] });
    expect((await wield.callAny("eager", {})).result.ok).toBe(false);
    expect(existsSync(join(root, "early.txt"))).toBe(false);
  });
});

describe("approvals", () => {
  const overwrite = { path: "a.txt", content: "new\n" };

  test("nobody to ask: APPROVAL_REQUIRED at once, with the rule that would allow it", async () => {
    const { wield, read } = await start({ "a.txt": "old\n" });
    const { result, details } = await wield.call("write_file", overwrite);
    expect(result).toMatchObject({
      error: {
        code: "APPROVAL_REQUIRED",
        details: { rules: [{ decision: "allow", tool: "write_file", path: "a.txt" }] },
      },
    });
    expect(details.record.approval).toBe("required");
    expect(read("a.txt")).toBe("old\n");
  });

  test("the person sees tool, arguments, reason and diff", async () => {
    const person = scriptedPerson(yes);
    const { wield, read } = await start({ "a.txt": "old\n" }, { asker: person.asker });
    expect((await wield.call("write_file", overwrite)).result).toEqual({
      ok: true,
      value: { path: "a.txt", size: 4 },
    });
    const [ask] = person.asked.flat();
    expect(ask).toMatchObject({ tool: "write_file", args: overwrite, stepId: expect.any(String) });
    expect(ask?.reason).toContain("write a.txt");
    expect(ask?.preview?.files[0]?.diff).toContain("-old\n+new");
    expect(read("a.txt")).toBe("new\n");
  });

  test("the person is told what no diff shows", async () => {
    const person = scriptedPerson(no, no, no);
    const { wield } = await start(
      { "a.txt": "old\n", "big.txt": "x".repeat(1_500_000) },
      { asker: person.asker },
    );
    const hidden = Buffer.from("evil\n\0").toString("base64");
    await wield.call("write_file", { path: "a.txt", content: hidden, encoding: "base64" });
    await wield.call("write_file", { path: "big.txt", content: "evil\n" });
    await wield.call("write_file", { path: "a.txt", content: "new\n" });
    const notes = person.asked.map(([ask]) => ask?.preview?.notes.join());
    expect(notes).toEqual([
      expect.stringContaining("what changes in a.txt is not shown"),
      expect.stringContaining("what changes in big.txt is not shown"),
      "",
    ]);
  });

  test("a denied call leaves no trace on disk and tells the reason", async () => {
    const person = scriptedPerson({ approved: false, reason: "keep the old one" });
    const { wield, root, read } = await start({ "a.txt": "old\n" }, { asker: person.asker });
    const before = readdirSync(root, { recursive: true });
    const { text, result } = await wield.call("write_file", overwrite);
    expect(result).toMatchObject({
      error: { code: "APPROVAL_DENIED", message: "User rejected changes: keep the old one" },
    });
    expect(text).toContain("User rejected changes");
    expect(readdirSync(root, { recursive: true })).toEqual(before);
    expect(read("a.txt")).toBe("old\n");
    expect(await wield.changes.list()).toEqual([]);
  });

  test("a file that changed between preview and yes is previewed and asked again", async () => {
    let test: TestWield | undefined;
    const person = scriptedPerson((ask) => {
      expect(ask.preview?.files[0]?.diff).toContain("-old");
      test?.write("a.txt", "changed by someone else\n");
      return yes;
    }, yes);
    test = await start({ "a.txt": "old\n" }, { asker: person.asker });
    expect((await test.wield.call("write_file", overwrite)).result.ok).toBe(true);
    expect(person.asked).toHaveLength(2);
    expect(person.asked[1]?.[0]?.again).toContain("changed since you were asked");
    expect(person.asked[1]?.[0]?.preview?.files[0]?.diff).toContain("-changed by someone else");
    expect(test.read("a.txt")).toBe("new\n");
  });

  test("a file that never stops changing ends in CONFLICT", async () => {
    let test: TestWield | undefined;
    let count = 0;
    test = await start(
      { "a.txt": "old\n" },
      {
        approve: () => {
          test?.write("a.txt", `version ${count++}\n`);
          return yes;
        },
      },
    );
    expect((await test.wield.call("write_file", overwrite)).result).toMatchObject({
      error: { code: "CONFLICT" },
    });
    expect(count).toBe(3);
  });

  test("a new file that appears before it is written is asked, not overwritten", async () => {
    const { wield, write, read } = await start();
    const racing = wield.on((event) => {
      if (event.type === "call-start") write("a.txt", "someone was faster\n");
    });
    expect((await wield.call("write_file", overwrite)).result).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    racing();
    expect(read("a.txt")).toBe("someone was faster\n");
  });

  test("edited arguments are validated and previewed again; the model is told what the person changed", async () => {
    const person = scriptedPerson((ask) => ({
      approved: true,
      modifiedArgs: { ...ask.args, content: "theirs\n" },
    }));
    const { wield, read } = await start({ "a.txt": "old\n" }, { asker: person.asker });
    const outcome = await wield.call("write_file", overwrite);
    expect(read("a.txt")).toBe("theirs\n");
    expect(outcome.details.record.approval).toBe("edited");
    expect(outcome.details.preview?.files[0]?.diff).toContain("+theirs");
    expect(outcome.text).toContain("The person edited this call");
    expect(outcome.text).toContain("-new\n+theirs");
  });

  test("edited arguments that do not fit the schema run nothing", async () => {
    const { wield, read } = await start(
      { "a.txt": "old\n" },
      {
        approve: () => ({ approved: true, modifiedArgs: { path: "a.txt", content: 5 } }),
      },
    );
    expect((await wield.call("write_file", overwrite)).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
    expect(read("a.txt")).toBe("old\n");
  });

  test("an edit cannot reach what the policy denies", async () => {
    const { wield, root } = await start(
      { "a.txt": "old\n" },
      {
        settings: { rules: [{ decision: "deny", path: "secret/**" }] },
        approve: () => ({
          approved: true,
          modifiedArgs: { path: "secret/x", content: "", createDirs: true },
        }),
      },
    );
    expect((await wield.call("write_file", overwrite)).result).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(existsSync(join(root, "secret"))).toBe(false);
  });

  test("a folder is not moved with what the policy denies in it, nor onto a denied name", async () => {
    const { wield, root } = await start(
      { "config/prod.json": "{}", "other/x": "", "third/prod.json": "{}" },
      {
        settings: {
          rules: [
            { decision: "deny", path: "config/prod.json" },
            { decision: "deny", path: "new/x" },
          ],
        },
      },
    );
    for (const [from, to] of [
      ["config", "cfg"],
      ["other", "new"],
    ])
      expect((await wield.callAny("move_file", { from, to })).result).toMatchObject({
        error: { code: "APPROVAL_DENIED" },
      });
    expect(existsSync(join(root, "config/prod.json"))).toBe(true);
    expect((await wield.call("move_file", { from: "third", to: "fourth" })).result.ok).toBe(true);
  });

  test("a folder is not moved unasked with what is protected in it", async () => {
    const { wield, root } = await start({ "plain/a.txt": "", "docs/b.txt": "" });
    // Names in an installed package start nothing there, and do elsewhere.
    for (const name of ["conftest.py", ".vscode/tasks.json"])
      await wield.call("write_file", { path: `node_modules/x/${name}`, content: "x", createDirs: true });
    const moved = await wield.call("move_file", { from: "node_modules/x", to: "tests/x" });
    expect(moved.result).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
    expect(moved.text).toContain("runs when you open this folder");
    expect(existsSync(join(root, "tests"))).toBe(false);
    expect((await wield.call("move_file", { from: "plain", to: "docs/plain" })).result.ok).toBe(true);
  });

  test("a yes to deleting a folder is not one to what came into it since, at once or later", async () => {
    const person = scriptedPerson(() => {
      place.write("src/new.txt", "keep\n");
      return yes;
    }, no);
    const place = await start({ "src/a.txt": "a" }, { asker: person.asker });
    const gone = await place.wield.call("delete_file", { path: "src", recursive: true });
    expect(gone.result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(person.asked.map(([ask]) => ask?.preview?.files.map(({ path }) => path))).toEqual([
      ["src/a.txt"],
      ["src/a.txt", "src/new.txt"],
    ]);
    const later = await place.reopen({ keepUnanswered: true });
    await later.call("delete_file", { path: "src", recursive: true });
    const [pending] = await later.approvals.pending();
    place.write("src/newer.txt", "keep\n");
    const { result } = await later.approvals.answer(pending?.id ?? "", yes);
    expect(result).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
    expect(place.read("src/newer.txt")).toBe("keep\n");
    await later.close();
  });

  test("a later yes to an undo is not taken for the undo of another change", async () => {
    const { wield, read } = await start({}, { keepUnanswered: true });
    await wield.call("write_file", { path: "first.txt", content: "one\n" });
    await wield.call("undo", {});
    const [pending] = await wield.approvals.pending();
    await wield.call("write_file", { path: "later.txt", content: "keep\n" });
    const { result } = await wield.approvals.answer(pending?.id ?? "", yes);
    expect(result).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
    expect([read("first.txt"), read("later.txt")]).toEqual(["one\n", "keep\n"]);
  });

  test("a yes to one undo is not taken for another change that came between", async () => {
    const person = scriptedPerson(async () => {
      await wield.call("write_file", { path: "later.txt", content: "keep\n" });
      return yes;
    }, no);
    const { wield, read } = await start({}, { asker: person.asker });
    await wield.call("write_file", { path: "first.txt", content: "one\n" });
    expect((await wield.call("undo", {})).result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(person.asked.map(([ask]) => ask?.preview?.files.map(({ path }) => path))).toEqual([
      ["first.txt"],
      ["later.txt"],
    ]);
    expect([read("first.txt"), read("later.txt")]).toEqual(["one\n", "keep\n"]);
  });

  test("a person's edit of the proposed text becomes arguments of the tool", async () => {
    const { wield, read } = await start(
      { "a.txt": "one\ntwo\nthree\n" },
      {
        approve: (ask) => ({
          approved: true,
          modifiedArgs: ask.amend?.(new Map([["a.txt", "one\n2!\nthree\n"]])) ?? {},
        }),
      },
    );
    const edits = [{ oldText: "two", newText: "2" }];
    const outcome = await wield.call("replace_in_file", { path: "a.txt", edits, description: "digits" });
    expect(outcome.result.ok).toBe(true);
    expect(read("a.txt")).toBe("one\n2!\nthree\n");
    expect(outcome.text).toContain("2!");
  });

  test("all asks of one step are put together, and answered in order", async () => {
    const person = scriptedPerson(yes, no);
    const { wield, read } = await start({ "a.txt": "a", "b.txt": "b" }, { asker: person.asker });
    const outcomes = await wield.step([
      { tool: "write_file", input: { path: "a.txt", content: "A" } },
      { tool: "read_file", input: { path: "b.txt" } },
      { tool: "write_file", input: { path: "b.txt", content: "B" } },
      { tool: "nope", input: {} },
    ]);
    expect(person.asked.map((asks) => asks.map((ask) => ask.args["path"]))).toEqual([["a.txt", "b.txt"]]);
    expect(outcomes.map((o) => o.result.ok)).toEqual([true, true, false, false]);
    expect([read("a.txt"), read("b.txt")]).toEqual(["A", "b"]);
  });

  test("two writes to one file in a step: the second is asked again against what the first left", async () => {
    const person = scriptedPerson(yes, yes, yes);
    const { wield } = await start({ "a.txt": "0\n" }, { asker: person.asker });
    const outcomes = await wield.step([
      { tool: "write_file", input: { path: "a.txt", content: "1\n" } },
      { tool: "write_file", input: { path: "a.txt", content: "2\n" } },
    ]);
    expect(outcomes.every((o) => o.result.ok)).toBe(true);
    expect(person.asked).toHaveLength(2);
    expect(await wield.changes.list()).toHaveLength(2);
  });

  test("a remembered rule holds in the next process, in this folder only", async () => {
    const first = await start(
      { "a.txt": "old\n" },
      {
        approve: (ask) => ({ approved: true, remember: { rules: ask.remember?.rules ?? [], scope: "user" } }),
      },
    );
    await first.wield.call("write_file", overwrite);
    const next = await first.reopen();
    const again = await next.call("write_file", { path: "a.txt", content: "again\n" });
    expect(again.result.ok).toBe(true);
    expect(again.details.record.approval).toBe("auto");
    first.write("b.txt", "old\n");
    expect((await next.call("write_file", { path: "b.txt", content: "x" })).result.ok).toBe(false);
  });

  test("a remembered rule does not open what the user's rules deny", async () => {
    const first = await start({ "b.txt": "old\n", "key.pem": "old\n" });
    const rules = [
      { decision: "ask", path: "b.txt" },
      { decision: "deny", path: "*.pem" },
    ];
    first.writeConfig("settings.json", JSON.stringify({ rules }));
    const rule = { decision: "allow" as const, tool: "write_file" };
    const asked = await first.reopen({
      approve: () => ({ approved: true, remember: { rules: [rule], scope: "user" } }),
    });
    expect((await asked.call("write_file", { path: "b.txt", content: "new\n" })).result.ok).toBe(true);
    const next = await first.reopen();
    expect((await next.call("write_file", { path: "b.txt", content: "2\n" })).result.ok).toBe(true);
    for (const wield of [asked, next])
      expect((await wield.call("write_file", { path: "key.pem", content: "x" })).result).toMatchObject({
        error: { code: "APPROVAL_DENIED" },
      });
  });

  test("a rule remembered for the session ends with it", async () => {
    const first = await start(
      { "a.txt": "old\n" },
      {
        approve: (ask) => ({
          approved: true,
          remember: { rules: ask.remember?.rules ?? [], scope: "session" },
        }),
      },
    );
    await first.wield.call("write_file", overwrite);
    expect(
      (await first.wield.call("write_file", { ...overwrite, content: "2" })).details.record.approval,
    ).toBe("auto");
    const next = await first.reopen();
    expect((await next.call("write_file", overwrite)).result).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
  });

  test("a policy that denies is never asked about", async () => {
    const person = scriptedPerson();
    const rules = [{ decision: "deny" as const, path: "a.txt", reason: "generated file" }];
    const { wield } = await start({ "a.txt": "old" }, { asker: person.asker, settings: { rules } });
    const { result } = await wield.call("write_file", overwrite);
    expect(result).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(JSON.stringify(result)).toContain("generated file");
    expect(person.asked).toEqual([]);
  });
});

describe("an ask that outlives its process", () => {
  async function abandoned() {
    const asked = Promise.withResolvers<void>();
    const test = await start(
      { "a.txt": "old\n" },
      {
        asker: () => {
          asked.resolve();
          return new Promise(() => undefined);
        },
      },
    );
    test.wield.call("write_file", { path: "a.txt", content: "new\n" }).catch(() => undefined);
    await asked.promise;
    return test;
  }

  test("it is found again, and a yes runs the call", async () => {
    const test = await abandoned();
    const next = await test.reopen();
    const [pending] = await next.approvals.pending();
    expect(pending).toMatchObject({ tool: "write_file", args: { path: "a.txt", content: "new\n" } });
    const outcome = await next.approvals.answer(pending?.id ?? "", yes);
    expect(outcome.result.ok).toBe(true);
    expect(test.read("a.txt")).toBe("new\n");
    expect(await next.approvals.pending()).toEqual([]);
    await expect(next.approvals.answer(pending?.id ?? "", yes)).rejects.toThrow(
      "No approval request is pending",
    );
  });

  test("answered there and then here, it runs once", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Answer>();
    const test = await start(
      { "a.txt": "old\n" },
      {
        approve: () => {
          asked.resolve();
          return answer.promise;
        },
      },
    );
    const called = test.wield.call("write_file", { path: "a.txt", content: "new\n" });
    await asked.promise;
    const other = await test.reopen();
    expect(
      (await other.approvals.answer((await other.approvals.pending())[0]?.id ?? "", yes)).result.ok,
    ).toBe(true);
    answer.resolve(yes);
    const { result, details } = await called;
    expect(result).toMatchObject({
      error: {
        code: "CONFLICT",
        message: expect.stringMatching(/approved and run in another process.*a\.txt/s),
      },
    });
    expect(details).toMatchObject({ elsewhere: true, record: { ok: true, approval: "approved" } });
    expect(await other.changes.list()).toHaveLength(1);
    expect(await other.store.calls()).toMatchObject([{ ok: true, approval: "approved" }]);
  });

  test.each([
    ["yes", yes, "approved and run in another process"],
    ["no", { ...no, reason: "keep it" }, "User rejected changes: keep it"],
  ])("answered there with %s, it is not asked here any longer", async (_, given, told) => {
    const asked = Promise.withResolvers<AbortSignal>();
    const test = await start(
      { "a.txt": "old\n" },
      {
        asker: (_asks, signal) => {
          asked.resolve(signal);
          return new Promise(() => undefined);
        },
      },
    );
    const called = test.wield.call("write_file", { path: "a.txt", content: "new\n" });
    const signal = await asked.promise;
    const other = await test.reopen();
    await other.approvals.answer((await other.approvals.pending())[0]?.id ?? "", given);
    expect(JSON.stringify((await called).result)).toContain(told);
    expect(signal.aborted).toBe(true);
    expect(await other.store.calls()).toMatchObject([{ ok: given.approved }]);
  });

  test("it is not answered from another folder", async () => {
    const test = await abandoned();
    const next = await test.reopen();
    const other = join(test.root, "../other");
    mkdirSync(other);
    const elsewhere = await test.reopen({ workspace: other, approve: () => yes });
    await expect(
      elsewhere.approvals.answer((await next.approvals.pending())[0]?.id ?? "", yes),
    ).rejects.toThrow("No approval request is pending");
    expect(existsSync(join(other, "a.txt"))).toBe(false);
    expect(await next.approvals.pending()).toHaveLength(1);
  });

  test("it stays open when its file changed and nobody is there to be shown the change", async () => {
    const test = await abandoned();
    const next = await test.reopen();
    test.write("a.txt", "changed\n");
    const [pending] = await next.approvals.pending();
    const { result } = await next.approvals.answer(pending?.id ?? "", yes);
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_REQUIRED" } });
    expect(test.read("a.txt")).toBe("changed\n");
    expect(await next.approvals.pending()).toEqual([pending]);
  });

  test("a yes to what was shown then does not count for what is there now", async () => {
    const test = await abandoned();
    const person = scriptedPerson(yes);
    const next = await test.reopen({ asker: person.asker });
    test.write("a.txt", "changed\n");
    await next.approvals.answer((await next.approvals.pending())[0]?.id ?? "", yes);
    expect(person.asked[0]?.[0]?.preview?.files[0]?.diff).toContain("-changed");
  });
});

describe("model text", () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `line ${i + 1}`).join("\n");

  test("a cut says how much is shown, and the full result is readable by id", async () => {
    const { wield } = await start(
      {},
      { customTools: [tool("long", async () => lines, { render: (value) => String(value) })] },
    );
    const { text, id, details } = await wield.callAny("long", {}, { budget: 300 });
    expect(details.record.tokensOut).toBeLessThanOrEqual(300);
    const shown = Number(/… (\d+) of 5000 lines shown/.exec(text)?.[1]);
    expect(text).toContain(`read_result({"id":"${id}","startLine":${shown + 1}})`);
    const rest = await wield.call("read_result", { id, startLine: shown + 1, numLines: 2 });
    expect(rest.text).toContain(`line ${shown + 1}\nline ${shown + 2}`);
    expect(rest.text).toContain(`startLine":${shown + 3}`);
  });

  test("reading on by the calls it names gives every line exactly once", async () => {
    const { wield } = await start({ "long.txt": lines });
    const seen: string[] = [];
    let input: unknown = { path: "long.txt" };
    while (input !== undefined) {
      const { text } = await wield.callAny("read_file", input, { budget: 2000 });
      seen.push(
        ...text
          .split("\n")
          .filter((line) => /^\d+\tline/.test(line))
          .map((line) => line.replace(/^\d+\t/, "")),
      );
      const next = /Read on: read_file\((.*)\)$/.exec(text)?.[1];
      input = next === undefined ? undefined : JSON.parse(next);
    }
    expect(seen.join("\n")).toBe(lines);
  });
});

describe("records", () => {
  test("every call is a row and a pair of events", async () => {
    const { wield } = await start({ "a.txt": "hello\n" }, { approve: () => no });
    const events: WieldEvent[] = [];
    wield.on((event) => events.push(event));
    await wield.call("read_file", { path: "a.txt" });
    await wield.call("write_file", { path: "a.txt", content: "x" });
    expect(events.map((e) => e.type)).toEqual([
      "call-start",
      "call-end",
      "call-start",
      "approval-ask",
      "approval-answer",
      "call-end",
    ]);
    const [denied, read] = await wield.store.calls();
    expect(read).toMatchObject({ tool: "read_file", ok: true, errorCode: null, approval: "auto" });
    expect(read?.bytes).toBeGreaterThan(0);
    expect(read?.tokensIn).toBeGreaterThan(0);
    expect(read?.tokensOut).toBeGreaterThan(0);
    expect(denied).toMatchObject({
      tool: "write_file",
      ok: false,
      errorCode: "APPROVAL_DENIED",
      approval: "denied",
    });
    expect((await wield.store.statistics()).find((s) => s.tool === "write_file")).toMatchObject({
      calls: 1,
      failures: 1,
      asked: 1,
      approved: 0,
    });
  });

  test("at most four calls of a step run at once, outcomes in order", async () => {
    let running = 0;
    let most = 0;
    const slow = tool("slow", async (input) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return input;
    });
    const { wield } = await start({}, { customTools: [slow] });
    const outcomes = await wield.step(Array.from({ length: 12 }, (_, n) => ({ tool: "slow", input: { n } })));
    expect(most).toBe(4);
    expect(outcomes.map((o) => (o.result.ok ? o.result.value : undefined))).toEqual(
      Array.from({ length: 12 }, (_, n) => ({ n })),
    );
  });
});

test("the time of a call is its own, not that of whoever answered", async () => {
  const clock = process.hrtime;
  let later = 0;
  const shifted = (since?: [number, number]): [number, number] => {
    const [seconds, nanoseconds] = clock();
    return since ? [seconds + later - since[0], nanoseconds - since[1]] : [seconds + later, nanoseconds];
  };
  process.hrtime = Object.assign(shifted, { bigint: clock.bigint });
  try {
    const asker = async () => {
      later += 3600;
      return [yes];
    };
    const { wield } = await start({ "a.txt": "a\n" }, { asker });
    const { details } = await wield.call("write_file", { path: "a.txt", content: "b\n" });
    expect(details.record.approval).toBe("approved");
    expect(details.record.durationMs).toBeLessThan(3_600_000);
    expect(details.record.durationMs).toBeGreaterThan(0);
  } finally {
    process.hrtime = clock;
  }
});
