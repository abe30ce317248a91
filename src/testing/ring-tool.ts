import { appendFileSync } from "node:fs";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";

/** Has an effect that no journal knows of: a line in a file outside. */
export function ringTool(witness: string) {
  return defineTool({
    name: "ring",
    title: "Ring",
    description: "Rings once.",
    category: "Test",
    input: z.object({ who: z.string() }),
    output: z.object({ rung: z.boolean() }),
    can: ["run"],
    approval: "auto",
    effects: () => [{ kind: "run", command: "ring", network: "off" }],
    execute: async ({ who }) => {
      appendFileSync(witness, `${who}\n`);
      return { rung: true };
    },
  });
}
