import { createWield } from "../../src/app/wield.ts";
import type { ArmTool } from "./agent-loop.ts";
import { fields } from "./plain-tools.ts";

/** Five terse tools over Wield's engine: the smallest set that answers, to be beaten by the explore agent. */
export async function leanTools(folder: string, home: string): Promise<{ tools: ArmTool[]; close(): void }> {
  const wield = await createWield({ workspace: folder, env: { HOME: home, PATH: process.env["PATH"] } });
  const say = async (tool: string, input: Record<string, unknown>) => (await wield.callAny(tool, input)).text;
  const tool = (
    name: string,
    description: string,
    types: Record<string, string>,
    required: string[],
    run: ArmTool["run"],
  ): ArmTool => ({ description: { name, description, input_schema: fields(types, required) }, run });
  const tools = [
    tool(
      "find",
      "Code for a question in words: best functions in full, then other places as one line each.",
      { query: "string", path: "string" },
      ["query"],
      (input) => say("search_code", input),
    ),
    tool(
      "look",
      "Definitions with their code, by name (plain or Type.method), up to 8.",
      { names: "list" },
      ["names"],
      ({ names }) => say("definition", { symbols: names }),
    ),
    tool(
      "uses",
      "Every use of a symbol, with the function around it.",
      { name: "string", path: "string" },
      ["name"],
      ({ name, ...rest }) => say("references", { symbol: name, ...rest }),
    ),
    tool(
      "grep",
      "Lines that match a regular expression; include is a glob.",
      { pattern: "string", path: "string", include: "string" },
      ["pattern"],
      (input) => say("grep", input),
    ),
    tool(
      "read",
      'Lines: "file:10-60", up to 10 ranges; "file" alone gives its outline.',
      { ranges: "list" },
      ["ranges"],
      async ({ ranges }) => {
        const texts = (ranges as string[]).slice(0, 10).map((range) => {
          const [, file = range, from, to] = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/.exec(range) ?? [];
          if (!from) return say("symbols", { file });
          const count = to ? Number(to) - Number(from) + 1 : 40;
          return say("read", { file, start_line: Number(from), num_lines: count });
        });
        return (await Promise.all(texts)).join("\n\n");
      },
    ),
  ];
  return { tools, close: () => wield.close() };
}
