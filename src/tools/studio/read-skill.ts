import { z } from "zod";
import type { Skills } from "../../discovery/skills.ts";
import { fitLines } from "../../text/fit-lines.ts";
import { defineTool } from "../../tool/define-tool.ts";

export const readSkill = (skills: Skills) =>
  defineTool({
    name: "readSkill",
    title: "Read skill",
    description: "Read a skill (expert guidance for a kind of work), or another file of it.",
    category: "Discovery",
    reveals: "nothing",
    input: z.object({
      name: z.string().min(1),
      file: z.string().optional(),
    }),
    output: z.object({
      name: z.string(),
      source: z.enum(["built-in", "user", "workspace"]),
      content: z.string(),
      files: z.array(z.string()),
    }),
    can: ["read"],
    idempotent: true,
    execute: async ({ name, file }) => {
      const { skill, content } = await skills.read(name, file);
      return { name, source: skill.source, content, files: skill.files };
    },
    render: ({ name, content, files }) => {
      const lines = content.split("\n");
      const more = files.length > 0 ? [`Further files: ${files.join(", ")} (readSkill with file)`] : [];
      const closing = (shown: number) =>
        `… ${shown} of ${lines.length} lines of skill ${name}; raise the budget to read on`;
      return [[...lines, ...more].join("\n"), (budget) => fitLines(lines, budget, closing)];
    },
    examples: [{ title: "Guidance for the browser", input: { name: "agent-browser" } }],
  });
