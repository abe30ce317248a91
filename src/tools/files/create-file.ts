import { z } from "zod";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";

export const createFile = defineChangeTool({
  name: "create_file",
  title: "Create file",
  description: "Create a new file and its missing directories. A file that exists is a CONFLICT.",
  category: "Editing",
  input: z.object({
    path: pathInput("New file"),
    content: z.string(),
    description: z.string().describe("What the file is for"),
  }),
  output: z.object({ path: z.string(), size: z.number() }),
  approval: "ask",
  operations: ({ path, content }) => [
    { op: "write", path, bytes: Buffer.from(content), mustBe: "new", createDirs: true },
  ],
  describe: ({ path, description }) =>
    isSame(description, `create ${path}`) ? `create ${path}` : `create ${path}: ${description}`,
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

/** A description that only names the file again adds nothing. */
function isSame(description: string, words: string): boolean {
  return description.trim().replace(/\.$/, "").toLowerCase() === words.toLowerCase();
}
