import { inputSchemaOf } from "../registry/registry.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import type { Tool } from "../tool/tool.ts";
import { type Io, painter } from "./terminal.ts";

/** One tool for people: what it is, its input, examples. */
export function fullPage(tool: Tool, io: Io): string {
  const paint = painter(io);
  const schema = inputSchemaOf(tool) as { properties?: Record<string, Field>; required?: string[] };
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const need = schema.required?.includes(name) ? "required" : "optional";
    const standard = field.default === undefined ? "" : `, default ${JSON.stringify(field.default)}`;
    const note = field.description ? `  ${visibleLine(field.description)}` : "";
    const kind = visibleLine(`${typeName(field)}, ${need}${standard}`);
    return `  ${paint("cyan", visibleLine(name))} (${kind})${note}`;
  });
  return [
    `${paint("bold", tool.name)}: ${visibleLine(tool.title)} (${visibleLine(tool.category)})`,
    "",
    visibleText(tool.description),
    ...(fields.length > 0 ? ["", paint("bold", "Input"), ...fields] : []),
    ...(tool.examples.length > 0 ? ["", paint("bold", "Examples")] : []),
    ...tool.examples.map(
      ({ title, input }) => `  wield call ${tool.name} '${JSON.stringify(input)}'    ${title}`,
    ),
  ].join("\n");
}

interface Field {
  type?: string;
  enum?: string[];
  default?: unknown;
  description?: string;
}

function typeName(field: Field): string {
  return field.enum ? field.enum.join(" | ") : (field.type ?? "any");
}
