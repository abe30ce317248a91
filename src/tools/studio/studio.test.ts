import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { discoveryTools } from "../../discovery/switches.ts";
import { scriptedModel, type TestWield, testWield } from "../../testing/testing.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool } from "../../tool/tool.ts";

let place: TestWield;
afterEach(() => place.close());

async function value<T>(tool: string, input: unknown, wield = place.wield): Promise<T> {
  const { result } = await wield.callAny(tool, input);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value as T;
}

function deferred(name: string, category: string, description: string, skill?: string): Tool {
  return defineTool({
    ...{
      name,
      category,
      description,
      title: name,
      loading: "deferred",
      ...(skill !== undefined && { skill }),
    },
    input: z.object({ subject: z.string().optional().describe("What it is about") }),
    output: z.object({ done: z.string() }),
    execute: async ({ subject = "" }) => ({ done: `${name} ${subject}` }),
  }) as unknown as Tool;
}

const tides = deferred("getTides", "Sea", "Height of the tide at a harbour.");
const executeCode = deferred(
  "executeCode",
  "Code Execution",
  "Run Python code in a sandbox.",
  "code-execution",
);

/** The studio with its own deferred tools, and stand-ins only for what this build does not have. */
async function openStudio(options: Parameters<typeof testWield>[1] = {}): Promise<TestWield> {
  const opened = await testWield({}, { tools: "studio" });
  const stands = opened.wield.tools.registry.get("executeCode") ? [tides] : [tides, executeCode];
  const customTools = [...stands, ...(options.customTools ?? [])];
  return { ...opened, wield: await opened.reopen({ tools: "studio", ...options, customTools }) };
}

interface Found {
  query: string;
  results: {
    name: string;
    category: string;
    parameters: string;
    usage: string;
    relatedSkill: string | null;
  }[];
  allCategories?: string[];
  message?: string;
}
const names = ({ results }: Found) => results.map(({ name }) => name);

describe("searchTools of an agent", () => {
  /** What the model reads for each query, one after the other, and the tools that it is told of after the last one. */
  async function searched(...queries: string[]) {
    place = await testWield();
    const calls = queries.map((query) => ({ calls: [{ tool: "searchTools", input: { query } }] }));
    const model = scriptedModel([...calls, { say: "done" }]);
    await (await place.wield.agent({ model })).send("go");
    const told = model.requests.at(-1)?.tools?.map(({ name }) => name) ?? [];
    const texts = model.requests.slice(1).map(({ prompt }) => JSON.stringify(prompt.at(-1)));
    return { texts, told };
  }

  test("answers with what is meant and not described yet; schemas come once, with the tools", async () => {
    const plan = "create and update a plan of steps";
    const { texts, told } = await searched(plan, plan, "unused code nobody calls");
    expect(texts[0]).toMatch(/updatePlan: .*createPlan: .*readPlan: .*described with your tools from now on/);
    expect(texts[0]).not.toMatch(/Document|create_file|optional/);
    expect(told).toContain("createPlan");
    expect(told).not.toContain("updateDocument");
    expect(texts[1]).not.toContain("updatePlan: ");
    expect(texts[2]).toMatch(/graph|references/);
  });

  test("a skill is named only to those who can read it", async () => {
    place = await testWield();
    const told = async (tools: readonly string[]) => {
      const query = "open a page in the browser";
      const model = scriptedModel([{ calls: [{ tool: "searchTools", input: { query } }] }, { say: "done" }]);
      await (await place.wield.agent({ model, tools })).send("go");
      return JSON.stringify(model.requests[1]?.prompt.at(-1));
    };
    expect(await told(["agentBrowserNavigate", "readSkill"])).toContain("with readSkill");
    const without = await told(["agentBrowserNavigate"]);
    expect(without).toContain("agentBrowserNavigate: ");
    expect(without).not.toContain("readSkill");
  });

  test("says how types and lint are checked, and what is described already", async () => {
    const { texts } = await searched("lint and type check the code", "search_code");
    expect(texts[0]).toContain("checkers run by themselves after each change");
    expect(texts[0]).not.toContain("agentBrowserInteract: ");
    expect(texts[1]).not.toContain("search_code: ");
  });
});

