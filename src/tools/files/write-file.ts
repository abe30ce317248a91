import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { defineChangeTool } from "../../tool/change-tool.ts";
import { pathInput } from "../../tool/path-input.ts";
import { asksWhenReplacing } from "./replacing.ts";

export const writeFile = defineChangeTool({
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
  output: z.object({ path: z.string(), size: z.number() }),
  idempotent: true,
  approval: asksWhenReplacing,
  operations: ({ path, content, encoding, createDirs }) => [
    { op: "write", path, bytes: bytesOf(content, encoding), createDirs },
  ],
  describe: ({ path }) => `write ${path}`,
  amend: (input, _path, content) => ({ ...input, content, encoding: "utf-8" as const }),
  value: (_change, { path, content, encoding }) => ({ path, size: bytesOf(content, encoding).byteLength }),
  render: ({ path, size }) => `Wrote ${path} (${size} bytes).`,
  examples: [
    { title: "A new file", input: { path: "notes/todo.md", content: "# To do\n", createDirs: true } },
  ],
});

function bytesOf(content: string, encoding: "utf-8" | "base64"): Buffer {
  if (encoding === "utf-8") return Buffer.from(content);
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
