import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import type { Asker } from "../approval/approval.ts";
import {
  anthropicServer,
  type ScriptedReply,
  scriptedModel,
  scriptedPerson,
  type TestWield,
  testWield,
  type WireReply,
  yes,
} from "../testing/testing.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { SettingsInput } from "./settings.ts";
import type { Wield, WieldOptions } from "./wield.ts";

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

const files = {
  "src/app.ts": "export const price = 42;\n",
  ".env": "DB_PASSWORD=correct-horse-9-staple\n",
  "docs/open.md": "Everybody may read this.\n",
};

/** A search engine of one's own, and every query that reached it. */
async function searchEngine() {
  const queries: string[] = [];
  const server = createServer((request, response) => {
    queries.push(decodeURIComponent(request.url ?? ""));
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ results: [{ title: "A page", url: "https://a.example.com/", content: "Words." }] }),
    );
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(async () => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { queries, settings: { web: { search: { searxng: { url } } } } satisfies SettingsInput };
}

async function open(options: Partial<WieldOptions> = {}, more: SettingsInput = {}) {
  const engine = await searchEngine();
  place = await testWield(files, { ...options, settings: { ...engine.settings, ...more } });
  return {
    ...engine,
    place,
    wield: place.wield,
    again: { ...options, settings: { ...engine.settings, ...more } },
  };
}

const look = (path: string): ScriptedReply => ({ calls: [{ tool: "read_file", input: { path } }] });
const search = (query: string): ScriptedReply => ({ calls: [{ tool: "web_search", input: { query } }] });

async function run(wield: Wield, replies: ScriptedReply[], session?: string) {
  const codes: (string | null)[] = [];
  const stop = wield.on((event) => {
    if (event.type === "call-end") codes.push(event.record.errorCode);
  });
  const model = scriptedModel([...replies, { say: "Done." }]);
  const agent = await wield.agent({ model, ...(session !== undefined && { session }) });
  await agent.send("Go");
  stop();
  return { codes, session: agent.session, model };
}

test("a search is free until private data and content of others are both there; then it asks and shows what leaves", async () => {
  const person = scriptedPerson(yes);
  const { wield, queries } = await open({ asker: person.asker });
  const { codes } = await run(wield, [search("first"), look("src/app.ts"), search("second")]);
  expect(codes).toEqual([null, null, null]);
  expect(queries).toHaveLength(2);
  const ask = person.asked[0]?.[0];
  expect(ask?.tool).toBe("web_search");
  expect(ask?.reason).toMatch(
    /has read private data \(src\/app\.ts\) and content that others wrote \(127\.0\.0\.1/,
  );
  expect(ask?.preview?.notes).toEqual([
    expect.stringMatching(/^Leaves this machine, to 127\.0\.0\.1:\d+ by GET: .*"query":"second"/),
  ]);
});

test("in a folder that is not trusted its files are content of others; in one that is, they are not", async () => {
  const { wield, place: here, again, queries } = await open();
  expect((await run(wield, [look("src/app.ts"), search("one")])).codes).toEqual([null, "APPROVAL_REQUIRED"]);
  await here.trust();
  const trusting = await here.reopen(again);
  expect((await run(trusting, [look("src/app.ts"), search("two")])).codes).toEqual([null, null]);
  expect(queries).toHaveLength(1);
});

test("no mode lifts it", async () => {
  const { wield } = await open({ mode: "auto" });
  expect((await run(wield, [look("src/app.ts"), search("one")])).codes).toEqual([null, "APPROVAL_REQUIRED"]);
});

test("a rule that names the host does; one that only names the tool does not", async () => {
  const { again, place: here } = await open();
  const reads = [look("src/app.ts"), search("one")];
  const onlyTool = { ...again.settings, rules: [{ decision: "allow", tool: "web_search" } as const] };
  expect((await run(await here.reopen({ settings: onlyTool }), reads)).codes).toEqual([
    null,
    "APPROVAL_REQUIRED",
  ]);
  const host = {
    ...again.settings,
    rules: [{ decision: "allow", tool: "web_search", url: "127.0.0.1" } as const],
  };
  expect((await run(await here.reopen({ settings: host }), reads)).codes).toEqual([null, null]);
});

test("a yes that is remembered for the session asks once", async () => {
  const person = scriptedPerson((ask) => {
    if (!ask.remember) throw new Error("remembering is not offered");
    expect(ask.remember.rules).toEqual([
      {
        decision: "allow",
        tool: "web_search",
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\*$/),
        method: "GET",
      },
    ]);
    return { approved: true, remember: { rules: ask.remember.rules, scope: "session" } };
  });
  const { wield } = await open({ asker: person.asker });
  const { codes } = await run(wield, [look("src/app.ts"), search("a"), search("b"), search("c")]);
  expect(codes).toEqual([null, null, null, null]);
  expect(person.asked).toHaveLength(1);
});

