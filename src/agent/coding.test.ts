import { afterEach, describe, expect, test } from "vitest";
import type { WieldEvent } from "../events/events.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { no, scriptedPerson, type TestWield, testWield, yes } from "../testing/testing.ts";

const project = {
  "package.json": '{\n  "name": "shop",\n  "version": "1.4.0"\n}\n',
  "src/main.js":
    'import { ToolExecutionService } from "./services/ToolExecutionService.js";\n\nexport function start() {\n  return new ToolExecutionService(); // TODO: close it\n}\n',
  "src/services/ToolExecutionService.js":
    'import { DatabaseService } from "./DatabaseService.js";\n\n// TODO: retry\nexport class ToolExecutionService extends DatabaseService {}\n',
  "src/services/DatabaseService.js": "export class DatabaseService {}\n",
};

type WieldOptions = Parameters<TestWield["reopen"]>[0];
type AgentOptions = Parameters<TestWield["wield"]["agent"]>[0];

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
  place = undefined;
});

async function agentOn(
  files: Record<string, string>,
  wieldOptions: WieldOptions,
  agentOptions: AgentOptions = { model: "offline" },
) {
  place = await testWield(files, wieldOptions);
  const events: WieldEvent[] = [];
  place.wield.on((event) => events.push(event));
  const agent = await place.wield.agent(agentOptions);
  const calls = () => events.flatMap((event) => (event.type === "call-start" ? [event.tool] : []));
  return { agent, events, calls, place };
}

describe("the five questions, answered by the offline model with real calls", () => {
  test("basic file reading", async () => {
    const { agent, calls } = await agentOn(project, {});
    const result = await agent.send("Read package.json and tell me the project name");
    expect(result).toMatchObject({ stop: "done", text: expect.stringContaining("shop") });
    expect(calls()).toEqual(["read_file"]);
  });

  test("symbol lookup", async () => {
    const { agent, calls } = await agentOn(project, {});
    const { text } = await agent.send("Find where DatabaseService is defined");
    expect(calls()).toEqual(["definition"]);
    expect(text).toMatch(/src\/services\/DatabaseService\.js:1/);
    expect(text).toContain("class DatabaseService");
  });

  test("file edit with approval", async () => {
    const person = scriptedPerson(yes);
    const { agent, calls, place } = await agentOn(project, { asker: person.asker });
    const { text } = await agent.send("Add a comment to the top of main.js explaining what it does");
    expect(calls().at(-1)).toMatch(/^(?:edit_file|replace_in_file)$/);
    expect(person.asked[0]?.[0]?.preview?.files[0]?.diff).toMatch(/^\+\/\/ main\.js/m);
    expect(place.read("src/main.js")).toMatch(/^\/\/ main\.js: .*start.*\nimport/);
    expect(text).toMatch(/^Done/);
  });

  test("multi-file search", async () => {
    const { agent, calls } = await agentOn(project, {});
    const { text } = await agent.send("Find all TODO comments in the project");
    expect(calls()).toEqual(["search_files"]);
    expect(text).toContain("src/main.js:4");
    expect(text).toContain("src/services/ToolExecutionService.js:3");
  });

  test("impact analysis", async () => {
    const { agent, calls } = await agentOn(project, {});
    const { text } = await agent.send("What files use ToolExecutionService?");
    expect(calls()).toEqual(["references"]);
    expect(text).toContain("src/main.js");
    expect(text).not.toContain("DatabaseService.js:");
  });
});

test("a rejection is told to the model in its words, and nothing is changed", async () => {
  const person = scriptedPerson({ ...no, reason: "leave the file alone" });
  const { agent, events, place } = await agentOn(project, { asker: person.asker });
  const { stop, text } = await agent.send("Add a comment to the top of src/main.js explaining what it does");
  expect(stop).toBe("done");
  expect(text).toContain("User rejected changes: leave the file alone");
  expect(place.read("src/main.js")).toBe(project["src/main.js"]);
  expect(events).toContainEqual(expect.objectContaining({ type: "call-result", ok: false }));
});

