import { z } from "zod";
import type { Tool } from "../tool/tool.ts";

/** Other names that models use for parameters. A name may have several meanings: the one that the tool has is used. */
const others: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    revision: ["ref", "commit", "rev", "sha", "hash", "treeish"],
    path: ["file", "filePath", "fileName", "filename", "directory", "dir", "folder"],
    file: ["path", "filePath", "fileName", "filename"],
    paths: ["files", "filePaths", "path", "file"],
    reads: ["paths", "files", "symbols", "places"],
    from: ["source", "oldPath"],
    to: ["destination", "target", "newPath", "newName"],
    startLine: ["start", "line", "lineStart", "offset", "from"],
    endLine: ["end", "lineEnd"],
    numLines: ["limit", "count", "lines"],
    pattern: ["regex", "query", "glob"],
    query: ["pattern", "question", "q", "text"],
    include: ["glob", "filePattern"],
    filePattern: ["glob", "include"],
    content: ["text", "contents", "fileText"],
    code: ["script", "command", "cmd"],
    symbol: ["name", "identifier"],
    target: ["symbol", "name"],
    patch: ["diff", "input"],
    edits: ["replacements", "changes"],
    oldText: ["oldString", "oldStr", "search", "old"],
    newText: ["newString", "newStr", "replace", "new"],
    stepId: ["step", "id"],
    id: ["documentId", "document"],
    changeId: ["id", "change", "changeIds"],
    limit: ["maxResults", "max", "numResults"],
    url: ["uri", "href"],
  }),
);

const plain = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();

/**
 * The input with its parameters under the names that the tool has for them. Where it is not clear which one is meant, or that
 * one is given as well, the input stays as it is and is refused with the tool's own names.
 */
export function withOwnNames(tool: Tool, given: unknown): unknown {
  return renamed(tool.input, given);
}

function renamed(schema: z.core.$ZodType, given: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(given))
    return given.map((one) => renamed(inner.element, one));
  if (!(inner instanceof z.ZodObject) || !isRecord(given)) return given;
  const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape;
  const isOpen = inner.def.catchall !== undefined;
  const taken = new Set(Object.keys(given));
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
    const own =
      isOpen || Object.hasOwn(shape, name) ? name : (ownName(name, Object.keys(shape), taken) ?? name);
    taken.add(own);
    if (!Object.hasOwn(shape, own)) return [own, value];
    const its = shape[own] as z.core.$ZodType;
    // `path` for `paths` has one of them.
    const isOneOfMany = own !== name && typeof value === "string" && unwrapped(its) instanceof z.ZodArray;
    return [own, renamed(its, isOneOfMany ? [value] : value)];
  });
  return Object.fromEntries(entries);
}

/** The one parameter that a name means and that is not given. */
function ownName(name: string, names: readonly string[], taken: ReadonlySet<string>): string | undefined {
  const free = names.filter((own) => !taken.has(own));
  const spelled = free.filter((own) => plain(own) === plain(name));
  const meant = free.filter((own) => others.get(own)?.some((other) => plain(other) === plain(name)));
  const [only, another] = spelled.length > 0 ? spelled : meant;
  return another === undefined ? only : undefined;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap());
  return schema;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
