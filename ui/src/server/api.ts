import type { ToolError } from "../../../src/failure/failure.ts";
import { enter, token } from "./token.ts";

/** An error response, with the server's message. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, message }: ToolError) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A request with the page's token. A server that was started again gives a new one to whoever has its key. */
export async function request(
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Response> {
  const once = () =>
    fetch(`/api${path}`, { ...init, headers: { ...headers, authorization: `Bearer ${token()}` } });
  const response = await once();
  return response.status === 401 && (await enter()) ? once() : response;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return read<T>(await request(path, signal && { signal }));
}

export async function send<T>(
  path: string,
  body: unknown = {},
  options: { method?: "POST" | "PATCH" | "DELETE"; signal?: AbortSignal } = {},
): Promise<T> {
  return read<T>(
    await request(path, {
      method: options.method ?? "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(options.signal && { signal: options.signal }),
    }),
  );
}

async function read<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const fallback = {
    code: "INTERNAL_ERROR",
    message: `The server responded with status ${response.status}.`,
  };
  const { error = fallback } = (await response.json().catch(() => ({}))) as { error?: ToolError };
  throw new RequestError(response.status, error);
}

/** Told once, by the banner, while the connection is lost. */
export const unreachable = "Wield is not reachable. Check that it is still running.";

/** The request did not reach the server, or its response was lost. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError;
}

/** Neither the request nor what it asks for is wrong: the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof RequestError && error.status === 503);
}

export function wordsOf(error: unknown): string {
  if (isUnreachable(error)) return unreachable;
  return error instanceof Error ? error.message : String(error);
}
