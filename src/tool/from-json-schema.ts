import { z } from "zod";

/** A schema that came as JSON Schema: it validates by it, and is shown again exactly as it came. */
export function schemaFrom(json: Record<string, unknown>): z.ZodType<Record<string, unknown>> {
  return z
    .any()
    .pipe(validatorOf(json))
    .meta({ ...json }) as unknown as z.ZodType<Record<string, unknown>>;
}

/** Schemas of the world use more than any validator knows; what cannot be understood is left to whoever wrote it. */
function validatorOf(json: Record<string, unknown>): z.ZodType {
  try {
    return z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.looseObject({});
  }
}
