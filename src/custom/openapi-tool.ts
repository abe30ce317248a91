import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { sha256 } from "../text/digest.ts";
import { fencedLines } from "../text/fenced-lines.ts";
import { untrustedFrom } from "../text/untrusted.ts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { defineTool } from "../tool/define-tool.ts";
import { fetchEffect } from "../tool/effects.ts";
import { schemaFrom } from "../tool/from-json-schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { ApiMethod, Operation } from "./openapi-file.ts";

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
  /** True if these are the person's own settings: they may name a server of this machine or of a private network. */
  isOwn: boolean;
  headers: Readonly<Record<string, string>>;
  /** For every other address: judged for each request, like that of a page. */
  web(): Promise<GuardedWeb>;
}

interface GuardedWeb {
  check(url: string): URL;
  send(request: {
    url: URL;
    method: ApiMethod;
    headers: Readonly<Record<string, string>>;
    body?: string;
    maxBytes: number;
    signal: AbortSignal;
  }): Promise<{ url: string; status: number; bytes: Buffer }>;
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
    effects: async (given) => {
      const { href } = urlOf(operation, given, target.baseUrl);
      if (target.isOwn) return [{ kind: "fetch", url: href, method }];
      return [fetchEffect((await target.web()).check(href).href, method)];
    },
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
  { baseUrl, headers: ofSettings, isOwn, web }: ApiTarget,
  signal: AbortSignal,
): Promise<z.infer<typeof output>> {
  const named = operation.parameters.filter(
    ({ in: place, name }) => place === "header" && given[name] !== undefined,
  );
  const url = urlOf(operation, given, baseUrl);
  const hasBody = given["body"] !== undefined;
  const sent = {
    method: operation.method,
    signal,
    headers: {
      ...Object.fromEntries(named.map(({ name }) => [name, String(given[name])])),
      ...(hasBody && { "content-type": "application/json" }),
      ...ofSettings,
    },
    ...(hasBody && { body: JSON.stringify(given["body"]) }),
  };
  if (!isOwn) {
    const answer = await (await web()).send({ ...sent, url, maxBytes });
    const body = answer.bytes.toString();
    return { status: answer.status, body, provenance: untrustedFrom(answer.url, body) };
  }
  const response = await fetch(url, { ...sent, redirect: "manual" }).catch((error: Error) => {
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
