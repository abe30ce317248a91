import { readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Answer, Ask } from "../approval/approval.ts";
import fc from "../testing/properties.ts";
import { no, scriptedModel, scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";

const open: TestWield[] = [];
afterEach(async () => {
  for (const place of open.splice(0)) await place.close();
});
const start = async (...given: Parameters<typeof testWield>) => {
  const place = await testWield(...given);
  open.push(place);
  return place;
};

/** Runs, as far as the order is concerned: they look at every file, and one changes them all. */
const about = { title: "Run", description: "made for a test", category: "Test" } as const;
const contentsOf = (root: string) =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .sort()
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);
const look = defineTool({
  ...{ ...about, name: "look", approval: "auto" as const },
  input: z.object({}),
  output: z.unknown(),
  can: ["run"],
  effects: () => [{ kind: "run", command: "look", network: "off" }],
  execute: async (_input, { workspace }) => contentsOf(workspace.root),
});
const append = defineTool({
  ...{ ...about, name: "append", approval: "auto" as const },
  input: z.object({ line: z.string() }),
  output: z.number(),
  can: ["run", "write"],
  effects: () => [{ kind: "run", command: "append", network: "off" }],
  execute: async ({ line }, { workspace, callId }) => {
    const files = contentsOf(workspace.root);
    const operations = files.map(([path = "", text = ""]) => ({
      ...{ op: "write" as const, path, bytes: Buffer.from(`${text}${line}\n`) },
    }));
    if (operations.length > 0)
      await workspace.apply(operations, { callId, tool: "append", description: "append" });
    return files.length;
  },
});

interface Planned {
  tool: string;
  input: Record<string, unknown>;
}
const edit = (path: string, content: string): Planned => ({
  tool: "edit_file",
  input: { path, content, description: "d" },
});
const read = (path: string): Planned => ({ tool: "read_file", input: { path } });
const contentOf = (outcome: { result: { ok: boolean; value?: unknown } } | undefined) =>
  (outcome?.result.value as { content?: string } | undefined)?.content;

