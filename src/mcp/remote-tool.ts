import type { CallToolResult } from "@modelcontextprotocol/client";
import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { digestOf, sha256 } from "../text/digest.ts";
import { fencedLines } from "../text/fenced-lines.ts";
import { fenceUntrusted, untrustedFrom } from "../text/untrusted.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Effect } from "../tool/effects.ts";
import { schemaFrom } from "../tool/from-json-schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { Definition } from "./connection.ts";
import { configFacts, confinementOf, type ServerConfig } from "./server-config.ts";
import { taskMs } from "./tasks.ts";

const maxDescription = 2_000;
const maxFailure = 8_000;
const output = z.object({
  text: z.string(),
  structured: z.unknown().optional(),
  images: z.array(z.object({ mediaType: z.string(), base64: z.string() })),
  provenance: z.object({ source: z.string(), trust: z.literal("untrusted"), sha256: z.string() }),
});

/** Covers everything that a person saw when they approved a remote tool, so any change is detected. */
export function fingerprintOf(config: ServerConfig, definition: Definition): string {
  const { name, title, description, inputSchema, annotations } = definition;
  return digestOf({ server: configFacts(config), name, title, description, inputSchema, annotations });
}

/** `server__tool`, in characters and length that every vendor accepts. */
export function localName(server: string, tool: string): string {
  const name = `${server}__${tool.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}`;
  return name.length <= 64 ? name : `${name.slice(0, 55)}_${sha256(name).slice(0, 8)}`;
}

/** Whether the server declares the tool read-only. */
export function declaresReadOnly({ annotations }: Definition): boolean {
  return annotations?.readOnlyHint === true;
}

/**
 * A server's tool as a Wield tool: deferred, in its own category, asking first unless it is declared read-only. Missing
 * annotations mean the worst case: destructive and open world.
 */
export function remoteTool(
  server: string,
  config: ServerConfig,
  definition: Definition,
  call: (args: Record<string, unknown>, context: Parameters<Tool["execute"]>[1]) => Promise<CallToolResult>,
): Tool {
  const { annotations = {} } = definition;
  const reads = declaresReadOnly(definition);
  // A server over HTTP is elsewhere, whatever it says.
  const isClosed = annotations.openWorldHint === false || confinementOf(config)?.hosts.length === 0;
  const effect: Effect =
    "url" in config
      ? { kind: "fetch", url: config.url, method: "POST" }
      : { kind: "run", command: `${server} ${definition.name}`, network: isClosed ? "off" : "full" };
  // Keyed by the input object: the rendering names the call whose full result can be read.
  const calls = new WeakMap<object, string>();
  const described = definition.description ?? definition.title ?? definition.name;
  return defineTool({
    name: localName(server, definition.name),
    title: visibleLine(definition.title ?? annotations.title ?? definition.name),
    description: visibleText(described).slice(0, maxDescription),
    category: server,
    reveals: "outside",
    loading: "deferred",
    input: schemaFrom(definition.inputSchema as Record<string, unknown>),
    output,
    idempotent: annotations.idempotentHint === true,
    can: reads ? ["read"] : [effect.kind],
    effects: () => [effect],
    approval: reads ? "auto" : "ask",
    // The connection allows less for an answer; a task may take this long.
    timeoutMs: taskMs,
    execute: async (args, context) => {
      calls.set(args, context.callId);
      return readResult(server, await call(args, context));
    },
    render: ({ text, structured, images }, args) => {
      const said = text === "" && structured !== undefined ? JSON.stringify(structured, null, 2) : text;
      if (said !== "") return fencedLines(said, sourceOf(server), calls.get(args));
      return images.length > 0 ? `${images.length} images.` : "Done; the tool returned nothing.";
    },
    images: ({ images }) => images,
    files: ({ images }) =>
      images.map((image, at) => ({ ...image, name: `image-${at + 1}.${endings[image.mediaType] ?? "bin"}` })),
  }) as unknown as Tool;
}

function sourceOf(server: string): string {
  return `MCP server ${server}`;
}

function readResult(server: string, result: CallToolResult): z.infer<typeof output> {
  const parts = result.content ?? [];
  const text = parts.flatMap((part) => {
    if (part.type === "text") return [visibleText(part.text)];
    if (part.type === "resource_link") return [`${part.name}: ${part.uri}`];
    if (part.type === "resource")
      return ["text" in part.resource ? visibleText(part.resource.text) : part.resource.uri];
    return part.type === "audio" ? [`(audio, ${part.mimeType})`] : [];
  });
  if (result.isError) {
    const said = text.join("\n");
    const words =
      said === ""
        ? "without a message."
        : `:\n${fenceUntrusted(said.slice(0, maxFailure), sourceOf(server))}`;
    throw new Failure("EXECUTION_ERROR", `The tool of ${server} failed ${words}`);
  }
  return {
    text: text.join("\n"),
    provenance: untrustedFrom(sourceOf(server), text.join("\n")),
    ...(result.structuredContent !== undefined && { structured: result.structuredContent }),
    images: parts.flatMap((part) =>
      part.type === "image" ? [{ mediaType: part.mimeType, base64: part.data }] : [],
    ),
  };
}

const endings: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
};
