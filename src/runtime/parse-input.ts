import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { inputSchemaOf } from "../registry/registry.ts";
import type { Tool } from "../tool/tool.ts";

/** The input as the tool's schema says, once repaired if that is possible; else `INVALID_INPUT` in the schema's words. */
export function parseInput(tool: Tool, raw: unknown): unknown {
  const given = typeof raw === "string" ? (parseJson(raw) ?? raw) : (raw ?? {});
  const first = tool.input.safeParse(given);
  if (first.success) return first.data;
  const second = tool.input.safeParse(repair(given, first.error.issues));
  if (second.success) return second.data;
  throw new Failure(
    "INVALID_INPUT",
    `${tool.name} was called with wrong input:\n${z.prettifyError(first.error)}${hint(tool)}`,
    {
      issues: first.error.issues.map(({ path, message }) => ({ path: path.join("."), message })),
    },
  );
}

/** Models often send a list, number or flag as a JSON string: where the schema wanted another type, read it as JSON. */
function repair(given: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(given);
  for (const issue of issues) {
    if (issue.code !== "invalid_type" && issue.code !== "invalid_union") continue;
    const holder = issue.path.slice(0, -1).reduce<unknown>((value, key) => own(value, key), copy);
    const key = issue.path.at(-1);
    const value = own(holder, key);
    const parsed = typeof value === "string" ? parseJson(value) : undefined;
    if (parsed !== undefined && key !== undefined) (holder as Record<PropertyKey, unknown>)[key] = parsed;
  }
  return copy;
}

function own(value: unknown, key: PropertyKey | undefined): unknown {
  if (value === null || typeof value !== "object" || key === undefined || !Object.hasOwn(value, key))
    return undefined;
  return (value as Record<PropertyKey, unknown>)[key];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A deferred tool may be called before it was described: then its schema is the answer. */
function hint(tool: Tool): string {
  if (tool.loading === "deferred") return `\nIts input: ${JSON.stringify(inputSchemaOf(tool))}`;
  const example = tool.examples[0];
  return example ? `\nA valid call: ${tool.name}(${JSON.stringify(example.input)})` : "";
}
