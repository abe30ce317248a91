import { z } from "zod";
import type { Tool } from "../tool/tool.ts";
import type { ToolDocument } from "./tool-document.ts";

/** A tool as a search result shows it. */
export interface ToolCard {
  name: string;
  category: string;
  description: string;
  /** One line per argument. */
  parameters: string;
  usage: string;
  relatedSkill: string | null;
}

export function cardOf(tool: Tool): ToolCard {
  const fields = fieldsOf(tool);
  const lines = fields.map(({ name, type, required, description }) => {
    const need = required ? "required" : "optional";
    return `${name} (${type}, ${need})${description ? `: ${description}` : ""}`;
  });
  return {
    name: tool.name,
    category: tool.category,
    description: tool.description,
    parameters: lines.join("\n") || "none",
    usage: `${tool.name}(${usageOf(tool, fields)})`,
    relatedSkill: tool.skill ? `Load skill '${tool.skill}' with readSkill for expert guidance` : null,
  };
}

export function documentOf(tool: Tool, uses: readonly string[]): ToolDocument {
  return {
    name: tool.name,
    title: tool.title,
    category: tool.category,
    description: tool.description,
    parameters: Object.fromEntries(fieldsOf(tool).map(({ name, description }) => [name, description])),
    hints: [...tool.examples.map(({ title }) => title), ...(tool.skill ? [tool.skill] : [])],
    uses,
  };
}

interface Field {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

interface FieldSchema {
  type?: string | string[];
  enum?: unknown[];
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  description?: string;
}

function fieldsOf(tool: Tool): Field[] {
  const schema = z.toJSONSchema(tool.input, { io: "input" }) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeName(field),
    required: schema.required?.includes(name) ?? false,
    description: field.description ?? "",
  }));
}

function typeName({ type, enum: values, items, anyOf }: FieldSchema): string {
  if (values) return values.map(String).join("|");
  if (anyOf) return anyOf.map(typeName).join("|");
  if (type === "array") return `${typeName(items ?? {})}[]`;
  return Array.isArray(type) ? type.join("|") : (type ?? "any");
}

function usageOf(tool: Tool, fields: readonly Field[]): string {
  const example = tool.examples[0]?.input;
  if (example) return JSON.stringify(example);
  const required = fields.filter((field) => field.required);
  if (required.length === 0) return "{}";
  return `{ ${required.map(({ name, type }) => `${name}: <${type}>`).join(", ")} }`;
}
