import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Connected, connect, type Person, type Way, ways } from "./clients.suite.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const files = { "a.txt": "one\ntwo\n", "src/b c.ts": "export {};\n", "dot.png": png };
const approve: Person = () => ({ action: "accept", content: { decision: "approve" } });

describe.each(ways)("a $era client over $transport", (way: Way) => {
  let open: Connected;
  let person: Person;
  beforeAll(async () => {
    open = await connect(way, files, (form) => person(form));
  });
  beforeEach(() => {
    person = approve;
    open.place.write("a.txt", files["a.txt"]);
  });
  afterAll(() => open.close());
  const overwrite = { name: "write_file", arguments: { path: "a.txt", content: "new\n" } };

  test("lists tools with schemas and annotations, and gets structured results", async () => {
    const { client } = open;
    const { tools } = await client.listTools();
    const read = tools.find(({ name }) => name === "read_file");
    expect(read).toMatchObject({
      title: "Read file",
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: { type: "object", required: ["path"] },
      outputSchema: { type: "object" },
    });
    const objects = tools.filter(({ outputSchema }) => outputSchema?.["type"] === "object");
    const others = tools.filter((tool) => !objects.includes(tool)).map(({ name }) => name);
    expect(others).toEqual(way.era === "modern" ? ["word"] : []);
    expect(tools.find(({ name }) => name === "delete_file")?.annotations).toMatchObject({
      destructiveHint: true,
    });
    // The client checks the structured content against the schema that was listed.
    const result = await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
    expect(result).toMatchObject({
      content: [{ type: "text", text: "1\tone\n2\ttwo" }],
      structuredContent: { content: "one\ntwo\n", totalLines: 2 },
    });
    const { structuredContent: word } = await client.callTool({ name: "word", arguments: {} });
    expect(word).toEqual(way.era === "modern" ? "word" : { result: "word" });
    const image = await client.callTool({
      name: "read_file",
      arguments: { path: "dot.png", encoding: "base64" },
    });
    expect(image.content).toContainEqual({
      type: "image",
      mimeType: "image/png",
      data: png.toString("base64"),
    });
  });

  // Requests of the current HTTP transport come on connections of their own: only their client knows an order.
  describe.skipIf(way.era === "modern" && way.transport === "http")("requests that are sent at once", () => {
    const textOf = ({ content }: { content: unknown }) => JSON.stringify(content);
    const read = { name: "read_file", arguments: { path: "a.txt" } };

    test("a file that is read after its edit is read as edited", async () => {
      const { client } = open;
      const results = await Promise.all([read, overwrite, read].map((call) => client.callTool(call)));
      expect(textOf(results[0] ?? { content: "" })).toContain("one");
      expect(textOf(results[2] ?? { content: "" })).toContain("1\\tnew");
    });

    test("what runs after an edit runs on the edited files", async () => {
      const { client } = open;
      const look = { name: "look_at", arguments: { path: "a.txt" } };
      const results = await Promise.all([overwrite, look].map((call) => client.callTool(call)));
      expect(textOf(results[1] ?? { content: "" })).toContain("new");
    });

    test("a denied edit stops what was to follow it, and nothing else", async () => {
      const { client } = open;
      person = () => ({ action: "accept", content: { decision: "deny" } });
      const other = { name: "read_file", arguments: { path: "src/b c.ts" } };
      const [denied, after, elsewhere] = await Promise.all(
        [overwrite, read, other].map((call) => client.callTool(call)),
      );
      expect(textOf(denied ?? { content: "" })).toContain("APPROVAL_DENIED");
      expect(textOf(after ?? { content: "" })).toContain(
        "it was to follow write_file, which failed or was denied",
      );
      expect(elsewhere?.isError).toBeFalsy();
    });

    test("a run that is under way holds nothing up", async () => {
      const { client } = open;
      const stop = new AbortController();
      const running = client.callTool({ name: "wait", arguments: {} }, { signal: stop.signal });
      const failed = expect(running).rejects.toThrow();
      expect(textOf(await client.callTool(read))).toContain("one");
      await client.callTool(overwrite);
      stop.abort();
      await failed;
    });
  });

  describe("ask_person", () => {
    const questions = [
      { question: "Which database?", options: ["SQLite", "Postgres"] },
      { question: "What is the table called?" },
    ];
    const call = { name: "ask_person", arguments: { questions } };

    test("is a form with the questions and their options; the answers come back", async () => {
      const shown: unknown[] = [];
      person = (form) => {
        shown.push(form);
        return { action: "accept", content: { answer1: "Postgres", answer2: "orders" } };
      };
      const { tools } = await open.client.listTools();
      expect(tools.map(({ name }) => name)).toContain("ask_person");
      const { content, isError } = await open.client.callTool(call);
      expect(isError).toBeFalsy();
      expect(content).toEqual([
        { type: "text", text: "Which database?\n→ Postgres\nWhat is the table called?\n→ orders" },
      ]);
      expect(shown).toMatchObject([
        {
          message: "Which database?\nWhat is the table called?",
          requestedSchema: {
            properties: {
              answer1: { type: "string", description: "Which database?", enum: ["SQLite", "Postgres"] },
              answer2: { type: "string", description: "What is the table called?" },
            },
            required: ["answer1", "answer2"],
          },
        },
      ]);
      if (way.transport === "http")
        expect(await open.place.wield.store.calls({ tool: "ask_person" })).toHaveLength(1);
    });

    test.each(["decline", "cancel"] as const)("%s is told to the model", async (action) => {
      person = () => ({ action });
      expect((await open.client.callTool(call)).content).toMatchObject([
        { text: expect.stringContaining("The person did not answer.") },
      ]);
    });

    test("wrong questions are an error, and nobody is asked", async () => {
      person = () => {
        throw new Error("nobody should be asked");
      };
      const result = await open.client.callTool({ name: "ask_person", arguments: { questions: [] } });
      expect(result.isError).toBe(true);
    });
  });

  test.each(["claude-code", "codex-mcp-client"])(
    "%s, which would read the value to its model, gets the text alone",
    async (name) => {
      const reader = await connect(way, files, undefined, name);
      try {
        const { tools } = await reader.client.listTools();
        expect(tools.filter((tool) => tool.outputSchema)).toEqual([]);
        const result = await reader.client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
        expect(result.content).toEqual([{ type: "text", text: "1\tone\n2\ttwo" }]);
        expect(result.structuredContent).toBeUndefined();
      } finally {
        await reader.close();
      }
    },
  );

  test("a failure is a result that the model can read; an unknown tool is an error of the protocol", async () => {
    const { client } = open;
    const missing = await client.callTool({ name: "read_file", arguments: { path: "none.txt" } });
    expect(missing).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^FILE_NOT_FOUND: /) }],
    });
    await expect(client.callTool({ name: "read_fil", arguments: {} })).rejects.toThrow("read_file");
  });

  test("asks with a form, and does what was approved", async () => {
    const asked: unknown[] = [];
    const { client, place } = open;
    person = (form) => {
      asked.push(form);
      return { action: "accept", content: { decision: "approve", content_1: "new\n" } };
    };
    const result = await client.callTool(overwrite);
    expect(result.isError).toBeFalsy();
    expect(place.read("a.txt")).toBe("new\n");
    expect(asked).toEqual([
      expect.objectContaining({
        message: expect.stringContaining("-one\n-two\n+new"),
        requestedSchema: expect.objectContaining({
          properties: expect.objectContaining({
            content_1: expect.objectContaining({ title: "a.txt", default: "new\n" }),
          }),
        }),
      }),
    ]);
    expect(await place.wield.approvals.pending()).toEqual([]);
  });

  test("applies what the person made of it, and tells the model", async () => {
    const { client, place } = open;
    person = () => ({ action: "accept", content: { content_1: "mine\n" } });
    const result = await client.callTool(overwrite);
    expect(place.read("a.txt")).toBe("mine\n");
    expect(result.content).toEqual([
      expect.objectContaining({ text: expect.stringContaining("The person edited this call") }),
    ]);
  });

  test.each([
    ["declined", { action: "decline" }, "User rejected changes"],
    ["closed", { action: "cancel" }, "closed without an answer"],
    ["denied", { action: "accept", content: { decision: "deny", reason: "keep it" } }, "keep it"],
    ["answered with nonsense", { action: "accept", content: { decision: "yes!" } }, "User rejected changes"],
  ] as const)("changes nothing when the form is %s", async (_how, answer, said) => {
    const { client, place } = open;
    person = () => ({ ...answer });
    const result = await client.callTool(overwrite);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^APPROVAL_DENIED: /) }],
    });
    expect(JSON.stringify(result)).toContain(said);
    expect(place.read("a.txt")).toBe("one\ntwo\n");
  });

  test("is told how to allow a call when it cannot show forms", async () => {
    const { client, place, close } = await connect(way, files);
    try {
      const result = await client.callTool(overwrite);
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^APPROVAL_REQUIRED: .*"decision":"allow".*settings/) }],
      });
      expect(place.read("a.txt")).toBe(files["a.txt"]);
      const questions = [{ question: "Which one?" }];
      const asked = await client.callTool({ name: "ask_person", arguments: { questions } });
      expect(JSON.stringify(asked.content)).toContain("Nobody is there to answer.");
      const review = client.getPrompt({ name: "review_change", arguments: {} });
      await expect(review).rejects.toThrow("No tool has changed");
    } finally {
      await close();
    }
  });

  test("asks again when the file changed while the person looked", async () => {
    let asked = 0;
    const { client, place } = open;
    person = () => {
      if (asked++ === 0) place.write("a.txt", "other\n");
      return { action: "accept", content: { decision: "approve" } };
    };
    await client.callTool(overwrite);
    expect(asked).toBe(2);
    expect(place.read("a.txt")).toBe("new\n");
  });

  test("hears progress of a call that runs, and cancels it", async () => {
    const { client, place } = open;
    const cancelled = new AbortController();
    const heard: unknown[] = [];
    const onprogress = (progress: unknown) => {
      heard.push(progress);
      cancelled.abort();
    };
    const call = client.callTool({ name: "wait", arguments: {} }, { signal: cancelled.signal, onprogress });
    await expect(call).rejects.toThrow();
    expect(heard).toEqual([{ progress: 1, total: 3, message: "waiting" }]);
    await expect
      .poll(async () => (await place.wield.store.calls({ tool: "wait" }))[0]?.errorCode)
      .toBe("ABORTED");
  });

  test("learns of new tools", async () => {
    const { client, toolsChanged } = open;
    await client.callTool({ name: "grow", arguments: { name: "later" } });
    await toolsChanged;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("later");
  });

  test("reads files and results as resources, under the same rules as the tool", async () => {
    const { client, place } = open;
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(["wield://files/a.txt", "wield://files/dot.png", "wield://files/src/b%20c.ts"]),
    );
    const [text, image] = await Promise.all([
      client.readResource({ uri: "wield://files/src/b%20c.ts" }),
      client.readResource({ uri: "wield://files/dot.png" }),
    ]);
    expect(text.contents).toMatchObject([{ mimeType: "text/plain", text: "export {};\n" }]);
    expect(image.contents).toMatchObject([{ mimeType: "image/png", blob: png.toString("base64") }]);
    const { id } = (await place.wield.store.calls({ tool: "read_file" }))[0] ?? { id: "" };
    const result = await client.readResource({ uri: `wield://results/${id}` });
    expect(result.contents).toMatchObject([{ mimeType: "text/plain" }]);
    for (const uri of [
      "wield://files/../secret",
      "wield://files/none",
      "wield://files/%2Fetc%2Fpasswd",
      "wield://files/%zz",
      "file:///etc/passwd",
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toThrow();
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "wield://files/{+path}",
      "wield://results/{id}",
    ]);
  });

  test("offers prompts, and completes what can be listed", async () => {
    const { client, place } = open;
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      "explore",
      "review_change",
    ]);
    const explore = await client.getPrompt({
      name: "explore",
      arguments: { question: "Where is b?", mode: "quick" },
    });
    expect(JSON.stringify(explore)).toMatch(/Where is b\?.*read_file.*15 calls/);
    await expect(client.getPrompt({ name: "explore", arguments: {} })).rejects.toThrow("question");
    await client.callTool(overwrite);
    const [change] = await place.wield.changes.list({ limit: 1 });
    const review = await client.getPrompt({ name: "review_change", arguments: {} });
    expect(JSON.stringify(review)).toContain("-one\\n-two\\n+new");
    const complete = (ref: Parameters<typeof client.complete>[0]["ref"], name: string, value: string) =>
      client.complete({ ref, argument: { name, value } });
    const prompt = { type: "ref/prompt", name: "review_change" } as const;
    expect((await complete(prompt, "change", "")).completion.values).toContain(change?.id);
    const template = { type: "ref/resource", uri: "wield://files/{+path}" } as const;
    expect((await complete(template, "path", "src/")).completion.values).toEqual(["src/b c.ts"]);
  });
});
