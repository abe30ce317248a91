import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput, pathInput } from "../../tool/path-input.ts";
import { listingOutput, listPage, renderListing } from "./listing.ts";

export const listFiles = defineTool({
  name: "list_files",
  title: "List files",
  description:
    "List the files and directories in a path, the workspace if none is given, with type, size and date. With recursive, everything below it except what .gitignore leaves out. Pages of 100.",
  category: "Files",
  input: z.object({
    path: pathInput("Directory").default("."),
    recursive: z.boolean().default(false),
    cursor: cursorInput,
  }),
  output: listingOutput,
  can: ["read"],
  idempotent: true,
  effects: ({ path }) => [{ kind: "read", path }],
  execute: (input, context) => listPage({ ...input, includeHidden: true, pageSize: 100 }, context),
  render: (value, input) => renderListing(value, input.path, "list_files", input),
  examples: [{ title: "The root", input: { path: "." } }],
});