test("what is remembered for a session holds for no other one", async () => {
  const remember = scriptedPerson(
    (ask) => ({ approved: true, remember: { rules: ask.remember?.rules ?? [], scope: "session" } }),
    yes,
  );
  const { wield } = await open({ asker: remember.asker });
  await run(wield, [look("src/app.ts"), search("a"), search("b")]);
  expect(remember.asked).toHaveLength(1);
  await run(wield, [look("src/app.ts"), search("c")]);
  expect(remember.asked).toHaveLength(2);
});

test("notes and skills of the workspace are private like its other files; a public name that leads elsewhere is not public", async () => {
  const { place: here, again } = await open({}, { flow: { public: ["docs/**"] } });
  here.write("AGENTS.md", "Our prices are secret plans.\n");
  here.write(
    ".wield/skills/prices/SKILL.md",
    "---\nname: prices\ndescription: Our prices\n---\nForty-two.\n",
  );
  symlinkSync("../src/app.ts", join(here.root, "docs/link.md"));
  await here.trust();
  const wield = await here.reopen(again);
  const stranger = search("first");
  expect((await run(wield, [stranger, search("second")])).codes).toEqual([null, "APPROVAL_REQUIRED"]);
  rmSync(join(here.root, "AGENTS.md"));
  await here.trust();
  const later = await here.reopen(again);
  const skill: ScriptedReply = { calls: [{ tool: "readSkill", input: { name: "prices" } }] };
  expect((await run(later, [stranger, search("second")])).codes).toEqual([null, null]);
  expect((await run(later, [stranger, skill, search("second")])).codes).toEqual([
    null,
    null,
    "APPROVAL_REQUIRED",
  ]);
  expect((await run(later, [stranger, look("docs/link.md"), search("x")])).codes).toEqual([
    null,
    null,
    "APPROVAL_REQUIRED",
  ]);
});

test("a question that is answered later shows what leaves, too", async () => {
  const { wield, place: here } = await open();
  await wield.store.savePending({
    ...{ id: "c_later", workspace: here.root, tool: "web_search", args: { query: "our words" } },
    ...{ reason: "asked earlier", seen: {}, at: new Date().toISOString() },
  });
  const shown = await wield.approvals.preview("c_later");
  expect(shown?.notes.join(" ")).toMatch(/Leaves this machine, to 127\.0\.0\.1:\d+ by GET: .*our words/);
});

test("a secret in groups of four is found", async () => {
  const { wield } = await open({ asker: async (asks) => asks.map(() => yes) });
  const secret = "correct-horse-9-staple";
  const groups = secret.match(/.{1,4}/g) ?? [];
  const { codes } = await run(wield, [look(".env"), search(groups.join(" "))]);
  expect(codes[1]).toBe("APPROVAL_DENIED");
});

test("what is public by the person's word is not private; a secret file always is", async () => {
  const { wield } = await open({}, { flow: { public: ["**"] } });
  expect((await run(wield, [look("docs/open.md"), search("one")])).codes).toEqual([null, null]);
  expect((await run(wield, [look(".env"), search("one")])).codes).toEqual([null, "APPROVAL_REQUIRED"]);
});

test("batch_read shows callers and callees from any file, so it counts as reading all of them", async () => {
  const { wield } = await open({}, { flow: { public: ["docs/**"] } });
  const read: ScriptedReply = { calls: [{ tool: "batch_read", input: { reads: ["docs/open.md"] } }] };
  expect((await run(wield, [look("docs/open.md"), search("one")])).codes).toEqual([null, null]);
  expect((await run(wield, [read, search("one")])).codes).toEqual([null, "APPROVAL_REQUIRED"]);
});

test("a session remembers what it has seen in a later process, and so does what it delegated to", async () => {
  const { wield, place: here, again } = await open();
  const { session } = await run(wield, [look("src/app.ts")]);
  const later = await here.reopen(again);
  expect((await run(later, [search("one")], session)).codes).toEqual(["APPROVAL_REQUIRED"]);
  const task: ScriptedReply = { calls: [{ tool: "task", input: { profile: "code", instructions: "Look" } }] };
  // The child reads, the parent searches; then the parent reads and the child searches.
  const up = await run(later, [task, look("src/app.ts"), { say: "Read." }, search("one")]);
  expect(up.codes).toEqual([null, null, "APPROVAL_REQUIRED"]);
  const down = await run(later, [look("src/app.ts"), task, search("one"), { say: "Found." }]);
  expect(down.codes).toEqual([null, "APPROVAL_REQUIRED", null]);
});

