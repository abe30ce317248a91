import { z } from "zod";
import { visibleText } from "../text/visible.ts";

/** A schema that came as JSON Schema: it validates by it, and is shown again as it came, its hidden characters made visible. */
export function schemaFrom(json: Record<string, unknown>): z.ZodType<Record<string, unknown>> {
  return z.any().pipe(validatorOf(json)).meta(withVisibleWords(json)) as unknown as z.ZodType<
    Record<string, unknown>
  >;
}

/**
 * Real-world schemas use more than any validator supports; constraints that are not understood are left to the
 * schema's author.
 */
function validatorOf(json: Record<string, unknown>): z.ZodType {
  try {
    return z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.looseObject({});
  }
}

/** What a schema says to its reader; names and values in it stay as they are. */
function withVisibleWords(schema: Record<string, unknown>): Record<string, unknown> {
  const seen = (key: string, value: unknown): unknown => {
    if (typeof value === "string")
      return key === "description" || key === "title" ? visibleText(value) : value;
    if (["default", "const", "enum", "examples"].includes(key)) return value;
    if (Array.isArray(value)) return value.map((one) => seen("", one));
    return value !== null && typeof value === "object" ? withVisibleWords({ ...value }) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, seen(key, value)]));
}
