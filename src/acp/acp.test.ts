import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type McpServer, methods } from "@agentclientprotocol/sdk";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type AnthropicServer, anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { type Editor, openEditor, type Person } from "./acp.suite.ts";

const files = {
  "package.json": '{ "name": "shop" }\n',
  "src/main.js":
    'import { DatabaseService } from "./database.js"; // TODO close it\nnew DatabaseService();\n',
  "src/database.js": "export class DatabaseService {}\n",
  "src/runner.js": 'import { ToolExecutionService } from "./tools.js";\nnew ToolExecutionService();\n',
  "src/tools.js": "export class ToolExecutionService {}\n",
};
const home = mkdtempSync(join(tmpdir(), "wield-acp-"));
let server: AnthropicServer;
let answer: (request: AnthropicServer["requests"][number]) => WireReply;
/** Starting the command takes longest: one process for an editor that can do everything, one for an editor that can do nothing more than it must. */
let able: Editor;
let plain: Editor;
let env: Record<string, string>;
let root: string;
let opened: { editor: Editor; sessionId: string }[] = [];

beforeAll(async () => {
  server = await anthropicServer((request) => answer(request));
  env = {
    ...{ PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home },
    ...{ XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") },
    ...{ ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url },
  };
  const all = { fs: { readTextFile: true, writeTextFile: true }, elicitation: { form: {} }, terminal: true };
  [able, plain] = await Promise.all([
    openEditor({ cwd: home, env }, all),
    openEditor({ cwd: home, env }, {}),
  ]);
});
afterAll(async () => {
  for (const editor of [able, plain]) await editor?.kill();
  await server?.close();
  removeFolder(home);
});
beforeEach(() => {
  root = mkdtempSync(join(home, "workspace-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  server.requests.length = 0;
});
afterEach(async () => {
  for (const { editor, sessionId } of opened)
    await editor.agent.request(methods.agent.session.close, { sessionId }).catch(() => undefined);
  opened = [];
  expect([...able.problems, ...plain.problems]).toEqual([]);
});

const read = (path: string) => readFileSync(join(root, path), "utf8");

async function session(editor: Editor, person: Person = {}, mcpServers: McpServer[] = []) {
  editor.begin(person);
  const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd: root, mcpServers });
  opened.push({ editor, sessionId });
  return { editor, sessionId, requests: server.requests };
}

async function offline() {
  const { editor, sessionId } = await session(able);
  const model = { sessionId, configId: "model", value: "offline" };
  await editor.agent.request(methods.agent.session.setConfigOption, model);
  return { editor, sessionId };
}

/** A model that gives these answers, the last one again and again. */
function scripted(replies: WireReply[], person: Person = {}, editor = able) {
  const first = server.requests.length;
  answer = () => replies[Math.min(server.requests.length - first, replies.length) - 1] as WireReply;
  return session(editor, person);
}

const lastIsPerson = ({ messages }: AnthropicServer["requests"][number]) =>
  !JSON.stringify(messages.at(-1)).includes("tool_result");
const say = (text: string): WireReply => ({ content: [{ type: "text", text }] });
const hangs = (text: string): WireReply => ({ content: [{ type: "text", text }], wrong: "hangs" });
const call = (name: string, input: unknown, id = "call_1"): WireReply => ({
  content: [{ type: "tool_use", id, name, input }],
  stop: "tool_use",
});
const replaceName = call("replace_in_file", {
  path: "package.json",
  edits: [{ oldText: "shop", newText: "store" }],
  description: "rename",
});

describe("five tasks of an assistant in an editor", () => {
  test("reads a file and answers", async () => {
    const { editor, sessionId } = await offline();
    expect(await editor.prompt(sessionId, "Read package.json and tell me the project name")).toBe("end_turn");
    expect(editor.said()).toContain("shop");
    const [first] = editor.toolCalls();
    expect(first).toMatchObject({ kind: "read", status: "pending" });
    expect(editor.toolCalls()).toContainEqual(
      expect.objectContaining({ locations: [{ path: join(root, "package.json") }] }),
    );
    expect(editor.toolCalls().at(-1)).toMatchObject({ status: "completed" });
  });

  test("finds where a symbol is defined", async () => {
    const { editor, sessionId } = await offline();
    await editor.prompt(sessionId, "Find where DatabaseService is defined");
    expect(editor.said()).toContain("src/database.js");
  });

  test("edits a file after approval, shown as a diff", async () => {
    const { editor, sessionId } = await offline();
    await editor.prompt(sessionId, "Add a comment to the top of main.js explaining what it does");
    const path = join(root, "src/main.js");
    const [asked] = editor.permissions;
    const newText = read("src/main.js");
    expect(newText).toMatch(/^\/\/ main\.js: .*\nimport/);
    expect(asked?.toolCall.content).toContainEqual({
      ...{ type: "diff", path, oldText: files["src/main.js"], newText },
    });
    const options = asked?.options.map(({ optionId }) => optionId);
    expect(options).toEqual(["allow", "edit", "session", "user", "reject"]);
    const done = editor.toolCalls().at(-1);
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
    expect(read("package.json")).toBe(files["package.json"]);
    expect(editor.toolCalls().at(-1)).toMatchObject({ status: "failed", content: [{ type: "content" }] });
    expect(JSON.stringify(requests.at(-1))).toContain("User rejected changes");
  });

  test("an editor that fails to ask is named, and nothing is changed", async () => {
    const fail = () => {
      throw new Error("no window");
    };
    const { editor, sessionId, requests } = await scripted([replaceName, say("I see.")], { permit: fail });
    await editor.prompt(sessionId, "rename it");
    expect(read("package.json")).toBe(files["package.json"]);
    expect(JSON.stringify(requests.at(-1))).toContain("the editor could not show the question");
    expect(JSON.stringify(requests.at(-1))).not.toContain("INTERNAL_ERROR");
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
      plain,
    );
    await editor.prompt(sessionId, "change things");
    expect(editor.permissions.length).toBeGreaterThan(1);
    expect(read("package.json")).toBe(files["package.json"]);
    expect(read("src/tools.js")).toBe(files["src/tools.js"]);
  });

  test("always saves the rule that was shown, and the next change is not asked", async () => {
    const edit = (oldText: string, newText: string) =>
      call("replace_in_file", {
        ...{ path: "src/tools.js", description: "rename" },
        edits: [{ oldText, newText }],
      });
    const there = edit("ToolExecutionService", "Tools");
    const { editor, sessionId } = await scripted(
      [there, say("Done."), edit("Tools", "ToolExecutionService"), say("Back.")],
      { permit: () => "user" },
    );
    await editor.prompt(sessionId, "rename it");
    expect(read("src/tools.js")).toContain("class Tools");
    const rule = editor.permissions[0]?.options.find(({ optionId }) => optionId === "user")?.name;
    expect(rule).toMatch(/^Always allow: \w+ on src\/tools\.js$/);
    await editor.prompt(sessionId, "and back");
    expect(editor.permissions).toHaveLength(1);
    expect(read("src/tools.js")).toBe(files["src/tools.js"]);
    const saved = readFileSync(join(home, "config/wield/settings.json"), "utf8");
    expect(saved).toContain("src/tools.js");
  });

  test("what runs by itself is told first, and allowing it is not the first choice", async () => {
    const create = call("create_file", { path: ".envrc", content: "touch x\n", description: "d" });
    const { editor, sessionId } = await scripted([create, say("Done.")], { permit: () => "reject" });
    await editor.prompt(sessionId, "make it");
    const [asked] = editor.permissions;
    const [first] = asked?.toolCall.content ?? [];
    expect(JSON.stringify(first)).toContain(
      '"text":"Careful: creates .envrc, which runs when you enter this folder\\n',
    );
    expect(asked?.options[0]?.optionId).toBe("reject");
  });

  test("a proposal can be edited where the editor shows forms", async () => {
    const { editor, sessionId, requests } = await scripted([replaceName, say("Done.")], {
      permit: ({ options }) => (options.some(({ optionId }) => optionId === "edit") ? "edit" : "reject"),
      fill: () => ({
        action: "accept",
        content: { decision: "approve", content_1: '{ "name": "boutique" }\n' },
      }),
    });
    await editor.prompt(sessionId, "rename it");
    expect(read("package.json")).toBe('{ "name": "boutique" }\n');
    expect(JSON.stringify(requests.at(-1))).toContain("The person edited this call");
    expect(editor.toolCalls().at(-1)).toMatchObject({
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
  expect(read("package.json")).toContain("shop");
  answer = (request) => (lastIsPerson(request) ? replaceName : say("Done."));
  const { configOptions } = await editor.agent.request(methods.agent.session.setConfigOption, {
    ...{ sessionId, configId: "mode", value: "edits" },
  });
  expect(configOptions).toContainEqual(expect.objectContaining({ id: "mode", currentValue: "edits" }));
  await editor.prompt(sessionId, "rename it");
  expect(read("package.json")).toContain("store");
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
  const uri = pathToFileURL(join(root, "src/main.js")).href;
  await editor.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: "text", text: "Explain " },
      { type: "resource_link", name: "main.js", uri },
      { type: "resource", resource: { uri: "file:///elsewhere/note.md", text: "a ``` fence" } },
      { type: "image", data: pixel, mimeType: "image/png" },
      { type: "image", data: pixel, mimeType: "image/tiff" },
    ],
  });
  const sent = JSON.stringify(requests[0]?.messages);
  expect(sent).toContain("Explain @src/main.js");
  expect(sent).toContain("/elsewhere/note.md");
  expect(sent).toContain("````\\na ``` fence\\n````");
  expect(requests[0]?.messages.at(-1)?.content).toContainEqual(
    expect.objectContaining({
      type: "image",
      source: { type: "base64", media_type: "image/png", data: pixel },
    }),
  );
  expect(sent).toContain("which this agent cannot read");
});

