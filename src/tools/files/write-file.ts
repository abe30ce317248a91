import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { editNotes, type SyntaxCheck } from "./edit-notes.ts";
import { asksWhenReplacing } from "./replacing.ts";
import { presentText, wholeFile, writtenSize } from "./whole-file.ts";

export const writeFile = (check: SyntaxCheck) =>
  defineChangeTool({
    name: "write_file",
    title: "Write file",
    description:
      "Create a file, or replace the whole content of one. A person is asked first when a file would be replaced. Use encoding base64 for binary content.",
    category: "Files",
    input: z.object({
      path: pathInput("File"),
      content: z.string(),
      encoding: z.enum(["utf-8", "base64"]).default("utf-8"),
      createDirs: z.boolean().default(false).describe("Create missing parent directories"),
    }),
    output: z.object({
      path: z.string(),
      size: z.number(),
      notices: z.array(z.string()).optional().describe("What looks wrong, or was not certain"),
    }),
    idempotent: true,
    approval: asksWhenReplacing,
    operations: async ({ path, content, encoding, createDirs }, { workspace }) => {
      if (encoding === "base64") return [{ op: "write", path, bytes: bytesOf(content), createDirs }];
      const present = await presentText(workspace, path);
      const file = await wholeFile(workspace, path, content, present);
      return {
        operations: [{ op: "write", path, bytes: file.bytes, createDirs }],
        notes: await editNotes(path, present, file, check),
      };
    },
    describe: ({ path }) => `write ${path}`,
    amend: (input, _path, content) => ({ ...input, content, encoding: "utf-8" as const }),
    value: (_change, { path }, { operations, notes }) => ({
      path,
      size: writtenSize(operations),
      ...(notes.length > 0 && { notices: notes }),
    }),
    render: ({ path, size, notices = [] }) => [`Wrote ${path} (${size} bytes).`, ...notices].join("\n"),
    examples: [
      { title: "A new file", input: { path: "notes/todo.md", content: "# To do\n", createDirs: true } },
    ],
  });

function bytesOf(content: string): Buffer {
  const bytes = Buffer.from(content, "base64");
  const plain = content.replaceAll(/[\s=]/g, "");
  if (bytes.toString("base64").replaceAll("=", "") !== plain) {
    throw new Failure(
      "INVALID_INPUT",
      "content is not valid base64. Encode the bytes again, or send text with encoding utf-8.",
    );
  }
  return bytes;
}
