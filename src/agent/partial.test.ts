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
