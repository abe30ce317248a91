import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { methods, type ToolCallUpdate } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type AnthropicServer, anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { type Editor, type EditorOptions, openEditor } from "./acp.suite.ts";

const files = {
  "package.json": '{ "name": "shop" }\n',
  "src/main.js":
    'import { DatabaseService } from "./database.js"; // TODO close it\nnew DatabaseService();\n',
  "src/database.js": "export class DatabaseService {}\n",
  "src/runner.js": 'import { ToolExecutionService } from "./tools.js";\nnew ToolExecutionService();\n',
  "src/tools.js": "export class ToolExecutionService {}\n",
};
let place: TestWield;
let editors: Editor[] = [];
let server: AnthropicServer | undefined;
beforeEach(async () => {
  place = await testWield(files);
});
afterEach(async () => {
  const problems = editors.flatMap((editor) => editor.problems);
  for (const editor of editors) await editor.kill();
  editors = [];
  await server?.close();
  server = undefined;
  await place.close();
  expect(problems).toEqual([]);
});

async function open(options: EditorOptions = {}): Promise<Editor> {
  const editor = await openEditor(place, options);
  editors.push(editor);
  return editor;
}

async function offline(options: EditorOptions = {}) {
  const editor = await open({ args: ["--model", "offline"], ...options });
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.root,
    mcpServers: [],
  });
  return { editor, sessionId };
}

/** Against a model that gives these answers, the last one again and again. */
async function scripted(replies: WireReply[], options: EditorOptions = {}, servers: never[] = []) {
  server = await anthropicServer((_request, at) => replies[Math.min(at, replies.length - 1)] as WireReply);
  const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
  const editor = await open({ env, ...options });
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.root,
    mcpServers: servers,
  });
  return { editor, sessionId, requests: server.requests, env };
}

const say = (text: string): WireReply => ({ content: [{ type: "text", text }] });
const call = (name: string, input: unknown, id = "call_1"): WireReply => ({
  content: [{ type: "tool_use", id, name, input }],
  stop: "tool_use",
});
const replaceName = call("replace_in_file", {
  path: "package.json",
  edits: [{ oldText: "shop", newText: "store" }],
  description: "rename",
});
function toolCalls(editor: Editor): ToolCallUpdate[] {
  return editor.updates.filter(
    (update) => update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update",
  ) as ToolCallUpdate[];
}

describe("five tasks of an assistant in an editor", () => {
  test("reads a file and answers", async () => {
    const { editor, sessionId } = await offline();
    expect(await editor.prompt(sessionId, "Read package.json and tell me the project name")).toBe("end_turn");
    expect(editor.said()).toContain("shop");
    const [first] = toolCalls(editor);
    expect(first).toMatchObject({ kind: "read", status: "pending" });
    expect(toolCalls(editor)).toContainEqual(
      expect.objectContaining({ locations: [{ path: join(place.root, "package.json") }] }),
    );
    expect(toolCalls(editor).at(-1)).toMatchObject({ status: "completed" });
  });

  test("finds where a symbol is defined", async () => {
    const { editor, sessionId } = await offline();
    await editor.prompt(sessionId, "Find where DatabaseService is defined");
    expect(editor.said()).toContain("src/database.js");
  });

  test("edits a file after approval, shown as a diff", async () => {
    const { editor, sessionId } = await offline();
    await editor.prompt(sessionId, "Add a comment to the top of src/main.js saying 'Start here.'");
    const path = join(place.root, "src/main.js");
    const [asked] = editor.permissions;
    expect(asked?.toolCall.content).toContainEqual({
      ...{ type: "diff", path, oldText: files["src/main.js"] },
      newText: `// Start here.\n${files["src/main.js"]}`,
    });
    expect(asked?.options.map(({ optionId }) => optionId)).toEqual(["allow", "session", "user", "reject"]);
    expect(place.read("src/main.js")).toMatch(/^\/\/ Start here\.\n/);
    const done = toolCalls(editor).at(-1);
    expect(done).toMatchObject({ status: "completed", content: [{ type: "diff", path }] });
  });

  test("searches many files", async () => {
    const { editor, sessionId } = await offline();
    await editor.prompt(sessionId, "Find all TODO comments in the project");
    expect(editor.said()).toContain("src/main.js");
  });

  test("says which files use something", async () => {
    const { editor, sessionId } = await offline();
    await editor.prompt(sessionId, "What files use ToolExecutionService?");
    expect(editor.said()).toContain("src/runner.js");
  });
});

