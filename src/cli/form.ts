import { confirm, isCancel, select, text } from "@clack/prompts";
import { inputSchemaOf } from "../registry/registry.ts";
import { visibleLine } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";

interface Field {
  type?: string;
  enum?: string[];
  default?: unknown;
  description?: string;
}

/** Asks for a tool's fields, one prompt for each, generated from its schema; undefined if the person cancels. */
export async function fillForm(tool: Tool): Promise<Record<string, unknown> | undefined> {
  return fillFields(inputSchemaOf(tool));
}

/** The same for any flat JSON Schema. */
export async function fillFields(
  schema: { properties?: Record<string, Field>; required?: string[] } & Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (name === "cursor") continue;
    const value = await askField(name, field, schema.required?.includes(name) ?? false, signal);
    if (isCancel(value)) return undefined;
    if (value !== undefined) input[name] = value;
  }
  return input;
}

async function askField(
  name: string,
  field: Field,
  required: boolean,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const until = signal && { signal };
  const message = visibleLine(field.description ? `${name}: ${field.description}` : name);
  if (field.type === "boolean") return confirm({ message, initialValue: field.default === true, ...until });
  if (field.enum) {
    const options = field.enum.map((value) => ({
      value: value as string | undefined,
      label: visibleLine(value),
    }));
    const skip = required || field.default !== undefined ? [] : [{ value: undefined, label: "(leave out)" }];
    return select({
      message,
      options: [...skip, ...options],
      initialValue: field.default as string | undefined,
      ...until,
    });
  }
  const typed = await text({
    message: required ? message : `${message} (optional)`,
    ...(field.default !== undefined && { placeholder: visibleLine(String(field.default)) }),
    validate: (given) => complaint(given ?? "", field, required),
    ...until,
  });
  return isCancel(typed) ? typed : read(typed ?? "", field, required);
}

function complaint(given: string, field: Field, required: boolean): string | undefined {
  if (given === "") return required && field.type !== "string" ? "This field is required." : undefined;
  try {
    read(given, field, required);
    return undefined;
  } catch {
    return field.type === "integer" || field.type === "number"
      ? "Enter a number."
      : 'Enter JSON, for example ["a"] or {"a": 1}.';
  }
}

function read(given: string, field: Field, required: boolean): unknown {
  // In a one-line field, \n stands for a line break.
  if (field.type === "string") return given === "" && !required ? undefined : given.replaceAll("\\n", "\n");
  return given === "" ? undefined : JSON.parse(given);
}