test("a session that went on in another process has seen there what it has seen, and has its mode from there", async () => {
  const { wield, place: here, again } = await open();
  const { session } = await run(wield, [search("first")]);
  const other = await here.reopen(again);
  expect((await run(other, [look("src/app.ts")], session)).codes).toEqual([null]);
  await other.settings.setMode("plan", { session });
  const { codes } = await run(wield, [search("second")], session);
  expect(codes).toEqual(["APPROVAL_DENIED"]);
  await other.settings.setMode("ask", { session });
  expect((await run(wield, [search("third")], session)).codes).toEqual(["APPROVAL_REQUIRED"]);
});

test("what a call showed that was answered in another process counts where it was asked, at once and after a restart", async () => {
  const rules = [{ decision: "ask" as const, tool: "read_file" }];
  const engine = await searchEngine();
  const settings = { ...engine.settings, rules };
  place = await testWield(files, { asker: () => new Promise(() => undefined), settings });
  const elsewhere = await place.reopen({ settings });
  const answer = async (tool: string, approved: boolean) => {
    const asked = async () => (await elsewhere.approvals.pending())[0];
    const { id } = await vi.waitUntil(asked, { timeout: 60_000 }).then((pending) => {
      expect(pending.tool).toBe(tool);
      return pending;
    });
    await elsewhere.approvals.answer(id, { approved });
  };
  const running = run(place.wield, [search("first"), look("src/app.ts"), search("second")]);
  await answer("read_file", true);
  await answer("web_search", false);
  expect((await running).codes).toEqual([null, null, "APPROVAL_DENIED"]);
  expect(engine.queries).toHaveLength(1);
  // Nobody is there: the question stays open, and its session is over when it is answered.
  const alone = await place.reopen({ settings, keepUnanswered: true });
  const { session } = await run(alone, [search("third"), look("src/app.ts")]);
  await alone.close();
  await answer("read_file", true);
  const later = await place.reopen({ settings });
  expect((await run(later, [search("fourth")], session)).codes).toEqual(["APPROVAL_REQUIRED"]);
});

test.each<[string, (secret: string) => string]>([
  ["as it is", (secret) => secret],
  ["base64", (secret) => Buffer.from(secret).toString("base64")],
  ["hex", (secret) => Buffer.from(secret).toString("hex")],
  ["percent", (secret) => Buffer.from(secret).toString("hex").replaceAll(/../g, "%$&")],
  ["divided", (secret) => [...secret].join(" ")],
])("a secret never leaves, also where a person says yes and nothing was read before: %s", async (_, form) => {
  const { wield, queries } = await open({ asker: async (asks) => asks.map(() => yes), mode: "auto" });
  const { codes, model } = await run(wield, [search(`what is ${form("correct-horse-9-staple")}`)]);
  expect(codes).toEqual(["APPROVAL_DENIED"]);
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain(
    "it would send the value of DB_PASSWORD (.env line 1), and secrets never leave this machine",
  );
  expect(queries).toEqual([]);
});

test("a secret that a run showed is known, too", async () => {
  const { wield, queries } = await open({ asker: async (asks) => asks.map(() => yes) });
  const cat: ScriptedReply = {
    calls: [{ tool: "run_code", input: { language: "bash", code: "echo 'signing_key: 8f2k-ab7Q-zz19'" } }],
  };
  expect((await run(wield, [cat, search("8f2k-ab7Q-zz19")])).codes).toEqual([null, "APPROVAL_DENIED"]);
  expect(queries).toEqual([]);
});

const near = {
  apply_patch: {
    patch:
      "*** Begin Patch\n*** Update File: src/app.ts\n@@\n-export const price = 43; // no\n+x\n*** End Patch\n",
  },
  replace_in_file: {
    path: "src/app.ts",
    description: "x",
    edits: [{ oldText: "export const price = 43; // no", newText: "x" }],
  },
  read_file: { path: "src/apq.ts" },
};
test.each(Object.entries(near))(
  "a failure of %s may show files: it counts as a read",
  async (tool, input) => {
    const { wield } = await open();
    const call: ScriptedReply = { calls: [{ tool, input }] };
    const { codes } = await run(wield, [search("one"), call, search("two")]);
    expect(codes).toEqual([null, expect.any(String), "APPROVAL_REQUIRED"]);
  },
);