describe("permission", () => {
  test("a rejected change is not made, and the model is told", async () => {
    const { editor, sessionId, requests } = await scripted([replaceName, say("As you wish.")], {
      permit: () => "reject",
    });
    await editor.prompt(sessionId, "rename it");
    expect(place.read("package.json")).toBe(files["package.json"]);
    expect(toolCalls(editor).at(-1)).toMatchObject({ status: "failed", content: [{ type: "content" }] });
    expect(JSON.stringify(requests.at(-1))).toContain("User rejected changes");
  });

  test("a question that is closed is no approval, nor is an option that was not offered", async () => {
    const answers = ["cancelled", "always-and-ever", "edit"];
    const { editor, sessionId } = await scripted(
      [
        replaceName,
        call("delete_file", { path: "src/tools.js" }, "call_2"),
        replaceName,
        say("Nothing done."),
      ],
      { permit: () => answers.shift() ?? "reject" },
    );
    await editor.prompt(sessionId, "change things");
    expect(editor.permissions.length).toBeGreaterThan(1);
    expect(place.read("package.json")).toBe(files["package.json"]);
    expect(place.read("src/tools.js")).toBe(files["src/tools.js"]);
  });

  test("always saves the rule that was shown, and the next change is not asked", async () => {
    const again = call("replace_in_file", {
      ...{ path: "package.json", description: "back" },
      edits: [{ oldText: "store", newText: "shop" }],
    });
    const { editor, sessionId, env } = await scripted(
      [replaceName, say("Done."), { ...again }, say("Back.")],
      {
        permit: () => "user",
      },
    );
    await editor.prompt(sessionId, "rename it");
    const rule = editor.permissions[0]?.options.find(({ optionId }) => optionId === "user")?.name;
    expect(rule).toContain('"path":"package.json"');
    await editor.prompt(sessionId, "and back");
    expect(editor.permissions).toHaveLength(1);
    expect(place.read("package.json")).toBe(files["package.json"]);
    const saved = readFileSync(join(place.env["XDG_CONFIG_HOME"] ?? "", "wield/settings.json"), "utf8");
    expect(saved).toContain("package.json");
    expect(env.ANTHROPIC_API_KEY).toBe("key-for-tests");
  });

  test("a proposal can be edited where the editor shows forms", async () => {
    const { editor, sessionId, requests } = await scripted([replaceName, say("Done.")], {
      capabilities: { elicitation: { form: {} } },
      permit: ({ options }) => (options.some(({ optionId }) => optionId === "edit") ? "edit" : "reject"),
      fill: () => ({
        action: "accept",
        content: { decision: "approve", content_1: '{ "name": "boutique" }\n' },
      }),
    });
    await editor.prompt(sessionId, "rename it");
    expect(place.read("package.json")).toBe('{ "name": "boutique" }\n');
    expect(JSON.stringify(requests.at(-1))).toContain("The person edited this call");
    expect(toolCalls(editor).at(-1)).toMatchObject({
      content: [{ type: "diff", newText: '{ "name": "boutique" }\n' }],
    });
  });
});

test("the agent asks the person with a form of the editor", async () => {
  const input = { questions: [{ question: "Which one?", options: ["A", "B"] }] };
  const { editor, sessionId, requests } = await scripted(
    [
      { content: [{ type: "tool_use", id: "call_q", name: "ask_person", input }], stop: "tool_use" },
      say("Thanks."),
    ],
    {
      capabilities: { elicitation: { form: {} } },
      fill: ({ message }) => ({
        action: "accept",
        content: { answer: message.includes("Which one?") ? "B" : "?" },
      }),
    },
  );
  await editor.prompt(sessionId, "choose");
  expect(JSON.stringify(requests.at(-1))).toContain("Which one?\\n→ B");
});

