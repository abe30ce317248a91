import type { ToolResultPart, ToolSet } from "ai";
import { z } from "zod";
import { digestOf } from "../text/digest.ts";
import type { AnyTool, ImagePart, Tool } from "../tool/tool.ts";
import { type JSONSchema, withoutNoise } from "./lean-schema.ts";

/** What a catalogue with `execute` needs to run calls: the registry itself runs nothing. */
export type CallTool = (
  name: string,
  input: unknown,
  options: { callId: string; signal?: AbortSignal },
) => Promise<CallText>;

interface CallText {
  result: { ok: boolean };
  text: string;
  images: readonly ImagePart[];
}

/** An ordered set of tools by name. Names are data: `__proto__` and `constructor` are names like any other. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  readonly #listeners = new Set<() => void>();

  register(tool: AnyTool): void {
    if (this.#tools.has(tool.name)) throw new Error(`A tool named "${tool.name}" is registered already.`);
    this.#tools.set(tool.name, tool);
    this.#changed();
  }

  unregister(name: string): boolean {
    const was = this.#tools.delete(name);
    if (was) this.#changed();
    return was;
  }

  /** Called after each change of the set; returns how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  list(): Tool[] {
    return [...this.#tools.values()];
  }

  toOpenAIFunctions(): { name: string; description: string; parameters: JSONSchema }[] {
    return this.list().map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: inputSchemaOf(tool),
    }));
  }

  toAnthropicTools(): { name: string; description: string; input_schema: JSONSchema }[] {
    return this.list().map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: inputSchemaOf(tool),
    }));
  }

  /** Tools for `generateText` and `streamText`; every call goes through `call`, approvals included. */
  toAISDKTools(call: CallTool, only: (tool: Tool) => boolean = () => true): ToolSet {
    // Without a prototype, a tool named `__proto__` is an ordinary member.
    const tools: ToolSet = Object.create(null);
    for (const tool of this.list().filter(only)) {
      tools[tool.name] = {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        execute: (input: unknown, { toolCallId, abortSignal }) =>
          call(tool.name, input, { callId: toolCallId, ...(abortSignal && { signal: abortSignal }) }),
        toModelOutput: ({ output }: { output: CallText }) => modelOutputOf(output),
      };
    }
    return tools;
  }

  toMCPTools(): MCPTool[] {
    return this.list().map(mcpToolOf);
  }
}

export interface MCPTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JSONSchema;
  outputSchema: JSONSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

export function mcpToolOf(tool: Tool): MCPTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: outputSchemaOf(tool),
    annotations: annotationsOf(tool),
  };
}

/** What a caller may send: members with a default are optional. */
export function inputSchemaOf(tool: Pick<Tool, "input">): JSONSchema {
  return withoutNoise(z.toJSONSchema(tool.input, { io: "input" }));
}

export function outputSchemaOf(tool: Tool): JSONSchema {
  return withoutNoise(z.toJSONSchema(tool.output, { io: "output" }));
}

/** Changes whenever anything a model or a person relied on changes: name, words, schemas, kinds of effect. */
export function fingerprintOf(tool: AnyTool): string {
  return digestOf({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    input: bare(z.toJSONSchema(tool.input, { io: "input" })),
    output: bare(z.toJSONSchema(tool.output, { io: "output" })),
    ...(tool.brief && {
      brief: [tool.brief.description, bare(z.toJSONSchema(tool.brief.input, { io: "input" }))],
    }),
    can: [...tool.can].sort(),
  });
}

function annotationsOf(tool: Tool): MCPTool["annotations"] {
  const changes = tool.can.some((kind) => kind !== "read" && kind !== "fetch");
  return {
    readOnlyHint: !changes,
    destructiveHint: tool.can.some((kind) => kind === "delete" || kind === "run"),
    idempotentHint: tool.idempotent || !changes,
    openWorldHint: tool.can.includes("fetch"),
  };
}

/** A failure is marked as one, so that Anthropic models get `is_error`. */
function modelOutputOf({ result, text, images }: CallText): ToolResultPart["output"] {
  if (!result.ok) return { type: "error-text", value: text };
  if (images.length === 0) return { type: "text", value: text };
  const shown = images.map(({ base64, mediaType }) => ({
    type: "file" as const,
    mediaType,
    data: { type: "data" as const, data: base64 },
  }));
  return { type: "content", value: [{ type: "text", text }, ...shown] };
}

function bare({ $schema: _, ...schema }: JSONSchema): JSONSchema {
  return schema;
}
