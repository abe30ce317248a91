import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput, pathInput } from "../../tool/path-input.ts";
import { listingOutput, listPage, renderListing } from "./listing.ts";

export const listDirectory = defineTool({
  name: "list_directory",
  title: "List directory",
  description:
    "List the files and directories in a directory, with size and time of change. With recursive, everything below it except what .gitignore leaves out. Symlinks are listed as links. Long listings come in pages.",
  category: "Files",
  input: z.object({
    path: pathInput("Directory").default("."),
    recursive: z.boolean().default(false),
    includeHidden: z.boolean().default(false).describe("Also names that start with a dot"),
    cursor: cursorInput,
  }),
  output: listingOutput,
  can: ["read"],
  idempotent: true,
  effects: ({ path }) => [{ kind: "read", path }],
  execute: (input, context) => listPage({ ...input, pageSize: 500 }, context),
  render: (value, input) => renderListing(value, input.path, "list_directory", input),
  examples: [
    { title: "The root", input: { path: "." } },
    { title: "Everything below src", input: { path: "src", recursive: true } },
  ],
});