describe("searchTools", () => {
  beforeEach(async () => {
    place = await openStudio();
  });

  test('searchTools({ query: "browser" }) returns all 4 agent-browser tools and browseWeb', async () => {
    const found = await value<Found>("searchTools", { query: "browser" });
    expect(names(found).sort()).toEqual([
      "agentBrowserClose",
      "agentBrowserExtract",
      "agentBrowserInteract",
      "agentBrowserNavigate",
      "browseWeb",
    ]);
    expect(found.results[0]).toMatchObject({
      category: "Browser Automation",
      relatedSkill: "Load skill 'agent-browser' with readSkill for expert guidance",
    });
  });

  test('searchTools({ query: "code" }) returns executeCode', async () => {
    expect(names(await value<Found>("searchTools", { query: "code" }))).toContain("executeCode");
  });

  test('searchTools({ query: "weather" }) returns getWeather', async () => {
    const found = await value<Found>("searchTools", { query: "weather" });
    expect(names(found)[0]).toBe("getWeather");
    expect(found.results[0]?.usage).toMatch(/^getWeather\(\{.*\}\)$/);
  });

  test("a deferred tool that is called directly just works", async () => {
    expect(await value("getTides", { subject: "Oslo" })).toEqual({ done: "getTides Oslo" });
    const wrong = await place.wield.callAny("getTides", { subject: 7 });
    expect(wrong.text).toContain(`"properties":{"subject":{`);
  });

  test("nothing found: the categories and a way on", async () => {
    const found = await value<Found>("searchTools", { query: "zyxwv" });
    expect(found).toMatchObject({
      query: "zyxwv",
      results: [],
      message: "No matching tools found. Try searching by category.",
    });
    expect(found.allCategories).toEqual(expect.arrayContaining(["Browser Automation", "Utility"]));
  });

  test("finding grants nothing: the call is judged as ever", async () => {
    const asking = {
      ...deferred("wipeDisk", "Danger", "Erase everything on the disk."),
      approval: () => "ask" as const,
    };
    const wield = await place.reopen({ tools: "studio", customTools: [asking] });
    expect(names(await value<Found>("searchTools", { query: "erase the disk" }, wield))).toEqual([
      "wipeDisk",
    ]);
    expect((await wield.callAny("wipeDisk", {})).result).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
  });

  test("a search that led to a call helps the next search, also in another process", async () => {
    const wet = "can I walk over the sandbank";
    expect(names(await value<Found>("searchTools", { query: wet }))).not.toContain("getTides");
    await value("searchTools", { query: "sandbank at low tide" });
    await value("getTides", {});
    const later = await place.reopen({ tools: "studio", customTools: [tides] });
    expect(names(await value<Found>("searchTools", { query: wet }, later))[0]).toBe("getTides");
  });
});

