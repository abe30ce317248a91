import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { sha256 } from "../text/digest.ts";
import { fencedLines } from "../text/fenced-lines.ts";
import { untrustedFrom } from "../text/untrusted.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { defineTool } from "../tool/define-tool.ts";
import { schemaFrom } from "../tool/from-json-schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { Operation } from "./openapi-file.ts";

const maxBytes = 1_000_000;
const output = z.object({
  status: z.number(),
  body: z.string(),
  provenance: z.object({ source: z.string(), trust: z.literal("untrusted"), sha256: z.string() }),
});

export interface ApiTarget {
  api: string;
  baseUrl: string;
  /** True if the person's settings name the address, false if only the file does: any tool could change the file. */
  isChosen: boolean;
  headers: Readonly<Record<string, string>>;
  fetch: typeof globalThis.fetch;
}

/** One operation as a tool: deferred, in the category of its API. GET requests to an address from the settings run without asking; everything else asks. */
export function operationTool(operation: Operation, target: ApiTarget): Tool {
  const { parameters, body, method } = operation;
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.filter((p) => p.required).map((p) => p.name);
  const input = {
    type: "object",
    properties: { ...properties, ...(body && { body: body.schema }) },
    required: [...required, ...(body?.required ? ["body"] : [])],
  };
  // Keyed by the input object: the rendering names the call whose full result can be read.
  const calls = new WeakMap<object, string>();
  const reads = method === "GET" || method === "HEAD";
  return defineTool({
    name: toolName(target.api, operation.id),
    title: visibleLine(operation.id),
    description: visibleText(operation.description).slice(0, 2_000),
    category: target.api,
    loading: "deferred",
    input: schemaFrom(input),
    output,
    idempotent: method !== "POST" && method !== "PATCH",
    can: ["fetch"],
    approval: reads && target.isChosen ? "auto" : "ask",
    effects: (given) => [{ kind: "fetch", url: urlOf(operation, given, target.baseUrl).href, method }],
    execute: async (given, { signal, callId }) => {
      calls.set(given, callId);
      return request(operation, given, target, signal);
    },
    render: ({ status, body: text }, given) =>
      fencedLines(`HTTP ${status}\n${text}`, target.baseUrl, calls.get(given)),
  }) as unknown as Tool;
}

function toolName(api: string, id: string): string {
  const name = `${api}__${id.replaceAll(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_|_$/g, "")}`;
  return name.length <= 64 ? name : `${name.slice(0, 55)}_${sha256(name).slice(0, 8)}`;
}

function urlOf({ path, parameters }: Operation, given: Record<string, unknown>, baseUrl: string): URL {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = String(given[name]);
    // A value must not lead to another operation.
    if (["", ".", ".."].includes(value))
      throw new Failure(
        "INVALID_INPUT",
        `${name} must not be empty, '.' or '..': it is part of the address.`,
      );
    return encodeURIComponent(value);
  });
  const url = new URL(`${baseUrl.replace(/\/$/, "")}${filled}`);
  // A path without a leading slash would extend the host name.
  if (url.origin !== new URL(baseUrl).origin)
    throw new Failure("URL_NOT_ALLOWED", `${path} leads outside ${baseUrl}. Correct the path in the file.`);
  for (const { name, in: place } of parameters) {
    if (place !== "query" || given[name] === undefined) continue;
    for (const value of [given[name]].flat()) url.searchParams.append(name, String(value));
  }
  return url;
}

async function request(
  operation: Operation,
  given: Record<string, unknown>,
  { baseUrl, headers, fetch }: ApiTarget,
  signal: AbortSignal,
): Promise<z.infer<typeof output>> {
  const named = operation.parameters.filter(
    ({ in: place, name }) => place === "header" && given[name] !== undefined,
  );
  const response = await fetch(urlOf(operation, given, baseUrl), {
    method: operation.method,
    signal,
    redirect: "manual",
    headers: {
      ...Object.fromEntries(named.map(({ name }) => [name, String(given[name])])),
      ...(given["body"] !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(given["body"] !== undefined && { body: JSON.stringify(given["body"]) }),
  }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw new Failure(
      "NETWORK_ERROR",
      `The API could not be reached: ${cause}. Try again later, or check its address.`,
    );
  });
  const text = await textOf(response);
  return { status: response.status, body: text, provenance: untrustedFrom(response.url, text) };
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes)
      throw new Failure("TOO_LARGE", `The response is larger than ${maxBytes} bytes. Request less.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