test("thoughts, plans and usage are told as such", async () => {
  const plan = { title: "Two steps", steps: ["Look", "Act"] };
  const { editor, sessionId } = await scripted([
    {
      content: [
        { type: "thinking", thinking: "Let me think.", signature: "s" },
        { type: "tool_use", id: "call_p", name: "createPlan", input: plan },
      ],
      stop: "tool_use",
    },
    say("Planned."),
  ]);
  await editor.prompt(sessionId, "plan it");
  const thoughts = editor.updates.map((update) =>
    update.sessionUpdate === "agent_thought_chunk" && update.content.type === "text"
      ? update.content.text
      : "",
  );
  expect(thoughts.join("")).toBe("Let me think.");
  const told = editor.updates.find(({ sessionUpdate }) => sessionUpdate === "plan");
  expect(told).toMatchObject({ entries: [{ content: "Look", status: "pending" }, { content: "Act" }] });
  expect(editor.updates.some(({ sessionUpdate }) => sessionUpdate === "usage_update")).toBe(true);
});

test("a mode says what is asked about: in the mode edits a change is made without a question", async () => {
  const { editor, sessionId, requests } = await scripted([replaceName, say("Done.")]);
  await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "plan" });
  await editor.prompt(sessionId, "rename it");
  expect(JSON.stringify(requests[0]?.messages)).toContain("switched to plan mode");
  expect(place.read("package.json")).toContain("shop");
  server?.requests.splice(0);
  const { configOptions } = await editor.agent.request(methods.agent.session.setConfigOption, {
    ...{ sessionId, configId: "mode", value: "edits" },
  });
  expect(configOptions).toContainEqual(expect.objectContaining({ id: "mode", currentValue: "edits" }));
  await editor.prompt(sessionId, "rename it");
  expect(place.read("package.json")).toContain("store");
  expect(editor.permissions).toEqual([]);
  const told = editor.updates.filter(({ sessionUpdate }) => sessionUpdate === "current_mode_update");
  expect(told).toMatchObject([{ currentModeId: "plan" }, { currentModeId: "edits" }]);
  await expect(
    editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "toString" }),
  ).rejects.toThrow(/no mode/);
});

test("a profile is another agent with other tools, in the same session", async () => {
  const { editor, sessionId, requests } = await scripted([say("Hello.")]);
  await editor.agent.request(methods.agent.session.setConfigOption, {
    ...{ sessionId, configId: "profile", value: "explore" },
  });
  await editor.prompt(sessionId, "first");
  const names = (at: number) => requests[at]?.tools?.map((tool) => ("name" in tool ? tool.name : "")) ?? [];
  expect(names(0)).not.toContain("replace_in_file");
  await editor.agent.request(methods.agent.session.setConfigOption, {
    ...{ sessionId, configId: "profile", value: "code" },
  });
  await editor.prompt(sessionId, "second");
  expect(names(1)).toContain("replace_in_file");
  expect(JSON.stringify(requests[1]?.messages)).toContain("first");
  await expect(
    editor.agent.request(methods.agent.session.setConfigOption, {
      ...{ sessionId, configId: "profile", value: "toString" },
    }),
  ).rejects.toThrow(/no profile/);
});

test("what the editor attaches reaches the model; a mentioned file by its path", async () => {
  const { editor, sessionId, requests } = await scripted([say("Read.")]);
  const uri = pathToFileURL(join(place.root, "src/main.js")).href;
  await editor.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: "text", text: "Explain " },
      { type: "resource_link", name: "main.js", uri },
      { type: "resource", resource: { uri: "file:///elsewhere/note.md", text: "a ``` fence" } },
    ],
  });
  const sent = JSON.stringify(requests[0]?.messages);
  expect(sent).toContain("Explain @src/main.js");
  expect(sent).toContain("/elsewhere/note.md");
  expect(sent).toContain("````\\na ``` fence\\n````");
});

test("text that is not saved wins over the disk, and the editor gets the change", async () => {
  const path = join(place.root, "package.json");
  const buffers = new Map([[path, '{ "name": "shop", "private": true }\n']]);
  const { editor, sessionId, requests } = await scripted(
    [call("read_file", { path: "package.json" }), { ...replaceName }, say("Done.")],
    { buffers, capabilities: { fs: { readTextFile: true, writeTextFile: true } } },
  );
  await editor.prompt(sessionId, "rename it");
  expect(JSON.stringify(requests[1]?.messages)).toContain("private");
  expect(place.read("package.json")).toBe('{ "name": "store", "private": true }\n');
  expect(editor.permissions[0]?.toolCall.content).toContainEqual(
    expect.objectContaining({ type: "diff", newText: '{ "name": "store", "private": true }\n' }),
  );
  expect(buffers.get(path)).toBe(place.read("package.json"));
});

