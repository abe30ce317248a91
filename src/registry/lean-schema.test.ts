import { expect, test } from "vitest";
import { z } from "zod";
import { leanSchema, withoutNoise } from "./lean-schema.ts";

const schema = z.toJSONSchema(
  z.strictObject({
    pattern: z.string().min(1).max(300).describe("A regular expression"),
    maximum: z.int().min(1).default(5),
    at: z.int().max(50).optional(),
    edits: z.array(z.strictObject({ minLength: z.string().min(1) })).min(1),
    kind: z.enum(["a", "b"]).default("a"),
  }),
  { io: "input" },
);

test("bounds that every whole number keeps are noise", () => {
  const { properties, $schema } = withoutNoise(schema) as {
    properties: Record<string, unknown>;
    $schema?: string;
  };
  expect($schema).toBeUndefined();
  expect(properties["maximum"]).toEqual({ type: "integer", minimum: 1, default: 5 });
  expect(properties["at"]).toEqual({ type: "integer", maximum: 50 });
  expect(properties["pattern"]).toMatchObject({ minLength: 1, maxLength: 300 });
});

test("for a model: names, types, choices, defaults and words; a property may have a keyword's name", () => {
  expect(leanSchema(schema)).toEqual({
    type: "object",
    properties: {
      pattern: { type: "string", description: "A regular expression" },
      maximum: { type: "integer", default: 5 },
      at: { type: "integer", maximum: 50 },
      edits: {
        type: "array",
        items: { type: "object", properties: { minLength: { type: "string" } }, required: ["minLength"] },
      },
      kind: { type: "string", enum: ["a", "b"], default: "a" },
    },
    required: ["pattern", "edits"],
  });
});