describe("tool settings", () => {
  test("what is switched off is neither listed, found nor callable; discovery stays on", async () => {
    place = await openStudio({
      settings: { tools: { off: ["getWeather", "Browser Automation", "searchTools", "Discovery"] } },
    });
    const { wield } = place;
    const listed = wield.tools.list().map((tool) => tool.name);
    expect(listed).not.toContain("getWeather");
    expect(listed).not.toContain("agentBrowserNavigate");
    expect(listed).toEqual(expect.arrayContaining([...discoveryTools]));
    expect(Object.keys(wield.tools.forAiSdk())).not.toContain("getWeather");
    expect(wield.tools.catalogue()).not.toContain("getWeather");
    expect(names(await value<Found>("searchTools", { query: "weather" }))).not.toContain("getWeather");
    expect((await wield.call("getWeather", {})).result).toMatchObject({ error: { code: "TOOL_DISABLED" } });
    expect((await wield.call("agentBrowserClose", {})).result).toMatchObject({
      error: { code: "TOOL_DISABLED" },
    });
  });

  test("what a rule forbids is not shown either", async () => {
    const settings = { rules: [{ decision: "deny" as const, tool: "getWeather" }] };
    place = await openStudio({ settings });
    expect(place.wield.tools.list().map((tool) => tool.name)).not.toContain("getWeather");
    expect(names(await value<Found>("searchTools", { query: "weather" }))).not.toContain("getWeather");
    expect((await place.wield.call("getWeather", { city: "Oslo" })).result).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
  });

  test("an untrusted workspace may switch off, not on", async () => {
    place = await testWield({
      ".wield/settings.json": JSON.stringify({
        tools: { off: ["Planning"], on: ["Git"], favourites: ["undo"] },
      }),
    });
    const wield = await place.reopen({ settings: { tools: { off: [] } } });
    expect((await wield.call("readPlan", {})).result).toMatchObject({ error: { code: "TOOL_DISABLED" } });
  });

  test("a favourite counts as core", async () => {
    place = await testWield();
    const own = `import { defineTool } from "wield"; import { z } from "zod";
      export default defineTool({ name: "mine", title: "Mine", description: "Mine.", category: "Mine", loading: "deferred",
        input: z.object({}), output: z.object({}), execute: async () => ({}) });`;
    place.writeConfig("tools/mine.ts", own);
    expect((await place.reopen()).tools.registry.get("mine")?.loading).toBe("deferred");
    const pinned = await place.reopen({ settings: { tools: { favourites: ["mine"] } } });
    expect(pinned.tools.registry.get("mine")?.loading).toBe("core");
    expect(pinned.tools.catalogue()).not.toContain("mine");
  });
});

describe("with 500 tools", () => {
  const kinds = [
    "invoice",
    "customer",
    "shipment",
    "contract",
    "ticket",
    "campaign",
    "server",
    "report",
    "payroll",
    "survey",
  ];
  const verbs = ["create", "list", "delete", "archive", "approve"];
  const many = Array.from({ length: 480 }, (_, i) => {
    const [verb, kind] = [verbs[i % 5], kinds[Math.floor(i / 5) % 10]];
    const words = `${verb} ${kind} records of department ${i}, with filters, paging and export to other formats`;
    return deferred(`${verb}_${kind}_${i}`, `Department ${i % 40}`, words);
  });
  beforeEach(async () => {
    place = await openStudio({ customTools: many });
  });

  test("the fixed cost in the prompt is at most 1,000 tokens, an answer at most 900", async () => {
    const search = place.wield.tools.registry.get("searchTools") as Tool;
    const definition = JSON.stringify({
      description: search.description,
      schema: z.toJSONSchema(search.input),
    });
    const all = place.wield.tools
      .list()
      .map((tool) => JSON.stringify({ ...tool, schema: z.toJSONSchema(tool.input) }))
      .join();
    expect(estimateTokens(place.wield.tools.catalogue() + definition)).toBeLessThanOrEqual(1000);
    expect(estimateTokens(all)).toBeGreaterThan(20_000);
    for (const query of [
      "weather",
      "approve the payroll",
      "create invoice. delete ticket. list campaign",
      "records",
    ]) {
      const { text, result } = await place.wield.call("searchTools", { query, limit: 20 });
      expect(result.ok).toBe(true);
      expect(estimateTokens(text)).toBeLessThanOrEqual(900);
    }
  });

  test("a model finds and calls a deferred tool in three steps, its definition loaded on demand", async () => {
    const told: string[][] = [];
    const script = [
      { toolName: "searchTools", input: { query: "height of the tide" } },
      { toolName: "getTides", input: { subject: "Oslo" } },
    ];
    const usage = {
      inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: undefined, reasoning: undefined },
    };
    const model = new MockLanguageModelV4({
      doGenerate: async ({ tools = [] }) => {
        told.push(tools.map(({ name }) => name));
        const next = script.shift();
        const content = next
          ? {
              type: "tool-call" as const,
              toolCallId: next.toolName,
              toolName: next.toolName,
              input: JSON.stringify(next.input),
            }
          : { type: "text" as const, text: "It is high in Oslo." };
        const unified = next ? ("tool-calls" as const) : ("stop" as const);
        return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] };
      },
    });
    const tools = await place.wield.tools.forAiSdkOnDemand();
    const { steps, text } = await generateText({
      model,
      tools,
      prompt: "How high is the tide in Oslo?",
      stopWhen: isStepCount(5),
    });
    expect(steps).toHaveLength(3);
    expect(text).toContain("Oslo");
    expect(steps[1]?.toolResults[0]?.output).toMatchObject({
      result: { value: { done: "getTides Oslo" } },
    });
    expect(told[0]).not.toContain("getTides");
    expect(told[1]).toContain("getTides");
    expect(told[0]?.length).toBeLessThan(20);
    expect(
      Object.entries(await place.wield.tools.forAiSdkOnDemand()).find(([name]) => name === "getTides")?.[1]
        .deferLoading,
    ).toBeUndefined();
  });
});

