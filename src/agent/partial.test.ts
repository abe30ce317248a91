import { expect, test } from "vitest";
import { scriptedModel, testWield } from "../testing/testing.ts";
import { sessionAsMarkdown } from "./export.ts";
import type { LogData } from "./log.ts";

test("what was said before the answer was stopped is kept for people, and the model is asked anew", async () => {
  const place = await testWield();
  try {
    const { wield } = place;
    const model = scriptedModel([{ say: "a whole answer" }]);
    const whole = model.doStream.bind(model);
    let isFirst = true;
    model.doStream = async (options) => {
      if (!isFirst) return whole(options);
      isFirst = false;
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          controller.enqueue({ type: "text-start", id: "1" });
          controller.enqueue({ type: "text-delta", id: "1", delta: "the first half of" });
        },
      });
      return { stream } as Awaited<ReturnType<typeof whole>>;
    };
    const stop = new AbortController();
    wield.on((event) => {
      if (event.type === "text-delta") stop.abort();
    });
    const agent = await wield.agent({ model });
    expect((await agent.send("Go on", stop.signal)).stop).toBe("aborted");
    const entries = await wield.store.entries(agent.session);
    expect(entries.map(({ data }) => (data as LogData).kind)).toEqual(["user", "partial", "end"]);
    const record = await wield.store.session(agent.session);
    expect(record && sessionAsMarkdown(record, entries)).toContain("the first half of");
    const again = await wield.agent({ model, session: agent.session });
    expect((await again.send("And now?")).text).toBe("a whole answer");
    expect(JSON.stringify(model.requests[0]?.prompt)).not.toContain("the first half");
  } finally {
    await place.close();
  }
});

test("a long result is cut where that is wanted, and the rest is named", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const session = { id: "a_1", workspace: "/w", agent: "research", title: "t", at, updated: at, steps: 1 };
  const text = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join("\n");
  const read = { id: "c_1", tool: "web_fetch", input: {}, ok: true, text, digest: "" };
  const entries = [{ seq: 0, at, data: { kind: "results", results: [read] } }];
  const told = sessionAsMarkdown(session as never, entries, 30);
  expect(told).toContain("line 30\n… 20 more lines: wield sessions a_1 has all of it\n```");
  expect(sessionAsMarkdown(session as never, entries)).toContain("line 50\n```");
});
