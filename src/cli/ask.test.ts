import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { stopReasons } from "../events/agent-events.ts";
import { anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";
import { exitCodes } from "./run-options.ts";
import { bin } from "./terminal.suite.ts";

const files = {
  "package.json": '{ "name": "shop" }\n',
  "src/main.js": "export function start() {} // TODO\n",
};
let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

async function wield(args: string[], input?: string, env: Record<string, string> = {}) {
  place ??= await testWield(files);
  return runCli({ ...place, env: { ...place.env, ...env } }, args, input);
}

/** The command line against a server that gives these answers, the last one again and again. */
async function withServer<T>(
  replies: WireReply[],
  use: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const server = await anthropicServer(
    (_request, index) => replies[Math.min(index, replies.length - 1)] as WireReply,
  );
  try {
    return await use({ ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url });
  } finally {
    await server.close();
  }
}

const look = (path: string): WireReply => ({
  content: [{ type: "tool_use", id: `toolu_${path}`, name: "read_file", input: { path } }],
});

test.each([
  ["ask", "old\n", /APPROVAL_REQUIRED|needs a person's approval/],
  ["edits", "new\n", /→ edit_file/],
  ["plan", "old\n", /in plan mode nothing is changed/],
])("with nobody there, --mode %s", async (mode, content, told) => {
  place = await testWield({ ...files, "a.txt": "old\n" });
  const input = { path: "a.txt", content: "new\n", description: "d" };
  const edit: WireReply = { content: [{ type: "tool_use", id: "toolu_1", name: "edit_file", input }] };
  const { err } = await withServer([edit, { content: [{ type: "text", text: "Done." }] }], (env) =>
    wield(["ask", "--mode", mode, "Change it"], "", env),
  );
  expect(err).toMatch(told);
  expect(place.read("a.txt")).toBe(content);
});

test("a mode that does not exist is refused with the modes there are", async () => {
  const { code, err } = await wield(["ask", "--mode", "yolo", "Go"]);
  expect(code).toBe(2);
  expect(err).toContain('There is no permission mode "yolo". The modes: ask, edits, plan, auto.');
});

test("the answer goes to standard output, what was done to standard error", async () => {
  const { code, out, err } = await wield(["ask", "Read package.json and tell me the project name"]);
  expect(code).toBe(0);
  expect(out).toBe("I'll read package.json.\nThe project name in package.json is shop (field `name`).\n");
  expect(err).toMatch(/→ read_file .*package\.json[\s\S]*2 steps, \d+ tokens in/);
});

test("the plan, how to open a document and why a call failed are shown", async () => {
  const wrong = { path: "src/main.js", edits: [{ oldText: "begin() {", newText: "x" }], description: "d" };
  const replies = [
    ["createPlan", { title: "An offer", steps: ["Look", "Write"] }],
    ["read_file", { path: "src/Main.ts" }],
    ["replace_in_file", wrong],
    ["createDocument", { title: "Offer", kind: "text", content: "Ninety euros." }],
    ["updatePlan", { stepId: "1", status: "done" }],
  ] as const;
  const script = replies.map(
    ([name, input]): WireReply => ({ content: [{ type: "tool_use", id: `toolu_${name}`, name, input }] }),
  );
  const { err } = await withServer([...script, { content: [{ type: "text", text: "Done." }] }], (env) =>
    wield(["ask", "--yes", "--profile", "Assistant", "Write an offer"], "", env),
  );
  expect(err).toContain("An offer: 0 of 2 done\n  [ ] Look\n  [ ] Write\n");
  expect(err).toMatch(/\n {2}\[x\] Look {2}1 of 2 done\n/);
  const [, id = ""] = /\n {2}wield documents (d_\w+) shows it\n/.exec(err) ?? [];
  expect((await wield(["documents", id])).out).toBe("Ninety euros.\n");
  expect(err).toMatch(/✗ read_file: (?!FILE_NOT_FOUND).*src\/Main\.ts/);
  // A sentence that announces something is followed by the beginning of it.
  expect(err).toMatch(/✗ replace_in_file: .*(?<!:)\n/);
  expect((await wield(["plan"])).out).toMatch(
    /^An offer: 1 of 2 done\n\[x\] 1\. Look\n\[ \] 2\. Write\nLast/,
  );
});

test("--json prints every event as a line", async () => {
  const { out } = await wield(["ask", "--json", "Find all TODO comments"]);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  const types = events.map(({ type }) => type);
  expect(types.slice(0, 2)).toEqual(["message-add", "run-start"]);
  expect(types.at(-1)).toBe("run-end");
  for (const type of [
    "step-start",
    "text-delta",
    "input-start",
    "input-delta",
    "call-start",
    "call-end",
    "call-result",
    "step-end",
  ])
    expect(types).toContain(type);
});

test("a question from a pipe, and none at all", async () => {
  expect((await wield(["ask"], "Find all TODO comments\n")).out).toContain("src/main.js:1");
  expect(await wield(["ask"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("What is the question?"),
  });
});

test("a question about what a pipe brings", async () => {
  await withServer([{ content: [{ type: "text", text: "Fine." }] }], async (env) => {
    const { code } = await wield(["ask", "Review", "this change:", "-"], "+const tax = 1.19;\n", env);
    expect(code).toBe(0);
    const [session] = (await place?.wield.sessions.list()) ?? [];
    const [first] = (await place?.wield.store.entries(session?.id ?? "")) ?? [];
    expect(first?.data).toMatchObject({ text: "Review this change:\n\n+const tax = 1.19;" });
  });
});

test("--continue goes on with the newest session, --resume with a certain one", async () => {
  await wield(["ask", "Find all TODO comments"]);
  const [first] = (await place?.wield.sessions.list()) ?? [];
  await wield(["ask", "Show the structure of the project"]);
  await wield(["ask", "--continue", "Find all TODO comments"]);
  await wield(["ask", "--resume", first?.id ?? "", "Read package.json and tell me the project name"]);
  const sessions = (await place?.wield.sessions.list()) ?? [];
  expect(sessions.map(({ title }) => title)).toEqual([
    "Find all TODO comments",
    "Show the structure of the project",
  ]);
  const logs = await Promise.all(sessions.map(({ id }) => place?.wield.store.entries(id) ?? []));
  const questions = logs.map(
    (entries) => entries.filter(({ data }) => (data as { kind: string }).kind === "user").length,
  );
  expect(questions).toEqual([2, 2]);
  expect((await wield(["ask", "--resume", "nothing", "x"])).err).toContain("There is no session nothing");
});

test("explore without a question says how it is asked", async () => {
  place = await testWield({});
  const { code, err } = await runCli(place, ["explore"]);
  expect([code, err]).toEqual([2, expect.stringContaining('For example: wield explore "')]);
});

test("what needs approval and finds nobody is told to the model, and nothing is changed", async () => {
  const { code, out, err } = await wield([
    "ask",
    "Add a comment to the top of src/main.js explaining what it does",
  ]);
  expect(code).toBe(8);
  expect(err).toContain("1 call needed approval and was not made.");
  expect(out).toMatch(/(?<!APPROVAL_REQUIRED: )replace_in_file needs a person's approval/);
  expect(err).toContain("run this in a terminal without piped input, or add --yes");
  expect(place?.read("src/main.js")).toBe(files["src/main.js"]);
  await wield(["ask", "--yes", "Add a comment to the top of src/main.js explaining what it does"]);
  expect(place?.read("src/main.js")).toMatch(/^\/\/ main\.js/);
});

describe("exit codes", () => {
  test("are all different and all in the help", async () => {
    expect(new Set(Object.values(exitCodes)).size).toBe(stopReasons.length);
    const { out } = await wield(["ask", "--help"]);
    for (const stop of stopReasons) expect(out).toContain(`${exitCodes[stop]} ${stop}`);
  });

  test.each<[keyof typeof exitCodes, string[], WireReply[]]>([
    ["done", [], [{ content: [{ type: "text", text: "hello" }] }]],
    ["error", [], [{ status: 401, error: { type: "authentication_error", message: "no" } }]],
    ["steps", ["--max-steps", "2"], ["package.json", "src/main.js", "a"].map(look)],
    ["tokens", ["--max-tokens", "300"], ["package.json", "src/main.js", "a"].map(look)],
    ["time", ["--max-time", "0.000001"], ["package.json", "src/main.js", "a"].map(look)],
    ["loop", [], [look("package.json")]],
  ])("%s", async (stop, args, replies) => {
    const { code } = await withServer(replies, (env) => wield(["ask", ...args, "go"], "", env));
    expect(code).toBe(exitCodes[stop]);
  });

  test("aborted: Ctrl+C ends the run, and the session goes on", async () => {
    place = await testWield(files);
    const half: WireReply = {
      content: [{ type: "text", text: "This is never said to its end." }],
      wrong: "hangs",
    };
    const answer: WireReply = { content: [{ type: "text", text: "whole" }] };
    await withServer([half, answer], async (env) => {
      const given = { cwd: place?.root, env: { ...process.env, ...place?.env, ...env } };
      const child = spawn(bin, ["ask", "go"], { ...given, stdio: ["ignore", "pipe", "ignore"] });
      await once(child.stdout, "data");
      child.kill("SIGINT");
      expect(await once(child, "exit")).toEqual([exitCodes.aborted, null]);
      expect((await wield(["ask", "--continue"], "", env)).out).toBe("whole\n");
    });
  });

  test("cost", async () => {
    place = await testWield(files, {});
    place.write(
      "../config/wield/settings.json",
      JSON.stringify({ prices: { "anthropic/claude-sonnet-5-5": { input: 1000, output: 1000 } } }),
    );
    const replies = ["package.json", "src/main.js", "a"].map(look);
    const { code } = await withServer(replies, (env) => wield(["ask", "--max-cost", "0.1", "go"], "", env));
    expect(code).toBe(exitCodes.cost);
  });
});

test("a model that cannot be had is explained with the choices", async () => {
  const { code, err } = await wield(["ask", "--model", "antropic/claude", "x"]);
  expect(code).toBe(1);
  expect(err).toMatch(/Did you mean anthropic\?[\s\S]*ANTHROPIC_API_KEY[\s\S]*Ollama[\s\S]*offline/);
  expect((await wield(["ask", "--model", "openai/gpt-5.6", "x"])).err).toContain("needs a key for OpenAI");
});

test("sessions are listed and exported as Markdown and as lines of JSON", async () => {
  await wield(["ask", "Read package.json and tell me the project name"]);
  const { out: list } = await wield(["sessions"]);
  const [id = ""] = list.split(" ");
  expect(list).toMatch(/code +Read package\.json and tell me/);
  const { out: markdown } = await wield(["sessions", id]);
  expect(markdown).toMatch(
    /^# Read package\.json[\s\S]*## Person[\s\S]*\*\*read_file\*\*[\s\S]*"shop"[\s\S]*\*done\*/,
  );
  const { out: json } = await wield(["sessions", "--json"]);
  expect(JSON.parse(json)).toMatchObject([{ id, agent: "code" }]);
  const { out: lines } = await wield(["sessions", id, "--jsonl"]);
  const entries = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries[0].session.id).toBe(id);
  expect(entries.slice(1).map(({ kind }) => kind)).toEqual(["user", "step", "results", "step", "end"]);
});

test("explore answers with evidence and takes only its modes", async () => {
  const { out } = await wield(["explore", "--mode", "quick", "Find all TODO comments"]);
  expect(out).toContain("src/main.js:1");
  expect((await place?.wield.sessions.list())?.[0]?.agent).toBe("explore");
  const { out: later } = await wield([
    "ask",
    "--continue",
    "--json",
    "Add a comment to the top of src/main.js explaining what it does",
  ]);
  expect(later).toContain('"agent":"explore"');
  expect(await place?.wield.sessions.list()).toHaveLength(1);
  expect(await wield(["explore", "--mode", "slow", "x"])).toMatchObject({ code: 2 });
});