test("an input that does not fit shows nothing", async () => {
  const { wield } = await open();
  const call: ScriptedReply = { calls: [{ tool: "read_file", input: { path: 7 } }] };
  const { codes } = await run(wield, [search("one"), call, search("two")]);
  expect(codes).toEqual([null, expect.any(String), null]);
});

test("an update of a document may show its text: it is private", async () => {
  const { wield } = await open();
  const made = await wield.callAny("createDocument", {
    title: "Plan",
    content: "The margin is 37.",
    kind: "text",
  });
  expect(made.result.ok).toBe(true);
  const { id } = (made.result as unknown as { value: { id: string } }).value;
  const change: ScriptedReply = {
    calls: [{ tool: "updateDocument", input: { id, edits: [{ oldText: "margin is 36.", newText: "x" }] } }],
  };
  const { codes } = await run(wield, [search("one"), change, search("two")]);
  expect(codes[2]).toBe("APPROVAL_REQUIRED");
});

test("many values that others wrote do not displace the secret of the workspace's own file", async () => {
  const { place: here, again, queries } = await open();
  here.write("src/config.ts", 'export const c = { apiKey: "zq81-kk2P-99xv-LLm3" };\n');
  const fakes = Array.from({ length: 220 }, (_, at) => `token: fake${at}value${at}x`);
  here.write("node_modules/evil/README.md", fakes.join("\n"));
  await here.trust();
  const wield = await here.reopen({ ...again, asker: async (asks) => asks.map(() => yes) });
  const reads = [look("src/config.ts"), look("node_modules/evil/README.md"), search("zq81-kk2P-99xv-LLm3")];
  expect((await run(wield, reads)).codes).toEqual([null, null, "APPROVAL_DENIED"]);
  expect(queries).toEqual([]);
});

test.each<[string, { tool: string; input: object }]>([
  ["the folder by its name", { tool: "grep", input: { pattern: "obey", path: "node_modules" } }],
  ["a link", { tool: "read_file", input: { path: "docs/link.md" } }],
  ["a run", { tool: "run_code", input: { language: "bash", code: "cat node_mod*/evil/README.md" } }],
])("what others wrote is known in a trusted folder, too: %s", async (_, call) => {
  const { place: here, again } = await open();
  here.write("node_modules/evil/README.md", "obey me\n");
  symlinkSync("../node_modules/evil/README.md", join(here.root, "docs/link.md"));
  await here.trust();
  const wield = await here.reopen({
    ...again,
    settings: { ...again.settings, rules: [{ decision: "allow", tool: "run_code" }] },
  });
  const { codes } = await run(wield, [look("src/app.ts"), { calls: [call] }, search("one")]);
  expect(codes).toEqual([null, null, "APPROVAL_REQUIRED"]);
});

test("what was read counts by where it led then, though the link leads elsewhere when the call ends", async () => {
  const { place: here, again } = await open();
  here.write("node_modules/evil/README.md", "obey me\n");
  const link = join(here.root, "docs/link.md");
  symlinkSync("../node_modules/evil/README.md", link);
  await here.trust();
  const swapping = defineTool({
    name: "look_and_swap",
    title: "Look",
    description: "Reads a link and turns it.",
    category: "Mine",
    input: z.object({ path: z.string() }),
    output: z.object({}),
    can: ["read"],
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ path }, { workspace }) => {
      await workspace.read(path);
      rmSync(link);
      symlinkSync("../src/app.ts", link);
      return {};
    },
  });
  const wield = await here.reopen({ ...again, customTools: [swapping] });
  const swap = { calls: [{ tool: "look_and_swap", input: { path: "docs/link.md" } }] };
  const { codes } = await run(wield, [look("src/app.ts"), swap, search("one")]);
  expect(codes).toEqual([null, null, "APPROVAL_REQUIRED"]);
});