test("what a person made of an edit is what is written, and the model is told", async () => {
  const person = scriptedPerson((ask) => ({
    approved: true,
    modifiedArgs: { ...ask.args, content: "theirs\n" },
  }));
  const model = scriptedModel([
    { calls: [{ tool: "create_file", input: { path: "new.txt", content: "mine\n", description: "add" } }] },
    { say: "ok" },
  ]);
  const { agent, place } = await agentOn({}, { asker: person.asker }, { model });
  await agent.send("create it");
  expect(place.read("new.txt")).toBe("theirs\n");
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain(
    "The person edited this call before approving it",
  );
});

test("malformed input and unknown tools come back as results the model can act on", async () => {
  const model = scriptedModel([
    {
      calls: [
        { tool: "read_file", input: '{"path": "package.json"' },
        { tool: "raed_file", input: { path: "package.json" } },
        { tool: "read_file", input: { path: 7 } },
        { tool: "read_file", input: { path: "package.json", startLine: "2", numLines: 1 } },
      ],
    },
    { say: "done" },
  ]);
  const { agent } = await agentOn(project, {}, { model });
  const { stop } = await agent.send("go");
  expect(stop).toBe("done");
  const results = resultsIn(model.requests[1]?.prompt ?? []);
  expect(results.map(({ type }) => type)).toEqual(["error-text", "error-text", "error-text", "text"]);
  expect(results[0]?.value).toMatch(/^INVALID_INPUT/);
  expect(results[1]?.value).toMatch(/^UNKNOWN_TOOL.*read_file/s);
  expect(results[2]?.value).toMatch(/^INVALID_INPUT.*path/s);
  expect(results[3]?.value).toMatch(/"name": "shop"/);
});

test("calls of one step run side by side, asks are gathered, results come in order", async () => {
  const person = scriptedPerson(yes, no);
  const model = scriptedModel([
    {
      calls: [
        { tool: "create_file", input: { path: "a.txt", content: "a", description: "a" } },
        { tool: "read_file", input: { path: "package.json" } },
        { tool: "create_file", input: { path: "b.txt", content: "b", description: "b" } },
      ],
    },
    { say: "done" },
  ]);
  const { agent, place } = await agentOn(project, { asker: person.asker }, { model });
  await agent.send("go");
  expect(person.asked.map((asks) => asks.map(({ args }) => args["path"]))).toEqual([["a.txt", "b.txt"]]);
  expect(place.read("a.txt")).toBe("a");
  expect(() => place.read("b.txt")).toThrow();
  const results = resultsIn(model.requests[1]?.prompt ?? []);
  expect(results.map(({ type }) => type)).toEqual(["text", "text", "error-text"]);
  expect(results[2]?.value).toBe("APPROVAL_DENIED: User rejected changes");
});

test("instructions are the system parameter and name only tools that are there", async () => {
  const model = scriptedModel([{ say: "hello" }]);
  const { agent, place } = await agentOn(project, {}, { model });
  await agent.send("hi");
  const [system, ...rest] = model.requests[0]?.prompt ?? [];
  expect(system?.role).toBe("system");
  expect(rest.map(({ role }) => role)).toEqual(["user"]);
  const told = new Set(model.requests[0]?.tools?.map(({ name }) => name));
  expect(told).toContain("replace_in_file");
  const known = new Set([...place.wield.tools.registry.list().map(({ name }) => name), "git_status"]);
  const named = [...String(system?.content).matchAll(/\b[a-z]+_[a-z_]+\b/g)].map(([name]) => name);
  expect(named.filter((name) => !known.has(name) && /^(git|find|read|edit)_/.test(name))).toEqual([]);
  expect(named).toContain("edit_file");
});

function resultsIn(prompt: readonly { role: string; content: unknown }[]): { type: string; value: string }[] {
  const tool = prompt.findLast(({ role }) => role === "tool");
  const parts = (tool?.content ?? []) as { output: { type: string; value: string } }[];
  return parts.map(({ output }) => output);
}
