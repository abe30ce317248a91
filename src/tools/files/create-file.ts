import { z } from "zod";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";

export const createFile = defineChangeTool({
  name: "create_file",
  title: "Create file",
  description:
    "Propose a new file with its content. A person approves it first, perhaps after editing it. A file that exists already is a CONFLICT: change it with edit_file or replace_in_file. Missing parent directories are created.",
  category: "Editing",
  input: z.object({
    path: pathInput("The new file"),
    content: z.string(),
    description: z.string().describe("What the file is for, in a sentence"),
  }),
  output: z.object({ path: z.string(), size: z.number() }),
  approval: "ask",
  operations: ({ path, content }) => [
    { op: "write", path, bytes: Buffer.from(content), mustBe: "new", createDirs: true },
  ],
  describe: ({ path, description }) => `create ${path}: ${description}`,
  amend: (input, _path, content) => ({ ...input, content }),
  value: (_change, { path, content }) => ({ path, size: Buffer.byteLength(content) }),
  render: ({ path, size }) => `Created ${path} (${size} bytes).`,
  examples: [
    {
      title: "A module",
      input: {
        path: "src/greet.ts",
        content: 'export const greet = () => "hi";\n',
        description: "a greeting",
      },
    },
  ],
});
