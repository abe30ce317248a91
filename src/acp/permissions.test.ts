import { expect, test } from "vitest";
import { editorElicit } from "./permissions.ts";

test("what a server writes into a question is seen as it is; names and values of the answer stay", async () => {
  const sent: { message: string; requestedSchema: unknown }[] = [];
  const client = {
    request: async (_method: unknown, params: (typeof sent)[number]) => {
      sent.push(params);
      return { action: "decline" };
    },
  } as unknown as Parameters<typeof editorElicit>[0]["client"];
  const properties = {
    "a\u202e": { type: "string", title: "na\u202eme", description: "x\u001b[2J", default: "d\u2066" },
    one: { type: "string", oneOf: [{ const: "v\u202e", title: "t\u202e" }] },
  };
  const message = "ok\u001b[2J\nAllow \u2066run_code\u202e?";
  const question = { server: "files", message, schema: { type: "object", properties } };
  await editorElicit({ client, session: "s" })(question, new AbortController().signal);
  expect(sent[0]?.message).toBe("files asks: ok\\u{1b}[2J\nAllow \\u{2066}run_code\\u{202e}?");
  expect(sent[0]?.requestedSchema).toEqual({
    type: "object",
    properties: {
      "a\u202e": { type: "string", title: "na\\u{202e}me", description: "x\\u{1b}[2J", default: "d\u2066" },
      one: { type: "string", oneOf: [{ const: "v\u202e", title: "t\\u{202e}" }] },
    },
  });
});