test("text that is not saved wins over the disk, and the editor gets the change", async () => {
  const path = join(root, "package.json");
  const buffers = new Map([[path, '{ "name": "shop", "private": true }\n']]);
  const { editor, sessionId, requests } = await scripted(
    [call("read_file", { path: "package.json" }), { ...replaceName }, say("Done.")],
    { buffers },
  );
  await editor.prompt(sessionId, "rename it");
  expect(JSON.stringify(requests[1]?.messages)).toContain("private");
  expect(read("package.json")).toBe('{ "name": "store", "private": true }\n');
  expect(editor.permissions[0]?.toolCall.content).toContainEqual(
    expect.objectContaining({ type: "diff", newText: '{ "name": "store", "private": true }\n' }),
  );
  expect(buffers.get(path)).toBe(read("package.json"));
});

test("MCP servers of the editor are used, with permission", async () => {
  const program = join(import.meta.dirname, "../mcp/fixtures/stdio-server.ts");
  const passed = { name: "my server", command: process.execPath, args: [program], env: [] };
  answer = () => say("Hello.");
  const { editor, sessionId, requests } = await session(plain, {}, [passed]);
  await vi.waitFor(
    async () => {
      await editor.prompt(sessionId, "hello");
      expect(JSON.stringify(requests.at(-1))).toContain("my-server__");
    },
    { timeout: 60_000 },
  );
});