describe("calls of one reply", () => {
  test("a file that is read after its edit is read as edited", async () => {
    const { wield } = await start({ "a.txt": "old\n" }, { approve: () => yes });
    const outcomes = await wield.step([
      read("a.txt"),
      edit("a.txt", "new\n"),
      read("a.txt"),
      read("./a.txt"),
    ]);
    expect(outcomes.map(contentOf)).toEqual(["old\n", undefined, "new\n", "new\n"]);
  });

  test("a folder that is listed after a file was made in it shows the file", async () => {
    const { wield } = await start({ "d/a.txt": "" });
    const make = (path: string) => ({ tool: "write_file", input: { path, content: "x" } });
    const list = (path: string) => ({ tool: "list_files", input: { path, recursive: true } });
    const outcomes = await wield.step([make("d/b.txt"), list("."), make("d/c.txt"), list("d"), list("./d/")]);
    expect(outcomes[1]?.text).toContain("b.txt");
    for (const { text } of outcomes.slice(3)) expect(text).toContain("c.txt");
  });

  test("through a link it is the same file", async () => {
    const { wield, root } = await start({ "real/a.txt": "old\n" }, { approve: () => yes });
    symlinkSync("real", join(root, "link"));
    const outcomes = await wield.step([edit("real/a.txt", "new\n"), read("link/a.txt")]);
    expect(contentOf(outcomes[1])).toBe("new\n");
  });

  test("what runs after an edit runs on the edited files", async () => {
    const { wield } = await start({ "a.txt": "old\n" }, { approve: () => yes, customTools: [look] });
    const [, run] = await wield.step([edit("a.txt", "new\n"), { tool: "look", input: {} }]);
    expect(run?.result).toEqual({ ok: true, value: [["a.txt", "new\n"]] });
  });

  test("a plan that could not be updated stops neither files nor documents nor what only looks", async () => {
    const { wield } = await start({ "a.txt": "a\n" }, { approve: () => yes });
    await wield.callAny("createPlan", { title: "Plan", steps: ["one"] });
    const outcomes = await wield.step([
      { tool: "updatePlan", input: { step: 1 } },
      read("a.txt"),
      edit("a.txt", "A\n"),
      { tool: "createDocument", input: { title: "Notes", kind: "text", content: "x" } },
      { tool: "listDocuments", input: {} },
      { tool: "readPlan", input: {} },
      { tool: "updatePlan", input: { stepId: "1", status: "done" } },
    ]);
    const states = [false, true, true, true, true, true, false];
    expect(outcomes.map(({ result }) => result.ok)).toEqual(states);
    expect(outcomes[6]?.text).toContain("it was to follow updatePlan");
  });

  test("a change that fails or cannot be read stops what looks at its path, not what looks elsewhere", async () => {
    const files = { "a.txt": "a\n", "b.txt": "b\n" };
    const { wield } = await start(files, { approve: () => yes, customTools: [look] });
    const outcomes = await wield.step([
      { tool: "replace_in_file", input: { path: "a.txt", edits: "all of it" } },
      read("a.txt"),
      read("b.txt"),
      { tool: "list_files", input: { path: "." } },
      { tool: "search_files", input: { pattern: "b" } },
      edit("b.txt", "B\n"),
      { tool: "undo", input: { changeId: "no such change" } },
      read("b.txt"),
      { tool: "look", input: {} },
    ]);
    expect(outcomes.map(({ result }) => (result.ok ? "ok" : result.error.code))).toEqual([
      ...["INVALID_INPUT", "ABORTED", "ok", "ok", "ok", "ok", "ABORTED", "ok", "ABORTED"],
    ]);
  });

  test("a denied edit stops what was to follow it, and nothing else", async () => {
    const person = scriptedPerson(no, yes);
    const files = { "a.txt": "a\n", "b.txt": "b\n" };
    const { wield, read: onDisk } = await start(files, { asker: person.asker, customTools: [look] });
    const outcomes = await wield.step([
      edit("a.txt", "A\n"),
      read("a.txt"),
      read("b.txt"),
      edit("b.txt", "B\n"),
      { tool: "look", input: {} },
    ]);
    expect(outcomes.map(({ result }) => (result.ok ? "ok" : result.error.code))).toEqual([
      "APPROVAL_DENIED",
      "ABORTED",
      "ok",
      "ok",
      "ABORTED",
    ]);
    expect(outcomes[4]?.text).toContain("This was not run: it was to follow edit_file");
    expect(outcomes[4]?.text).toContain("call it again");
    expect([onDisk("a.txt"), onDisk("b.txt")]).toEqual(["a\n", "B\n"]);
  });

  test("an edit that fails stops the run that follows, not edits of other files", async () => {
    const { wield } = await start({ "b.txt": "b\n" }, { approve: () => yes, customTools: [look] });
    const outcomes = await wield.step([
      edit("missing.txt", "x\n"),
      edit("b.txt", "B\n"),
      { tool: "no_such_tool", input: {} },
      read("b.txt"),
      { tool: "look", input: {} },
    ]);
    expect(outcomes.map(({ result }) => (result.ok ? "ok" : result.error.code))).toEqual([
      "FILE_NOT_FOUND",
      "ok",
      "UNKNOWN_TOOL",
      "ok",
      "ABORTED",
    ]);
  });

  test("approvals that do not depend on each other are asked together, the others when their time comes", async () => {
    const person = scriptedPerson(yes, yes, yes);
    const { wield } = await start({ "a.txt": "a\n", "b.txt": "b\n" }, { asker: person.asker });
    await wield.step([edit("a.txt", "1\n"), edit("b.txt", "1\n"), edit("a.txt", "2\n")]);
    expect(person.asked.map((asks) => asks.map(({ args }) => args["path"]))).toEqual([
      ["a.txt", "b.txt"],
      ["a.txt"],
    ]);
    expect(person.asked[1]?.[0]?.preview?.files[0]?.diff).toContain("-1\n+2");
  });

  test("changes are made in the order in which they were written, so undo takes back the last one", async () => {
    const { wield, read: onDisk } = await start({}, { approve: () => yes });
    const create = (path: string) => ({ tool: "write_file", input: { path, content: path } });
    const outcomes = await wield.step([create("1"), create("2"), create("3"), { tool: "undo", input: {} }]);
    expect(outcomes.every(({ result }) => result.ok)).toBe(true);
    expect([onDisk("1"), onDisk("2")]).toEqual(["1", "2"]);
    expect(() => onDisk("3")).toThrow();
  });

  test("reads run side by side", async () => {
    const together = Promise.withResolvers<void>();
    let running = 0;
    const slow = defineTool({
      ...{ ...about, name: "slow" },
      input: z.object({ path: z.string() }),
      output: z.number(),
      can: ["read"],
      effects: ({ path }) => [{ kind: "read", path }],
      execute: async () => {
        if (++running === 4) together.resolve();
        await together.promise;
        return running;
      },
    });
    const { wield } = await start({ a: "" }, { customTools: [slow] });
    const outcomes = await wield.step(
      Array.from({ length: 4 }, () => ({ tool: "slow", input: { path: "a" } })),
    );
    expect(outcomes.every(({ result }) => result.ok)).toBe(true);
  });

  test("a stopped step ends, whoever waits for whom", async () => {
    const stop = new AbortController();
    const asker = () => {
      stop.abort();
      return new Promise<never>(() => undefined);
    };
    const { wield } = await start({ "a.txt": "a\n" }, { asker, customTools: [look] });
    const calls = [edit("a.txt", "A\n"), edit("a.txt", "B\n"), read("a.txt"), { tool: "look", input: {} }];
    const outcomes = await wield.step(calls, { signal: stop.signal });
    expect(outcomes.map(({ result }) => (result.ok ? "ok" : result.error.code))).toEqual(
      Array(4).fill("ABORTED"),
    );
  });

  test("through the agent: the model is told the new text, and tests of the edited code", async () => {
    const { wield } = await start({ "a.txt": "old\n" }, { approve: () => yes, customTools: [look] });
    const calls = [edit("a.txt", "new\n"), read("a.txt"), { tool: "look", input: {} }];
    const model = scriptedModel([{ calls }, { say: "done" }]);
    const agent = await wield.agent({ model });
    expect(await agent.send("go")).toMatchObject({ stop: "done" });
    const told = JSON.stringify(model.requests[1]?.prompt.slice(-1));
    expect(told).toContain("1\\tnew");
    expect(told).not.toContain("1\\told");
    expect(told).toMatch(/a\.txt[^a-z]+n?[^a-z]+new/);
  });
});

