import {
  type InputRequiredResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { plainText } from "../text/encoding.ts";
import { imageType } from "../text/image-type.ts";
import type { McpHost } from "./host.ts";
import { questionOf, type RunCall } from "./server-calls.ts";

/** Each kind of resource is read through a tool, with the same rules, records and limits; without the tool it is not offered. */
interface Kind {
  name: string;
  description: string;
  prefix: string;
  variable: string;
  tool: string;
  input(name: string): Record<string, unknown>;
  content(value: never): { mimeType: string } & ({ text: string } | { blob: string });
}

const fileKind: Kind = {
  name: "Workspace file",
  description: "A file by its path in the workspace",
  prefix: "wield://files/",
  variable: "{+path}",
  tool: "read_file",
  input: (path) => ({ path, encoding: "base64" }),
  content: ({ content }: { content: string }) => {
    const bytes = Buffer.from(content, "base64");
    const text = plainText(bytes);
    if (text !== undefined) return { mimeType: "text/plain", text };
    return { mimeType: imageType(bytes) ?? "application/octet-stream", blob: content };
  },
};
const documentKind: Kind = {
  name: "Document",
  description: "The newest version of a document by its id",
  prefix: "wield://documents/",
  variable: "{id}",
  tool: "readDocument",
  input: (id) => ({ id }),
  content: ({ content }: { content: string }) => ({ mimeType: "text/plain", text: content }),
};
const resultKind: Kind = {
  name: "Result",
  description: "The full text of an earlier call by its id",
  prefix: "wield://results/",
  variable: "{id}",
  tool: "read_result",
  input: (id) => ({ id, numLines: Number.MAX_SAFE_INTEGER }),
  content: ({ text }: { text: string }) => ({ mimeType: "text/plain", text }),
};
const kinds = [fileKind, documentKind, resultKind];
const pageSize = 200;
const maxCompletions = 100;

export function listTemplates(host: McpHost): ListResourceTemplatesResult {
  return {
    resourceTemplates: kinds
      .filter((kind) => has(host, kind.tool))
      .map(({ name, description, prefix, variable }) => ({
        name,
        description,
        uriTemplate: prefix + variable,
      })),
  };
}

/** Documents first, then the workspace's files in pages. */
export async function listResources(
  host: McpHost,
  run: RunCall,
  cursor: string | undefined,
  context: ServerContext,
): Promise<ListResourcesResult> {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor.");
  }
  const resources = from === 0 ? await listDocuments(host, run, context) : [];
  if (!has(host, fileKind.tool)) return { resources };
  let seen = 0;
  for await (const { path, type, size } of host.workspace.walk({ signal: context.mcpReq.signal })) {
    if (type !== "file" || !host.settings.mayRead(fileKind.tool, path) || seen++ < from) continue;
    if (seen > from + pageSize) return { resources, nextCursor: String(from + pageSize) };
    resources.push({ uri: uriOf(fileKind, path), name: path, size });
  }
  return { resources };
}

export async function readResource(
  host: McpHost,
  run: RunCall,
  uri: string,
  context: ServerContext,
): Promise<ReadResourceResult | InputRequiredResult> {
  const kind = kinds.find(({ prefix, tool }) => uri.startsWith(prefix) && has(host, tool));
  const name = kind && nameIn(kind, uri);
  if (!kind || !name) throw new ResourceNotFoundError(uri);
  const round = await run(kind.tool, kind.input(name), context);
  if ("question" in round) return questionOf(round.question);
  const { result, text } = round.outcome;
  if (result.ok) return { contents: [{ uri, ...kind.content(result.value as never) }] };
  if (result.error.code === "FILE_NOT_FOUND") throw new ResourceNotFoundError(uri, text);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, text, { uri });
}

/** Paths that start with the typed text. */
export async function completePath(host: McpHost, typed: string, signal: AbortSignal): Promise<string[]> {
  const values: string[] = [];
  for await (const { path, type } of host.workspace.walk({ signal })) {
    if (type === "file" && path.startsWith(typed) && host.settings.mayRead(fileKind.tool, path))
      values.push(path);
    if (values.length === maxCompletions) break;
  }
  return values;
}

async function listDocuments(
  host: McpHost,
  run: RunCall,
  context: ServerContext,
): Promise<ListResourcesResult["resources"]> {
  if (!has(host, documentKind.tool) || !has(host, "listDocuments")) return [];
  const round = await run("listDocuments", {}, context);
  if ("question" in round || !round.outcome.result.ok) return [];
  const { documents } = round.outcome.result.value as { documents: { id: string; title: string }[] };
  return documents.map(({ id, title }) => ({ uri: uriOf(documentKind, id), name: title }));
}

function has(host: McpHost, tool: string): boolean {
  return host.tools.list().some(({ name }) => name === tool);
}

function uriOf({ prefix }: Kind, name: string): string {
  return prefix + name.split("/").map(encodeURIComponent).join("/");
}

function nameIn({ prefix }: Kind, uri: string): string | undefined {
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    return undefined;
  }
}
