import { z } from "zod";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { described } from "./edit-description.ts";
import { wholeFile, writtenSize } from "./whole-file.ts";

export const createFile = defineChangeTool({
  name: "create_file",
  title: "Create file",
  description: "Create a new file and its missing directories. A file that exists is a CONFLICT.",
  category: "Editing",
  input: z.object({
    path: pathInput("New file"),
    content: z.string(),
    description: z.string().optional().describe("What the file is for"),
  }),
  output: z.object({ path: z.string(), size: z.number() }),
  approval: "ask",
  operations: async ({ path, content }, { workspace }) => {
    const { bytes } = await wholeFile(workspace, path, content, undefined);
    return [{ op: "write", path, bytes, mustBe: "new", createDirs: true }];
  },
  describe: ({ path, description }) => described(`create ${path}`, description),
  amend: (input, _path, content) => ({ ...input, content }),
  value: (_change, { path }, { operations }) => ({ path, size: writtenSize(operations) }),
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