/** What the generator says a call is about; everything: "*". */
function pathsOf({ tool, input }: Planned): string[] {
  if (["undo", "look", "append"].includes(tool)) return ["*"];
  const changes = (input["changes"] ?? [input]) as Record<string, string>[];
  return changes.flatMap(({ path, from, to }) => [path, from, to].flatMap((one) => one ?? []));
}
/** Whether a failed call stops a later one: what only looks is stopped by changes of its own path. */
const isStoppedBy = (call: Planned, failed: Planned) =>
  reading.has(call.tool)
    ? pathsOf(call).some((a) => pathsOf(failed).some((b) => b !== "*" && (a === b || a.startsWith(`${b}/`))))
    : overlap(call, failed);
const overlap = (one: Planned, other: Planned) =>
  pathsOf(one).some((a) =>
    pathsOf(other).some(
      (b) =>
        [a, b].some((each) => each === "*" || each === ".") ||
        a === b ||
        a.startsWith(`${b}/`) ||
        b.startsWith(`${a}/`),
    ),
  );
const reading = new Set(["read_file", "list_files"]);
const isStopped = (text: string) => text.includes("This was not run");

test("random replies: each result is what it would be one after the other", {
  timeout: 240_000,
}, async () => {
  const path = fc.constantFrom("a.txt", "b.txt", "d/c.txt", "d/e.txt", "new/f.txt");
  const content = fc.constantFrom("1\n", "2\n", "3\n", "deny\n");
  const one = fc.oneof(
    { weight: 4, arbitrary: path.map(read) },
    fc
      .constantFrom("d", ".", "new")
      .map((folder): Planned => ({ tool: "list_files", input: { path: folder } })),
    { weight: 3, arbitrary: fc.tuple(path, content).map(([to, text]) => edit(to, text)) },
    fc.tuple(path, content, fc.boolean()).map(
      ([to, text, createDirs]): Planned => ({
        tool: "write_file",
        input: { path: to, content: text, createDirs },
      }),
    ),
    fc.tuple(path, content, content).map(
      ([to, oldText, newText]): Planned => ({
        tool: "replace_in_file",
        input: { path: to, edits: [{ oldText, newText }], description: "d" },
      }),
    ),
    path.map((gone): Planned => ({ tool: "delete_file", input: { path: gone } })),
    fc
      .tuple(fc.oneof(path, fc.constant("d")), fc.oneof(path, fc.constant("new")))
      .map(([from, to]): Planned => ({ tool: "move_file", input: { from, to } })),
    fc.tuple(path, path, content).map(
      ([first, second, text]): Planned => ({
        tool: "edit_files",
        input: {
          changes: [
            { path: first, content: text },
            { path: second, delete: true },
          ],
          description: "d",
        },
      }),
    ),
    fc.constant<Planned>({ tool: "undo", input: {} }),
    fc.constant<Planned>({ tool: "look", input: {} }),
    fc.constant<Planned>({ tool: "append", input: { line: "more" } }),
  );
  const approve = ({ args }: Ask): Answer =>
    JSON.stringify(args).includes("deny") ? { approved: false, reason: "denied" } : yes;
  const options = { approve, customTools: [look, append] };
  const files = { "a.txt": "1\n", "b.txt": "2\n", "d/c.txt": "3\n" };
  /** Without ids, times and sizes of folders. */
  const comparable = (result: unknown) =>
    JSON.stringify(result, (key, value) =>
      key === "modified" || key === "changeId" || key === "id" ? undefined : value,
    ).replaceAll(/Change [0-9a-f]{8}\b/g, "Change");
  const journal = async ({ wield }: TestWield) =>
    (await wield.changes.list({ limit: 20 })).map(({ tool, state, files }) => [
      tool,
      state,
      files.map((f) => f.path),
    ]);

  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 2, maxLength: 7 }), async (calls) => {
      const [together, inTurn] = [await start(files, options), await start(files, options)];
      const outcomes = await together.wield.step(calls);
      for (const [at, call] of calls.entries()) {
        const { result, text } = outcomes[at] ?? {};
        const failedBefore = calls
          .slice(0, at)
          .filter((other, index) => !reading.has(other.tool) && !outcomes[index]?.result.ok);
        if (text !== undefined && isStopped(text)) {
          expect(failedBefore).not.toEqual([]);
          continue;
        }
        expect(failedBefore.filter((other) => isStoppedBy(call, other))).toEqual([]);
        const alone = await inTurn.wield.callAny(call.tool, call.input);
        expect(comparable(result)).toBe(comparable(alone.result));
      }
      expect(contentsOf(together.root)).toEqual(contentsOf(inTurn.root));
      expect(await journal(together)).toEqual(await journal(inTurn));
      for (const place of open.splice(0)) await place.close();
    }),
    { numRuns: 30 },
  );
});