describe("documents and plans", () => {
  beforeEach(async () => {
    place = await testWield({}, { tools: "studio" });
  });

  test("a document is created, edited, read at any version, listed and found", async () => {
    const { id } = await value<{ id: string }>("createDocument", {
      title: "Plan",
      kind: "text",
      content: "Meet on Monday.\n",
    });
    const edits = [{ oldText: "Monday", newText: "Tuesday" }];
    expect(await value("updateDocument", { id, edits, description: "new day" })).toMatchObject({
      version: 2,
    });
    expect((await place.wield.call("readDocument", { id })).text).toContain("Meet on Tuesday.");
    expect(await value("readDocument", { id, version: 1 })).toMatchObject({ content: "Meet on Monday.\n" });
    expect(await value("listDocuments", {})).toMatchObject({ total: 1, documents: [{ id, version: 2 }] });
    expect(await value("searchDocuments", { query: "tuesday meeting" })).toMatchObject({ results: [{ id }] });
    const missing = await place.wield.call("updateDocument", {
      id,
      edits: [{ oldText: "Friday", newText: "x" }],
    });
    expect(missing.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
  });

  test("more than a page of documents is listed page by page, none twice", async () => {
    for (let i = 0; i < 60; i++)
      await value("createDocument", { title: `t${i}`, kind: "sheet", content: "a,b\n" });
    const first = await value<{ documents: { id: string }[]; nextCursor?: string }>("listDocuments", {});
    const second = await value<{ documents: { id: string }[]; nextCursor?: string }>("listDocuments", {
      cursor: first.nextCursor,
    });
    expect(new Set([...first.documents, ...second.documents].map(({ id }) => id)).size).toBe(60);
    expect(second.nextCursor).toBeUndefined();
    expect((await place.wield.call("listDocuments", {})).text).toContain("50 of 60 shown");
  });

  test("suggestions need a model; with one they are kept for the person", async () => {
    const { id } = await value<{ id: string }>("createDocument", {
      title: "t",
      kind: "text",
      content: "teh end",
    });
    const none = await place.reopen({ tools: "studio", settings: { model: "offline" } });
    expect((await none.call("requestSuggestions", { id })).result).toMatchObject({
      error: { code: "UNAVAILABLE" },
    });
    const wield = await place.reopen({
      tools: "studio",
      suggest: async ({ content }) => [
        { original: content.slice(0, 3), suggested: "the", reason: "spelling" },
        { original: "not in it", suggested: "x", reason: "made up" },
      ],
    });
    expect(await value("requestSuggestions", { id }, wield)).toMatchObject({
      suggestions: [{ original: "teh", suggested: "the", reason: "spelling" }],
      dropped: 1,
    });
    const documents = wield.store.documents(wield.workspace.root);
    const [suggestion] = await documents.suggestions(id);
    await documents.resolveSuggestion(suggestion?.id ?? "", "applied");
    expect(await value("readDocument", { id })).toMatchObject({ content: "the end", version: 2 });
  });

  test("a document from a file; text is appended; a sheet says how large it is", async () => {
    place.write("data/sales.csv", 'city,"a, b"\nOslo,1\n"Ber\ngen",2\n');
    const made = await place.wield.call("createDocument", {
      title: "Sales",
      kind: "sheet",
      file: "data/sales.csv",
    });
    expect(made.text).toMatch(/^Created document d_\w+: Sales \(3 rows × 2 columns\)$/);
    const id = made.result.ok ? made.result.value.id : "";
    const longer = await place.wield.call("updateDocument", { id, append: "Rome,3\n" });
    expect(longer.text).toContain("version 2 (4 rows × 2 columns)");
    const { wield } = place;
    for (const wrong of [{ file: "none.csv" }, { file: "a", content: "b" }, {}])
      expect((await wield.call("createDocument", { title: "x", kind: "text", ...wrong })).result.ok).toBe(
        false,
      );
    // What code made in the same conversation is found by its name.
    const record = { session: "s_1", tool: "executeCode", id: "c_made" };
    const [known] = await wield.store.calls({ limit: 1 });
    if (!known) throw new Error("no call");
    const bytes = Buffer.from("a,b\n1,2\n");
    await wield.store.finishCall({ ...known, ...record }, "made", [
      { name: "t.csv", mediaType: "text/csv", bytes },
    ]);
    const input = { title: "T", kind: "sheet" as const, file: "t.csv" };
    expect((await wield.call("createDocument", input, { session: "s_1" })).text).toContain(
      "2 rows × 2 columns",
    );
    expect((await wield.call("createDocument", input, { session: "s_2" })).text).toContain("FILE_NOT_FOUND");
  });

  test("a plan is a live checklist", async () => {
    const seen: string[] = [];
    place.wield.on((event) => {
      if (event.type === "call-progress") seen.push(`${event.done}/${event.total} ${event.message}`);
    });
    const created = await place.wield.call("createPlan", { title: "Fix it", steps: ["Look", "Act"] });
    expect(created.text).toContain('updatePlan({"steps":{"1":"done","2":"in_progress"}})');
    await value("updatePlan", { stepId: "1", status: "done", note: "found" });
    await value("updatePlan", { add: { text: "Test" }, stepId: "2", status: "in_progress" });
    const { text } = await place.wield.call("readPlan", {});
    expect(text).toBe("Fix it: 1 of 3 done\n[x] 1. Look (found)\n[~] 2. Act\n[ ] 3. Test");
    expect(seen).toEqual(["0/2 Fix it: Look", "1/2 Fix it: Act", "1/3 Fix it: Act"]);
    const another = { session: "a_another" };
    expect((await place.wield.call("readPlan", {}, another)).text).toMatch(
      /\[ \] 3\. Test\nThis plan is of another conversation and was last changed on \d{4}-/,
    );
    await place.wield.call("updatePlan", { stepId: "1", note: "found" }, another);
    expect((await place.wield.call("readPlan", {}, another)).text).toBe(text);
    const several = await place.wield.call("updatePlan", { steps: { "2": "done", "3": "in_progress" } });
    expect(several.text).toBe("Fix it: 2 of 3 done\n[x] 2. Act\n[~] 3. Test");
    const noted = await place.wield.call("updatePlan", {
      ...{ steps: { "2": "failed", "3": "done" }, stepId: "3", note: "all pass" },
    });
    expect(noted.text).toBe("Fix it: 2 of 3 done\n[!] 2. Act\n[x] 3. Test (all pass)");
    const noteOnly = await place.wield.call("updatePlan", { stepId: "2", note: "no key" });
    expect(noteOnly.text).toContain("[!] 2. Act (no key)");
    for (const lacking of [{ status: "done" as const }, { note: "x" }, { stepId: "2" }])
      expect((await place.wield.call("updatePlan", lacking)).text).toMatch(/stepId/);
    expect((await place.wield.call("updatePlan", {})).result).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
  });
});

describe("skills", () => {
  const skill = (name: string, description: string, body = "Body.") =>
    `---\nname: ${name}\ndescription: ${description}\n---\n# Title\n\n${body}\n`;
  beforeEach(async () => {
    place = await testWield({
      ".wield/skills/deploy/SKILL.md": skill("deploy", "Deploy our service to production."),
    });
  });

  test("at least five are built in, each with enough to read and tools that exist", async () => {
    const all = await place.wield.tools.skills.list();
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "agent-browser",
        "web-reading",
        "code-execution",
        "explore-codebase",
        "safe-refactoring",
      ]),
    );
    for (const { name } of all) {
      const { text } = await place.wield.call("readSkill", { name });
      expect(text.split(/\s+/).length).toBeGreaterThan(300);
    }
    expect(await place.wield.tools.skills.problems()).toEqual([]);
  });

  test.each([
    ["fill in a web form and click buttons", "agent-browser"],
    ["rename a function safely", "safe-refactoring"],
    ["draw a chart from a CSV file", "code-execution"],
    ["understand an unfamiliar codebase", "explore-codebase"],
    ["cite sources and compare web pages", "web-reading"],
    ["add my own tool", "writing-tools"],
  ])("searchSkills finds %s", async (query, expected) => {
    const found = await value<{ results: { name: string }[] }>("searchSkills", { query });
    expect(found.results[0]?.name).toBe(expected);
  });

  test("those of the user win over built-in ones; those of a workspace count once it is trusted", async () => {
    place.writeConfig(
      "skills/agent-browser/SKILL.md",
      skill("agent-browser", "My own way.", "See extra.md."),
    );
    place.writeConfig("skills/agent-browser/extra.md", "the extra part");
    const read = (input: unknown) =>
      value<{ content: string; source: string; files: string[] }>("readSkill", input);
    expect(await read({ name: "agent-browser" })).toMatchObject({ source: "user", files: ["extra.md"] });
    expect((await read({ name: "agent-browser", file: "extra.md" })).content).toBe("the extra part");
    expect(
      (await place.wield.call("readSkill", { name: "agent-browser", file: "../../settings.json" })).result.ok,
    ).toBe(false);
    expect((await place.wield.call("readSkill", { name: "deploy" })).result).toMatchObject({
      error: { code: "FILE_NOT_FOUND" },
    });

    await place.trust();
    const trusted = await place.reopen();
    expect(await value("readSkill", { name: "deploy" }, trusted)).toMatchObject({ source: "workspace" });
  });

  test("a folder that is no skill is told with the reason", async () => {
    for (const [name, text] of [
      ["none", "no front matter"],
      ["bad", "---\nname: Bad Name\ndescription: x\n---\n"],
    ] as const)
      place.writeConfig(`skills/${name}/SKILL.md`, text);
    const problems = await place.wield.tools.skills.problems();
    expect(problems).toHaveLength(2);
    expect(problems.join()).toMatch(/bad\/SKILL\.md.*lower-case.*none\/SKILL\.md.*front matter/s);
  });

  test("the skills that tools name exist", async () => {
    const known = new Set((await place.wield.tools.skills.list()).map(({ name }) => name));
    for (const { name, skill: named } of place.wield.tools.registry.list())
      if (named !== undefined) expect([name, known.has(named)]).toEqual([name, true]);
  });
});
