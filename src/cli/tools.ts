import { inputSchemaOf } from "../registry/registry.ts";
import { nearestNames } from "../text/nearest.ts";
import type { Tool } from "../tool/tool.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

export const tools: Command = {
  name: "tools",
  summary: "List the tools, or one in full",
  usage: "[name or words]",
  options: { json: { help: "Print the catalogue as JSON, with schemas" }, ...commonOptions },
  examples: [
    { command: "wield tools", note: "all tools by category" },
    { command: "wield tools read_file", note: "one tool: fields, approval, examples" },
    { command: "wield tools git", note: "tools about git" },
  ],
  async run(given, io) {
    const wield = await openWield(given, io);
    try {
      const query = given.args.join(" ").trim();
      const exact = wield.registry.get(query);
      const found = exact ? [exact] : wield.tools.filter((tool) => matches(tool, query));
      if (found.length === 0) {
        const near = nearestNames(
          query,
          wield.tools.map((tool) => tool.name),
        );
        io.err(
          `No tool is about ${JSON.stringify(query)}.${near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : ""}`,
        );
        return exit.failed;
      }
      if (given.flag("json")) io.out(JSON.stringify(found.map(describeAsJson), null, 2));
      else io.out(exact ? fullPage(exact, io) : list(found, io));
      return exit.ok;
    } finally {
      wield.close();
    }
  },
};

function matches(tool: Tool, query: string): boolean {
  const text = `${tool.name} ${tool.title} ${tool.category} ${tool.description}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function list(found: readonly Tool[], io: Io): string {
  const paint = painter(io);
  const width = Math.max(...found.map((tool) => tool.name.length));
  const groups = Map.groupBy(found, (tool) => tool.category);
  return [...groups]
    .map(([category, group]) => {
      const lines = group.map((tool) => {
        const summary = tool.description.split(/(?<=\.)\s/)[0] ?? "";
        const room = Math.max(20, io.columns - width - 5);
        const short = summary.length > room ? `${summary.slice(0, room - 1)}…` : summary;
        return `  ${paint("cyan", tool.name.padEnd(width))}  ${short}`;
      });
      return [paint("bold", category), ...lines].join("\n");
    })
    .join("\n\n");
}

function fullPage(tool: Tool, io: Io): string {
  const paint = painter(io);
  const schema = inputSchemaOf(tool) as { properties?: Record<string, Field>; required?: string[] };
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const need = schema.required?.includes(name) ? "required" : "optional";
    const standard = field.default === undefined ? "" : `, default ${JSON.stringify(field.default)}`;
    const note = field.description ? `  ${field.description}` : "";
    return `  ${paint("cyan", name)} (${typeName(field)}, ${need}${standard})${note}`;
  });
  return [
    `${paint("bold", tool.name)}: ${tool.title} (${tool.category})`,
    "",
    tool.description,
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

function describeAsJson(tool: Tool) {
  const { name, title, description, category, loading, can, examples } = tool;
  return { name, title, description, category, loading, can, examples, input: inputSchemaOf(tool) };
}