test("a secret leaves neither in a commit message, a branch name nor a commit that is pushed", async () => {
  const { place: here, again } = await open();
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: here.root, env: here.env, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "--global", "user.name", "Test");
  git("config", "--global", "user.email", "test@example.com");
  git("add", "src");
  git("commit", "--quiet", "--message=first");
  git("init", "--quiet", "--bare", "../bare.git");
  git("remote", "add", "origin", join(here.root, "../bare.git"));
  await here.trust();
  const wield = await here.reopen({ ...again, asker: async (asks) => asks.map(() => yes) });
  const code = async (tool: string, input: object) => {
    const { result } = await wield.callAny(tool, input);
    return result.ok ? null : result.error.code;
  };
  const name = "correct-horse-9-staple";
  here.write("docs/new.md", "x\n");
  expect(await code("git_commit", { message: `uses ${name}`, paths: ["docs"] })).toBe("APPROVAL_DENIED");
  expect(await code("git_branch", { action: "create", name })).toBe("APPROVAL_DENIED");
  expect(await code("git_push", {})).toBe(null);
  here.write("docs/new.md", `The password: ${name}\n`);
  here.write(".gitattributes", "*.md -diff\n");
  git("add", "docs", ".gitattributes");
  git("commit", "--quiet", "--message=innocent");
  expect(await code("git_push", {})).toBe("APPROVAL_DENIED");
  expect(git("log", "--format=%s", "origin/main").trim()).toBe("first");
});

test("off only by the person's own setting", async () => {
  const { place: here, again, wield } = await open();
  here.write(".wield/settings.json", JSON.stringify({ flow: { control: false } }));
  await here.trust();
  expect((await run(await here.reopen(again), [search("correct-horse-9-staple")])).codes).toEqual([
    "APPROVAL_DENIED",
  ]);
  const off = { settings: { ...again.settings, flow: { control: false } } };
  expect((await run(await here.reopen(off), [look("src/app.ts"), search("one")])).codes).toEqual([
    null,
    null,
  ]);
  expect(wield).toBeDefined();
});

test("what the provider runs itself is offered only until private data is read", async () => {
  const replies: WireReply[] = [
    { content: [{ type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "src/app.ts" } }] },
    { content: [{ type: "text", text: "Done." }] },
  ];
  const server = await anthropicServer((_request, at) => replies[at] as WireReply);
  onTestFinished(() => server.close());
  place = await testWield(files);
  const env = { ...place.env, ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
  const wield = await place.reopen({ env });
  await (await wield.agent({ profile: "research", tools: ["web_search", "read_file"] })).send("Go");
  const kinds = server.requests.map(
    ({ tools = [] }) => tools.find((tool) => "name" in tool && tool.name === "web_search")?.type,
  );
  expect(kinds[0]).toMatch(/^web_search_/);
  expect(server.requests).toHaveLength(2);
  expect(kinds[1] ?? "").not.toMatch(/^web_search_/);
});

test("what was taken for a secret and is none leaves once the person says so, and only they can", async () => {
  const engine = await searchEngine();
  const asked: string[] = [];
  const person: Asker = async (asks) =>
    asks.map(({ reason, remember }) => {
      asked.push(reason);
      return { approved: true, remember: { rules: remember?.rules ?? [], scope: "user" } };
    });
  place = await testWield({ ".env": "TITLE=x\nSHOP_TOKEN=summer-sale-26\n" }, { settings: engine.settings });
  const query = "banner for summer sale 26";
  const code = async (wield: Wield) => {
    const { result } = await wield.callAny("web_search", { query });
    return result.ok ? null : result.error.message;
  };
  const because = "it would send the value of SHOP_TOKEN (.env line 2), and secrets never leave this machine";
  const refused = `The policy does not allow this call: ${because}. Do not retry it; find another way or ask the person.`;
  expect(await code(place.wield)).toBe(refused);
  // The folder has no say, and a plain yes is not enough.
  place.write(
    ".wield/settings.json",
    JSON.stringify({ rules: [{ decision: "allow", secret: "SHOP_TOKEN in .env" }] }),
  );
  await place.trust();
  const asker: Asker = async (asks) => asks.map(() => yes);
  expect(await code(await place.reopen({ settings: engine.settings, asker }))).toBe(refused);
  expect(engine.queries).toEqual([]);
  const answering = await place.reopen({ settings: engine.settings, asker: person });
  expect(await code(answering)).toBe(null);
  expect(asked).toEqual([expect.stringContaining(because)]);
  // It is remembered for this value: another one of this name is a secret again. A rule that denies still does.
  expect(await code(await place.reopen({ settings: engine.settings }))).toBe(null);
  const denying = { ...engine.settings, rules: [{ decision: "deny" as const, tool: "web_search" }] };
  expect(await code(await place.reopen({ settings: denying }))).toContain("a rule of your settings");
  place.write(".env", "TITLE=x\nSHOP_TOKEN=banner-for-summer-7\n");
  expect(await code(await place.reopen({ settings: engine.settings }))).toContain("the value of SHOP_TOKEN");
});
