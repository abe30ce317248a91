import { describe, expect, test } from "vitest";
import type { SessionView } from "../api/sessions.ts";
import { type ScriptedReply, scriptedModel } from "../testing/scripted-model.ts";
import { testServer } from "./server.suite.ts";

const earlier = "ideas/2026-01-01-roofs/research.md";
const notes = ["one", "two", "three", "four"].map((name) => `ideas/notes/${name}.md`);
const files = {
  [earlier]: "# Earlier roofs\n\nSee https://prices.invalid-site.com/page for prices.\n",
  ...Object.fromEntries(notes.map((path) => [path, `# Notes in ${path}\n`])),
};
const call = (tool: string, input: object): ScriptedReply => ({ calls: [{ tool, input }] });
const read = (path: string) => call("read_file", { path });
const questions = ["What do they cost?", "Who buys them?"];
const report = "# Solar roofs\n\nThey were looked into before [1], and there are notes [2].";

/** A plan, eight steps of reading, the plan brought up to date, and the report. */
const course: ScriptedReply[] = [
  call("createPlan", { title: "Solar roofs", steps: questions }),
  read(earlier),
  ...notes.map(read),
  // It was in a result, so it is read without a question; nobody has to answer one here.
  call("browseWeb", { url: "https://prices.invalid-site.com/page" }),
  call("updatePlan", { steps: { "1": "done", "2": "done" } }),
  { say: report },
];
const begun = { text: "Solar roofs for sheds", profile: "research" };
const lastOf = ({ messages }: SessionView) => messages.at(-1);

describe("a research on the page", { timeout: 60_000 }, () => {
  test("goes on by itself beyond five steps: plan, pages within the budget, report with sources", async () => {
    const model = scriptedModel(course);
    const server = await testServer(files, { model });
    const { session } = await server.api<{ session: string }>("/sessions", begun);
    const view = await server.ended(session);
    expect(model.requests).toHaveLength(course.length);
    expect(course.length).toBeGreaterThan(5);
    const shown = JSON.stringify(lastOf(view));
    for (const question of questions) expect(shown).toContain(question);
    expect(shown).toContain("They were looked into before [1]");
    expect(lastOf(view)?.metadata).toMatchObject({
      stop: "done",
      sources: [
        { number: 1, url: earlier, title: "Earlier roofs" },
        { number: 2, url: notes[0] },
      ],
    });
    expect(shown).not.toContain("APPROVAL");
  });

  test("is stopped, and continues where it was", async () => {
    const inMidst = Promise.withResolvers<void>();
    const model = scriptedModel(async (_request, index) => {
      if (index === 3) {
        inMidst.resolve();
        await new Promise(() => {});
      }
      // What was stopped is asked again.
      return course[index < 3 ? index : index - 1] ?? { say: "too many" };
    });
    const server = await testServer(files, { model });
    const { session } = await server.api<{ session: string }>("/sessions", begun);
    await inMidst.promise;
    await server.api(`/sessions/${session}/stop`, {});
    const stopped = await server.ended(session);
    expect(lastOf(stopped)?.metadata).toMatchObject({ stop: "aborted" });
    await server.api(`/sessions/${session}/resume`, {});
    const view = await server.ended(session);
    expect(lastOf(view)?.metadata).toMatchObject({ stop: "done", sources: [{ number: 1 }, { number: 2 }] });
    expect(model.requests).toHaveLength(course.length + 1);
  });

  test("a page that was in no result is asked about on the page", async () => {
    const model = scriptedModel([
      call("browseWeb", { url: "https://made-up.invalid-site.com/?q=secret" }),
      { say: "# Report" },
    ]);
    const server = await testServer(files, { model });
    const { session } = await server.api<{ session: string }>("/sessions", begun);
    const ask = await server.asked();
    expect(ask.tool).toBe("browseWeb");
    await server.api(`/approvals/${ask.id}`, { approved: false });
    await server.ended(session);
    expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain("APPROVAL_DENIED");
  });
});
