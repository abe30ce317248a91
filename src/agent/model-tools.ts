import { jsonSchema, type ToolSet } from "ai";
import { type JSONSchema, leanSchema } from "../registry/lean-schema.ts";
import { inputSchemaOf } from "../registry/registry.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * The tools that the model knows: the core ones, and the deferred ones that it found. They carry no `execute` and
 * check nothing, the runtime does both. `areShort`: by their short descriptions where they have one. A tool that
 * the provider runs replaces ours.
 */
export function modelTools(
  tools: readonly Tool[],
  serverTools: ToolSet,
  found: ReadonlySet<string>,
  areShort = false,
): { told: ToolSet; tokens: number } {
  const told: ToolSet = Object.create(null);
  let tokens = 0;
  for (const tool of [...tools].sort((a, b) => rank(a) - rank(b))) {
    const { name, title, loading, brief } = tool;
    if (loading === "deferred" && !found.has(name)) continue;
    const { description, input } = (areShort && brief) || tool;
    const schema = leanInputOf(input);
    tokens += estimateTokens(JSON.stringify({ name, description, schema }));
    told[name] = serverTools[name] ?? {
      title,
      description,
      inputSchema: jsonSchema(schema),
      ...(isShort(tool, schema) && { providerOptions: wholeInput }),
    };
  }
  return { told, tokens };
}

/** Schemas do not change, and every step sends all of them to the model. */
const leanInputs = new WeakMap<Tool["input"], JSONSchema>();

function leanInputOf(input: Tool["input"]): JSONSchema {
  const schema = leanInputs.get(input) ?? leanSchema(inputSchemaOf({ input }));
  leanInputs.set(input, schema);
  return schema;
}

/** Whether its input is short: only what is written or run is worth seeing while it is streamed. */
function isShort({ can }: Tool, { properties = {} }: Readonly<Record<string, unknown>>): boolean {
  return (
    can.every((kind) => kind === "read" || kind === "fetch") ||
    !Object.keys(properties as object).some((name) => streamed.has(name))
  );
}

const streamed: ReadonlySet<string> = new Set([
  "content",
  "code",
  "edits",
  "changes",
  "patch",
  "cells",
  "body",
]);

const wholeInput = { anthropic: { eagerInputStreaming: false } };

/** Found tools come last, so the provider's cache of the others stays valid. */
function rank({ loading }: Tool): number {
  return loading === "core" ? 0 : 1;
}