describe("terminals of the editor", () => {
  const outside = (code: string, id: string) =>
    call("run_code", { language: "bash", code, outside: true, why: "needs the person's login" }, id);

  test("a command that may run outside the sandbox runs there, shown with its call", async () => {
    const { editor, sessionId, requests } = await scripted([
      outside('echo "in $PWD"; echo wrong >&2; exit 3', "call_t"),
      say("Done."),
    ]);
    await editor.prompt(sessionId, "run it");
    expect(editor.permissions).toHaveLength(1);
    expect(editor.terminals).toMatchObject([{ command: "bash", cwd: root }]);
    const [terminal] = editor.toolCalls().flatMap(({ content }) => content ?? []);
    expect(terminal).toEqual({ type: "terminal", terminalId: expect.any(String) });
    expect(editor.toolCalls().at(-1)).toMatchObject({ content: [terminal] });
    const told = JSON.stringify(requests.at(-1)?.messages.at(-1));
    expect(told).toContain(`in ${root}`);
    expect(told).toContain("wrong");
    expect(told).toMatch(/exit(?:ed)?\b.*\b3\b/i);
  });

  test("what is rejected opens none, and cancelling ends the command", async () => {
    const answers = ["reject", "allow"];
    const started = join(root, "started");
    const { editor, sessionId } = await scripted(
      [outside("echo no", "call_1"), outside(`echo $$ > ${started}; exec sleep 600`, "call_2"), say("Done.")],
      { permit: () => answers.shift() ?? "reject" },
    );
    const turn = editor.prompt(sessionId, "run it");
    await vi.waitFor(() => expect(readFileSync(started, "utf8")).toMatch(/^\d+\n$/), { timeout: 60_000 });
    const pid = Number(readFileSync(started, "utf8"));
    expect(editor.terminals).toHaveLength(1);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await turn).toBe("cancelled");
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 60_000 });
  });
});

test("cancel ends the turn, and the session goes on", async () => {
  const { editor, sessionId } = await scripted([hangs("Waiting"), say("Again.")]);
  const turn = editor.prompt(sessionId, "wait");
  await vi.waitFor(() => expect(editor.said()).toContain("Waiting"), { timeout: 60_000 });
  await editor.agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await turn).toBe("cancelled");
  expect(await editor.prompt(sessionId, "again")).toBe("end_turn");
  expect(editor.said()).toContain("Again.");
});

