import { afterEach, describe, expect, test } from "vitest";
import { scriptedModel, type TestWield, testWield } from "../testing/testing.ts";

let opened: TestWield | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

describe("compact on demand", () => {
  test("the conversation becomes a summary, with the person's words and results that stay readable", async () => {
    opened = await testWield({ "notes.md": "a fact\n".repeat(500) });
    const model = scriptedModel([
      { calls: [{ tool: "read_file", input: { path: "notes.md" } }] },
      { say: "I read it." },
      { say: "The notes hold a fact." },
      { say: "It was about notes." },
    ]);
    const agent = await opened.wield.agent({ model });
    await agent.send("Read notes.md");
    const compacted = await agent.compact();
    expect((compacted?.before ?? 0) - (compacted?.after ?? 0)).toBeGreaterThan(500);
    expect(compacted?.summary).toMatchObject({ said: ["Read notes.md"], done: "The notes hold a fact." });
    expect(compacted?.summary.readable).toContain("read_file");
    // A second process sees the same.
    const again = await opened.wield.agent({ model, session: agent.session });
    expect(again.unfinished).toBe(false);
    await again.send("What was it about?");
    const prompt = JSON.stringify(model.requests.at(-1)?.prompt);
    expect(prompt).toContain("The notes hold a fact.");
    expect(prompt).not.toContain("I read it.");
  });

  test("nothing to summarise, and a model that fails: the calls are listed instead", async () => {
    opened = await testWield({ "a.md": "text" });
    const model = scriptedModel((_, index) =>
      index === 0
        ? { calls: [{ tool: "read_file", input: { path: "a.md" } }] }
        : index === 1
          ? { say: "Read." }
          : { error: new Error("no") },
    );
    const agent = await opened.wield.agent({ model });
    expect(await agent.compact()).toBeUndefined();
    await agent.send("Read a.md");
    expect((await agent.compact())?.summary.done).toContain("call read_file");
  });
});
