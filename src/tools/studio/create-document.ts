import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import { readText } from "../../text/encoding.ts";
import { newId } from "../../text/ids.ts";
import { visibleLine } from "../../text/visible.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { documentKind, type OpenDocuments, sheetSize } from "./document-output.ts";

/** Returns the newest file of that name that a call of the session created. */
export type FindSessionFile = (session: string | undefined, name: string) => Promise<Uint8Array | undefined>;

export const createDocument = (documents: OpenDocuments, handedOver: FindSessionFile) =>
  defineTool({
    name: "createDocument",
    title: "Create document",
    description:
      "Create a document (text, code, or a sheet as CSV), kept with all its versions. Instead of content: a file, of the workspace or made by executeCode.",
    category: "Documents",
    input: z
      .object({
        title: z.string().min(1).max(200),
        kind: documentKind,
        content: z.string().optional(),
        file: z.string().optional(),
      })
      .refine(({ content, file }) => (content === undefined) !== (file === undefined), {
        error: "Give either content or file.",
      }),
    output: z.object({
      id: z.string(),
      title: z.string(),
      kind: documentKind,
      version: z.number(),
      size: z.string().describe("Of a sheet: rows × columns; else lines"),
    }),
    can: ["record", "read"],
    effects: async ({ title, file }, { workspace }) => [
      { kind: "record", what: `document ${title}` },
      ...(file !== undefined && (await isInWorkspace(file, workspace))
        ? [{ kind: "read" as const, path: file }]
        : []),
    ],
    execute: async ({ content, file, ...about }, context) => {
      const text = content ?? (await textOf(file ?? "", handedOver, context));
      const { id, title, kind, version } = await documents().create({
        id: newId("d"),
        ...about,
        content: text,
      });
      return { id, title, kind, version, size: sheetSize(kind, text) };
    },
    render: ({ id, title, size }) => `Created document ${id}: ${visibleLine(title)} (${size})`,
    examples: [
      { title: "Meeting notes", input: { title: "Notes", kind: "text", content: "# Notes\n" } },
      { title: "A table that code made", input: { title: "Sales", kind: "sheet", file: "sales.csv" } },
    ],
  });

async function isInWorkspace(path: string, workspace: ToolContext["workspace"]): Promise<boolean> {
  return workspace.resolve(path).then(
    ({ type }) => type === "file",
    () => false,
  );
}

async function textOf(
  name: string,
  handedOver: FindSessionFile,
  { workspace, session }: ToolContext,
): Promise<string> {
  const bytes = (await isInWorkspace(name, workspace))
    ? (await workspace.read(name)).bytes
    : await handedOver(session, name);
  if (!bytes)
    throw new Failure(
      "FILE_NOT_FOUND",
      `There is no file ${JSON.stringify(name)} in the workspace, and no call of executeCode in this conversation made one.`,
    );
  const text = (await readText(Buffer.from(bytes)))?.text;
  if (text !== undefined) return text;
  throw new Failure("NOT_TEXT", `${name} is not text: a document holds text, code or CSV.`);
}