test("commands of the editor: undo takes a change back", async () => {
  const { editor, sessionId, requests } = await scripted([replaceName, say("Done."), say("I see.")]);
  await expect
    .poll(() => editor.updates)
    .toContainEqual(expect.objectContaining({ sessionUpdate: "available_commands_update" }));
  await editor.prompt(sessionId, "rename it");
  expect(read("package.json")).toContain("store");
  await editor.prompt(sessionId, "/undo");
  expect(read("package.json")).toBe(files["package.json"]);
  await editor.prompt(sessionId, "what now?");
  expect(JSON.stringify(requests.at(-1))).toContain("The person used undo");
});

test("what cannot be is refused with a sentence", async () => {
  const { editor, sessionId } = await offline();
  await expect(editor.prompt("a_unknown", "hello")).rejects.toThrow();
  const { request } = { request: editor.agent.request.bind(editor.agent) };
  await expect(request(methods.agent.session.new, { cwd: "relative", mcpServers: [] })).rejects.toThrow(
    /absolute/,
  );
  await expect(
    request(methods.agent.session.load, { sessionId: "a_unknown", cwd: root, mcpServers: [] }),
  ).rejects.toThrow(/no session/);
  await expect(
    request(methods.agent.session.setConfigOption, { sessionId, configId: "model", value: "no/such-model" }),
  ).rejects.toThrow(/Unknown model/);
  expect(await editor.prompt(sessionId, "Read package.json and tell me the project name")).toBe("end_turn");
});

/** Last, because it ends the process of the other tests. */
test("a session goes on after kill -9, is replayed when loaded, and can be deleted", async () => {
  answer = (request) => {
    if (JSON.stringify(request.messages).includes("go on")) return say("Finished.");
    return lastIsPerson(request) ? replaceName : hangs("");
  };
  const first = plain;
  const { sessionId } = await session(first);
  const turn = first.agent
    .request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: "text", text: "rename it" },
        { type: "image", data: pixel, mimeType: "image/png" },
      ],
    })
    .catch(() => "lost");
  await vi.waitFor(() => expect(first.toolCalls().at(-1)).toMatchObject({ status: "completed" }), {
    timeout: 60_000,
  });
  await first.kill();
  expect(await turn).toBe("lost");

  plain = await openEditor({ cwd: home, env }, {});
  const { agent, updates, prompt } = plain;
  const { sessions } = await agent.request(methods.agent.session.list, { cwd: root });
  expect(sessions).toMatchObject([{ sessionId, title: "rename it" }]);
  await agent.request(methods.agent.session.load, { sessionId, cwd: root, mcpServers: [] });
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(
    expect.arrayContaining(["user_message_chunk", "tool_call", "tool_call_update"]),
  );
  const image = { type: "image", data: pixel, mimeType: "image/png" };
  expect(updates).toContainEqual({ sessionUpdate: "user_message_chunk", content: image });
  expect(await prompt(sessionId, "go on")).toBe("end_turn");
  expect(plain.said()).toContain("Finished.");
  expect(read("package.json")).toContain("store");
  plain.begin({});
  await prompt(sessionId, "/changes");
  expect(plain.said().match(/^- `/gm)).toHaveLength(1);

  await agent.request(methods.agent.session.close, { sessionId });
  await agent.request(methods.agent.session.resume, { sessionId, cwd: root, mcpServers: [] });
  expect(updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")).toEqual([]);
  expect(await prompt(sessionId, "go on")).toBe("end_turn");

  await agent.request(methods.agent.session.delete, { sessionId });
  expect(await agent.request(methods.agent.session.list, { cwd: root })).toMatchObject({ sessions: [] });
  await expect(prompt(sessionId, "go on")).rejects.toThrow();
});

/** A picture of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("every kind of message was validated by the schema", () => {
  expect([...able.validated].sort()).toEqual(
    expect.arrayContaining([
      ...["InitializeRequest", "InitializeResponse", "NewSessionRequest", "NewSessionResponse"],
      ...["PromptRequest", "PromptResponse", "SessionNotification", "CancelNotification"],
      ...["RequestPermissionRequest", "RequestPermissionResponse"],
      ...["CreateElicitationRequest", "CreateElicitationResponse"],
      ...["ReadTextFileRequest", "ReadTextFileResponse", "WriteTextFileRequest", "WriteTextFileResponse"],
      ...["CreateTerminalRequest", "CreateTerminalResponse", "TerminalOutputResponse"],
      ...["SetSessionModeRequest", "SetSessionConfigOptionResponse", "CloseSessionResponse"],
    ]),
  );
});
