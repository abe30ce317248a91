/** A form generated from a tool's schema. Fields that are not plain values are entered as JSON. */
export interface Field {
  name: string;
  /** The label. */
  title: string;
  kind: "text" | "long" | "number" | "boolean" | "choice" | "json";
  required: boolean;
  description: string;
  standard: unknown;
  choices: readonly { value: string; words: string }[];
}

export type Form = Readonly<Record<string, string>>;

interface Schema {
  type?: string;
  title?: string;
  enum?: unknown[];
  /** Choices with labels. */
  oneOf?: { const?: unknown; title?: string }[];
  default?: unknown;
  description?: string;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

const longNames: ReadonlySet<string> = new Set(["content", "code", "body", "text", "oldText", "newText"]);

export function fieldsOf(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    title: field.title ?? name,
    kind: kindOf(name, field),
    required: schema.required?.includes(name) ?? false,
    description: field.description ?? "",
    standard: field.default,
    choices: choicesOf(field),
  }));
}

function choicesOf({ enum: plain, oneOf = [] }: Schema): Field["choices"] {
  if (plain) return plain.map((value) => ({ value: String(value), words: String(value) }));
  return oneOf.map(({ const: value, title }) => ({ value: String(value), words: title ?? String(value) }));
}

function kindOf(name: string, field: Schema): Field["kind"] {
  const { type } = field;
  if (choicesOf(field).length > 0 && type !== "array") return "choice";
  if (type === "string") return longNames.has(name) ? "long" : "text";
  if (type === "integer" || type === "number") return "number";
  return type === "boolean" ? "boolean" : "json";
}

export function emptyForm(fields: readonly Field[]): Form {
  return Object.fromEntries(fields.map(({ name }) => [name, ""]));
}

export function formOf(fields: readonly Field[], input: Record<string, unknown>): Form {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = input[name];
      if (value === undefined) return [name, ""];
      return [name, kind === "json" ? JSON.stringify(value, null, 2) : String(value)];
    }),
  );
}

/** Empty optional fields are omitted. */
export function inputOf(fields: readonly Field[], form: Form): Record<string, unknown> {
  const given = fields.flatMap(({ name, kind, required }) => {
    const text = form[name] ?? "";
    if (text === "" && !(required && (kind === "text" || kind === "long"))) return [];
    return [[name, read(name, kind, text)] as const];
  });
  return Object.fromEntries(given);
}

function read(name: string, kind: Field["kind"], text: string): unknown {
  if (kind === "number") return Number(text);
  if (kind === "boolean") return text === "true";
  if (kind !== "json") return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} must be JSON, for example ["a"] or {"a": 1}.`);
  }
}
