import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { type ScriptedReply, scriptedModel, type TestWield, testWield, yes } from "../testing/testing.ts";

let opened: TestWield | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const tracked = { "a.txt": "one\r\ntwo\n", "dir/b.txt": "b", ".gitignore": "out/\n" };
const asYes = { asker: async (asks: readonly unknown[]) => asks.map(() => yes) };

async function project(): Promise<TestWield> {
  opened = await testWield({ ...tracked, "loose.txt": "not in git", "out/old.bin": "\0built" }, asYes);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", opened?.root ?? "", "-c", "user.name=t", "-c", "user.email=t@e", ...args]);
  git("init", "-q");
  git("add", ...Object.keys(tracked));
  git("commit", "-qm", "first");
  return opened;
}

/** Every file, folder and link with its mode and bytes, without git's own. */
function treeOf(root: string, under = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, under)).sort()) {
    if (name === ".git") continue;
    const path = join(under, name);
    const stat = lstatSync(join(root, path));
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isDirectory()) Object.assign(found, { [`${path}/`]: mode }, treeOf(root, path));
    else if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`;
    else found[path] = `${mode} ${readFileSync(join(root, path)).toString("base64")}`;
  }
  return found;
}

type Act =
  | { by: "agent"; tool: string; input: Record<string, unknown> }
  | { by: "person"; tool: "undo" | "redo" }
  | { by: "person"; tool: "rewind"; to: number; what: "conversation" | "files" | "both" };

const path = fc.constantFrom(
  "a.txt",
  "dir/b.txt",
  "loose.txt",
  "new/deep/c.txt",
  "out/old.bin",
  "out/new.txt",
);
const agentAct = (tool: string, input: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Act> =>
  input.map((given) => ({ by: "agent", tool, input: given }));
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: agentAct(
      "write_file",
      fc.record({ path, content: fc.string({ maxLength: 5 }), createDirs: fc.constant(true) }),
    ),
  },
  { weight: 2, arbitrary: agentAct("delete_file", fc.record({ path })) },
  {
    weight: 2,
    arbitrary: agentAct("move_file", fc.record({ from: path, to: path, overwrite: fc.boolean() })),
  },
  { weight: 2, arbitrary: agentAct("undo", fc.constant({})) },
  { weight: 1, arbitrary: agentAct("redo", fc.constant({})) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Act>({ by: "person", tool: "undo" }, { by: "person", tool: "redo" }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      by: fc.constant("person" as const),
      tool: fc.constant("rewind" as const),
      to: fc.nat(5),
      what: fc.constantFrom("conversation" as const, "files" as const, "both" as const),
    }),
  },
);

describe("rewind", () => {
  test("property: files and conversation are byte for byte as they were at that message", async () => {
    const turns = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(turns, fc.nat(), async (conversation, choice) => {
        const { wield, root } = await project();
        let replies: ScriptedReply[] = [];
        const model = scriptedModel(() => replies.shift() ?? { say: "done" });
        const session = (await wield.agent({ model })).session;
        /** By the message's entry: the files before it, and what the model was then asked. */
        const known = new Map<number, { tree: Record<string, string>; prompt: string; text: string }>();
        const say = async (text: string, acts: readonly Act[]) => {
          const isBegun = (await wield.store.session(session)) !== undefined;
          const agent = await wield.agent({ model, ...(isBegun ? { session } : { newSession: session }) });
          const tree = treeOf(root);
          const entry = (await wield.store.entries(session)).length;
          replies = acts.flatMap((one) =>
            one.by === "agent" ? { calls: [{ tool: one.tool, input: one.input }] } : [],
          );
          const at = model.requests.length;
          await agent.send(text);
          known.set(entry, { tree, prompt: JSON.stringify(model.requests[at]?.prompt), text });
        };
        const rewind = async (to: number, what: "conversation" | "files" | "both") => {
          const messages = await wield.sessions.messages(session);
          const message = messages[to % messages.length];
          if (message) await wield.sessions.rewind(session, message.entry, what);
          return message;
        };
        for (const [index, acts] of conversation.entries()) {
          await say(`message ${index}`, acts);
          for (const one of acts) {
            if (one.by !== "person") continue;
            if (one.tool === "rewind") await rewind(one.to, one.what);
            else await wield.call(one.tool, {}, { byPerson: true });
          }
        }
        const message = await rewind(choice, "both");
        const then = known.get(message?.entry ?? -1);
        if (message && then) {
          expect(treeOf(root)).toEqual(then.tree);
          await say(then.text, []);
          expect([...known.values()].at(-1)?.prompt).toBe(then.prompt);
        }
        await opened?.close();
        opened = undefined;
      }),
      { numRuns: 8 },
    );
  });

  test("what a run in the sandbox changed goes back too, ignored files included", async () => {
    const { wield, root } = await project();
    const code =
      "printf x > a.txt; rm loose.txt; mkdir -p fresh; echo y > fresh/f; echo z > out/old.bin; echo n > out/n";
    const model = scriptedModel([
      { calls: [{ tool: "run_code", input: { language: "bash", code } }] },
      { say: "done" },
    ]);
    const before = treeOf(root);
    const agent = await wield.agent({ model });
    await agent.send("run it");
    expect(treeOf(root)["out/n"]).toBeDefined();
    const [message] = await wield.sessions.messages(agent.session);
    const plan = await wield.sessions.planRewind(agent.session, message?.entry ?? -1);
    expect(plan.conflict).toBeUndefined();
    expect(plan.files.map((file) => `${file.change} ${file.path}`)).toEqual(
      expect.arrayContaining(["modify a.txt", "create loose.txt", "delete fresh/f", "delete out/n"]),
    );
    const { text } = await wield.sessions.rewind(agent.session, message?.entry ?? -1, "both");
    expect(text).toBe("run it");
    expect(treeOf(root)).toEqual(before);
    expect(await wield.sessions.messages(agent.session)).toEqual([]);
  });

  test("changes of others are never lost: a conflict is shown and nothing is rewound", async () => {
    const { wield, root, write } = await project();
    const model = scriptedModel([
      { calls: [{ tool: "write_file", input: { path: "a.txt", content: "by the agent\n" } }] },
      { say: "done" },
    ]);
    const agent = await wield.agent({ model });
    await agent.send("change it");
    write("a.txt", "by the person\n");
    write("other.txt", "also by the person");
    const [message] = await wield.sessions.messages(agent.session);
    const entry = message?.entry ?? -1;
    const { conflict } = await wield.sessions.planRewind(agent.session, entry);
    expect(conflict).toContain("a.txt");
    expect(conflict).toContain("+by the person");
    await expect(wield.sessions.rewind(agent.session, entry, "both")).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(treeOf(root)["other.txt"]).toBeDefined();
    expect(await wield.sessions.messages(agent.session)).toHaveLength(1);
    await wield.sessions.rewind(agent.session, entry, "conversation");
    expect(await wield.sessions.messages(agent.session)).toEqual([]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("by the person\n");
  });

  test("what another conversation changed stays", async () => {
    const { wield, read } = await project();
    const writing = (file: string) =>
      scriptedModel([
        { calls: [{ tool: "write_file", input: { path: file, content: file } }] },
        { say: "done" },
      ]);
    const one = await wield.agent({ model: writing("one.txt") });
    await one.send("write one");
    const other = await wield.agent({ model: writing("two.txt") });
    await other.send("write two");
    await wield.sessions.rewind(one.session, 0, "files");
    expect(() => read("one.txt")).toThrow();
    expect(read("two.txt")).toBe("two.txt");
    expect(await wield.sessions.messages(one.session)).toHaveLength(1);
  });

  test("a fork begins with what was before the message, and the first session stays as it is", async () => {
    const { wield } = await project();
    const model = scriptedModel([{ say: "first answer" }, { say: "second answer" }, { say: "third answer" }]);
    const agent = await wield.agent({ model });
    await agent.send("first");
    await agent.send("second");
    const messages = await wield.sessions.messages(agent.session);
    const fork = await wield.sessions.fork(agent.session, messages[1]?.entry ?? -1);
    const forked = await wield.agent({ model, session: fork.id });
    await forked.send("another second");
    const prompt = JSON.stringify(model.requests.at(-1)?.prompt);
    expect(prompt).toContain("first answer");
    expect(prompt).not.toContain("second answer");
    expect((await wield.sessions.messages(agent.session)).map(({ text }) => text)).toEqual([
      "first",
      "second",
    ]);
  });

  test("no tool can rewind", async () => {
    const { wield } = await project();
    expect(wield.tools.registry.get("rewind")).toBeUndefined();
  });
});
