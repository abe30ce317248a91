export type JSONSchema = Record<string, unknown>;

const largestInteger = Number.MAX_SAFE_INTEGER;

/** Without what says nothing: the version of the schema language, and bounds that every whole number keeps. */
export function withoutNoise(schema: JSONSchema): JSONSchema {
  return rewrite(schema, (key, value) =>
    key === "$schema" ||
    ((key === "maximum" || key === "minimum") && Math.abs(Number(value)) === largestInteger)
      ? undefined
      : value,
  );
}

/**
 * What a model needs to write a call. Limits that it would not break anyway are left to the runtime, which checks every
 * input against the whole schema and says what is wrong.
 */
export function leanSchema(schema: JSONSchema): JSONSchema {
  return rewrite(withoutNoise(schema), (key, value) => (isLeftToRuntime(key, value) ? undefined : value));
}

const limits: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "exclusiveMinimum",
  "pattern",
  "propertyNames",
]);

/** A bound that is never reached by mistake. */
const beyondAnyCall = 100_000;

function isLeftToRuntime(key: string, value: unknown): boolean {
  if (key === "additionalProperties") return value === false;
  if (key === "default") return isNothing(value);
  if (key === "maximum") return Number(value) >= beyondAnyCall;
  return limits.has(key) || (key === "minimum" && (value === 0 || value === 1));
}

/** A default that is what everybody expects when nothing is given. */
function isNothing(value: unknown): boolean {
  return value === false || value === "." || ["[]", "{}"].includes(JSON.stringify(value));
}

type Rewrite = (key: string, value: unknown) => unknown;

/** Every schema inside a schema; names of properties are names, not keywords. */
function rewrite(schema: JSONSchema, each: Rewrite): JSONSchema {
  const result: JSONSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    const kept = each(key, value);
    if (kept === undefined) continue;
    result[key] =
      key === "properties" || key === "$defs" ? rewriteNamed(kept, each) : inside(key, kept, each);
  }
  return result;
}

function rewriteNamed(value: unknown, each: Rewrite): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isObject(inner) ? rewrite(inner, each) : inner]),
  );
}

/** Keywords whose value is data, not a schema, such as a default or an enumeration. */
const data: ReadonlySet<string> = new Set(["default", "const", "enum", "examples", "required"]);

function inside(key: string, value: unknown, each: Rewrite): unknown {
  if (data.has(key)) return value;
  if (Array.isArray(value)) return value.map((inner) => (isObject(inner) ? rewrite(inner, each) : inner));
  return isObject(value) ? rewrite(value, each) : value;
}

function isObject(value: unknown): value is JSONSchema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
