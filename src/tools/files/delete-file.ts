import { z } from "zod";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";

export const deleteFile = defineChangeTool({
  name: "delete_file",
  title: "Delete file",
  description:
    "Delete a file, a link, or with recursive a directory and everything in it. A person is always asked first and sees what goes. It can be undone.",
  category: "Files",
  input: z.object({
    path: pathInput("File or directory"),
    recursive: z.boolean().default(false).describe("Needed for a directory that is not empty"),
  }),
  output: z.object({ deleted: z.array(z.string()) }),
  approval: "ask",
  operations: ({ path, recursive }) => [{ op: "delete", path, recursive }],
  describe: ({ path }) => `delete ${path}`,
  value: (change) => ({ deleted: change.files.map((file) => file.path) }),
  render: ({ deleted }, { path }) =>
    deleted.length === 1 ? `Deleted ${path}.` : `Deleted ${path} and ${deleted.length - 1} entries below it.`,
  examples: [{ title: "One file", input: { path: "old.txt" } }],
});
