import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { leanSchema } from "../registry/lean-schema.ts";
import { inputSchemaOf } from "../registry/registry.ts";
import { nearestNames } from "../text/nearest.ts";
import type { Tool } from "../tool/tool.ts";
import { withOwnNames } from "./parameter-names.ts";

/**
 * The input validated by the tool's schema, after one repair if possible; otherwise `INVALID_INPUT` with the schema's
 * message.
 */
export function parseInput(tool: Tool, raw: unknown): unknown {
  const given = withOwnNames(tool, typeof raw === "string" ? (parseJson(raw) ?? raw) : (raw ?? {}));
  refuseUnknown(tool, given);
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

/** An unknown parameter would otherwise be ignored silently, and the result would answer another question. */
function refuseUnknown(tool: Tool, given: unknown): void {
  const { input } = tool;
  const isOpen = !(input instanceof z.ZodObject) || input.def.catchall !== undefined;
  if (isOpen || given === null || typeof given !== "object" || Array.isArray(given)) return;
  const names = Object.keys(input.shape);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const told = unknown.map((name) => {
    const nearest = nearestNames(name, names);
    return `${tool.name} has no parameter ${JSON.stringify(name)}.${nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : ""}`;
  });
  throw new Failure(
    "INVALID_INPUT",
    `${told.join("\n")}\nIts parameters: ${names.join(", ") || "none"}.${hint(tool)}`,
    {
      issues: unknown.map((name) => ({ path: name, message: "unknown parameter" })),
    },
  );
}

/**
 * Models often send a list, number or flag as a JSON string, and an id as a number: where the schema expects another
 * type, it is converted.
 */
function repair(given: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(given);
  for (const issue of issues) {
    if (issue.code !== "invalid_type" && issue.code !== "invalid_union") continue;
    const holder = issue.path.slice(0, -1).reduce<unknown>((value, key) => own(value, key), copy);
    const key = issue.path.at(-1);
    const value = own(holder, key);
    const takesText = issue.code === "invalid_union" || issue.expected === "string";
    const isId = takesText && /id$/i.test(String(key));
    const parsed =
      typeof value === "string"
        ? parseJson(value)
        : isId && typeof value === "number"
          ? `${value}`
          : undefined;
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

/** A valid call shows the shape. A deferred tool may be called before it was described: its schema says the rest. */
function hint(tool: Tool): string {
  const example = tool.examples.find(({ input }) => Object.keys(input).length > 0) ?? tool.examples[0];
  const call = example ? `\nA valid call: ${tool.name}(${JSON.stringify(example.input)})` : "";
  if (tool.loading !== "deferred") return call;
  return `${call}\nIts input: ${JSON.stringify(leanSchema(inputSchemaOf(tool)))}`;
}
