import { z } from "zod";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { asksWhenReplacing } from "./replacing.ts";

export const moveFile = defineChangeTool({
  name: "move_file",
  title: "Move file",
  description:
    "Move or rename a file or directory. An existing target is a CONFLICT unless overwrite is true; then a person is asked first. Missing parent directories of the target are created.",
  category: "Files",
  input: z.object({
    from: pathInput("What to move"),
    to: pathInput("Its new path"),
    overwrite: z.boolean().default(false),
  }),
  output: z.object({ from: z.string(), to: z.string() }),
  approval: asksWhenReplacing,
  operations: ({ from, to, overwrite }) => [{ op: "move", from, to, overwrite, createDirs: true }],
  describe: ({ from, to }) => `move ${from} to ${to}`,
  value: (_change, { from, to }) => ({ from, to }),
  render: ({ from, to }) => `Moved ${from} to ${to}.`,
  examples: [{ title: "Rename", input: { from: "src/util.ts", to: "src/text.ts" } }],
});
