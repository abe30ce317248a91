import { z } from "zod";
import type { Skills } from "../../discovery/skills.ts";
import { defineTool } from "../../tool/define-tool.ts";

const most = 5;

export const searchSkills = (skills: Skills) =>
  defineTool({
    name: "searchSkills",
    title: "Search skills",
    description: "Find skills for a kind of work, such as refactoring.",
    category: "Discovery",
    reveals: "nothing",
    input: z.object({
      query: z.string().min(1).max(500),
    }),
    output: z.object({
      results: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          source: z.enum(["built-in", "user", "workspace"]),
        }),
      ),
      all: z.array(z.string()).optional().describe("Every skill, when nothing matched"),
    }),
    can: ["read"],
    idempotent: true,
    execute: async ({ query }) => {
      const found = await skills.search(query, most);
      if (found.length === 0) return { results: [], all: (await skills.list()).map(({ name }) => name) };
      return { results: found.map(({ name, description, source }) => ({ name, description, source })) };
    },
    render: ({ results, all = [] }) =>
      results.length > 0
        ? results.map(({ name, description }) => `${name}: ${description}`).join("\n")
        : `No skill is about that. There are: ${all.join(", ") || "none"}`,
    examples: [{ title: "Before driving a browser", input: { query: "fill in a web form" } }],
  });