test("MCP servers of the editor are used, with permission", async () => {
  const program = join(import.meta.dirname, "../mcp/fixtures/stdio-server.ts");
  const passed = { name: "my server", command: process.execPath, args: [program], env: [] };
  const { editor, sessionId, requests } = await scripted([say("Hello.")], {}, [passed as never]);
  await vi.waitFor(
    async () => {
      await editor.prompt(sessionId, "hello");
      expect(JSON.stringify(requests.at(-1))).toContain("my-server__");
    },
    { timeout: 60_000 },
  );
});

test("cancel ends the turn, and the session goes on", async () => {
  let cancelled = false;
  server = await anthropicServer(() =>
    cancelled ? say("Again.") : { ...(say("Waiting") as { content: [] }), wrong: "hangs" },
  );
  const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
  const editor = await open({ env });
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.root,
    mcpServers: [],
  });
  const turn = editor.prompt(sessionId, "wait");
  await vi.waitFor(() => expect(editor.said()).toContain("Waiting"), { timeout: 60_000 });
  cancelled = true;
  await editor.agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await turn).toBe("cancelled");
  expect(await editor.prompt(sessionId, "again")).toBe("end_turn");
  expect(editor.said()).toContain("Again.");
});

test("commands of the editor: undo takes a change back", async () => {
  const { editor, sessionId, requests } = await scripted([replaceName, say("Done."), say("I see.")]);
  await vi.waitFor(() =>
    expect(editor.updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: "available_commands_update" }),
    ),
  );
  await editor.prompt(sessionId, "rename it");
  expect(place.read("package.json")).toContain("store");
  await editor.prompt(sessionId, "/undo");
  expect(place.read("package.json")).toBe(files["package.json"]);
  await editor.prompt(sessionId, "what now?");
  expect(JSON.stringify(requests.at(-1))).toContain("The person used undo");
});

test("a session goes on after the agent was killed", async () => {
  server = await anthropicServer((request) => {
    const asked = JSON.stringify(request.messages);
    if (asked.includes("go on")) return say("Finished.");
    return asked.includes("tool_result") ? { ...(say("") as { content: [] }), wrong: "hangs" } : replaceName;
  });
  const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
  const first = await open({ env });
  const { sessionId } = await first.agent.request(methods.agent.session.new, {
    cwd: place.root,
    mcpServers: [],
  });
  const turn = first.prompt(sessionId, "rename it").catch(() => "lost");
  await vi.waitFor(() => expect(toolCalls(first).at(-1)).toMatchObject({ status: "completed" }), {
    timeout: 60_000,
  });
  await first.kill();
  expect(await turn).toBe("lost");

  const second = await open({ env });
  const { sessions } = await second.agent.request(methods.agent.session.list, { cwd: place.root });
  expect(sessions).toMatchObject([{ sessionId, title: "rename it" }]);
  await second.agent.request(methods.agent.session.load, { sessionId, cwd: place.root, mcpServers: [] });
  expect(second.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(
    expect.arrayContaining(["user_message_chunk", "tool_call", "tool_call_update"]),
  );
  expect(await second.prompt(sessionId, "go on")).toBe("end_turn");
  expect(second.said()).toContain("Finished.");
  expect(place.read("package.json")).toContain("store");
  const again = await place.wield.changes.list();
  expect(again).toHaveLength(1);

  const third = await open({ env });
  await third.agent.request(methods.agent.session.resume, { sessionId, cwd: place.root, mcpServers: [] });
  expect(third.updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")).toEqual([]);
  expect(await third.prompt(sessionId, "go on")).toBe("end_turn");
});

test("what cannot be is refused with a sentence", async () => {
  const { editor, sessionId } = await offline();
  await expect(editor.prompt("a_unknown", "hello")).rejects.toThrow();
  const { request } = { request: editor.agent.request.bind(editor.agent) };
  await expect(request(methods.agent.session.new, { cwd: "relative", mcpServers: [] })).rejects.toThrow(
    /absolute/,
  );
  await expect(
    request(methods.agent.session.load, { sessionId: "a_unknown", cwd: place.root, mcpServers: [] }),
  ).rejects.toThrow(/no session/);
  await expect(
    request(methods.agent.session.setConfigOption, { sessionId, configId: "model", value: "no/such-model" }),
  ).rejects.toThrow(/Unknown model/);
  expect(await editor.prompt(sessionId, "Read package.json and tell me the project name")).toBe("end_turn");
});
