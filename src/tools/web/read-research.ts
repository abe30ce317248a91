import { z } from "zod";
import { fenceUntrusted } from "../../text/untrusted.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { researchErrorTypes, type ToolExecutor } from "../../web/research/tool-executor.ts";

/** The tool's description for the model, whichever program runs it. */
export const readResearchForm = () => ({
  name: "read_research",
  title: "Read earlier research",
  description:
    "Read a file of earlier research, at most 50 KB, from the ideas/ folder of the research repository.",
  category: "Research",
  input: z.object({
    path: z.string().min(1).max(200).describe("Relative to ideas/, e.g. 2026-01-12-solar-roof/research.md"),
  }),
});

/** Only registered where there is an executor, that is, a repository to read from. */
export const readResearch = (executor: ToolExecutor) =>
  defineTool({
    ...readResearchForm(),
    output: z.discriminatedUnion("ok", [
      z.object({ ok: z.literal(true), content: z.string(), bytes: z.number() }),
      z.object({ ok: z.literal(false), error_type: z.enum(researchErrorTypes), message: z.string() }),
    ]),
    can: ["fetch"],
    idempotent: true,
    effects: () => [{ kind: "fetch", url: executor.url, method: "GET" }],
    approval: "auto",
    budget: 16_000,
    execute: (input, { signal }) => executor.readResearch(input, { signal }),
    render: (value, { path }) =>
      value.ok ? fenceUntrusted(value.content, `ideas/${path}`) : `${value.error_type}: ${value.message}`,
    examples: [{ title: "An earlier report", input: { path: "2026-01-12-solar-roof/research.md" } }],
  });
