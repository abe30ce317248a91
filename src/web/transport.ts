import {
  request as httpRequest,
  type IncomingMessage,
  validateHeaderName,
  validateHeaderValue,
} from "node:http";
import { isIP, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { connect as tlsConnect } from "node:tls";
import { Failure } from "../failure/failure.ts";
import { readBody } from "./body.ts";
import { type Guard, hostOf } from "./guard.ts";

type Method = "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE";

export interface WebRequest {
  url: string | URL;
  method?: Method;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** For the whole request: name lookup, connections, redirects, the last byte. Default 30 s. */
  timeoutMs?: number;
  /** The limit for the body, both compressed and decompressed. Default 10 MB. */
  maxBytes?: number;
  /** Looks at a response before its body is read; throws to refuse it. */
  inspect?: (response: ResponseHead) => void;
  signal?: AbortSignal;
}

export interface ResponseHead {
  /** Where the response came from, after redirects. */
  url: string;
  status: number;
  headers: Record<string, string>;
}

export interface WebResponse extends ResponseHead {
  bytes: Buffer;
}

/** Sends one request under a guard. No cookies, no pooled connections, no proxy from the environment. */
export type Send = (request: WebRequest) => Promise<WebResponse>;

const maxRedirects = 5;

export function createSend(guard: Guard, defaults: { timeoutMs: number; maxBytes: number }): Send {
  return async (request) => {
    const timeoutMs = request.timeoutMs ?? defaults.timeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const maxBytes = request.maxBytes ?? defaults.maxBytes;
    let url = guard.judge(request.url, request.method);
    try {
      let hop: Hop = {
        method: request.method ?? "GET",
        headers: ownHeaders(request.headers ?? {}),
        ...(request.body !== undefined && { body: request.body }),
      };
      for (let redirects = 0; ; redirects++) {
        const response = await exchange(guard, url, hop, signal);
        const head = headOf(url, response);
        const location = redirectOf(head);
        if (location === undefined) {
          try {
            request.inspect?.(head);
            return { ...head, bytes: await readBody(response, maxBytes, signal) };
          } finally {
            response.destroy();
          }
        }
        response.destroy();
        if (redirects === maxRedirects)
          throw new Failure("NETWORK_ERROR", `${url.host} redirects more than ${maxRedirects} times.`);
        const next = guard.judgeRedirect(url, location, methodAfter(head.status, hop));
        hop = hopAfter(head.status, hop, url.origin === next.origin);
        url = next;
      }
    } catch (thrown) {
      throw describe(thrown, url, timeout.aborted ? timeoutMs : undefined, request.signal);
    }
  };
}

interface Hop {
  method: Method;
  headers: Record<string, string>;
  body?: string;
}

async function exchange(guard: Guard, url: URL, hop: Hop, signal: AbortSignal): Promise<IncomingMessage> {
  const plain = await guard.connect(url, signal, hop.method);
  const socket = url.protocol === "https:" ? secure(plain, hostOf(url)) : plain;
  const answered = Promise.withResolvers<IncomingMessage>();
  const outgoing = httpRequest({
    createConnection: () => socket,
    method: hop.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...hop.headers, host: url.host, connection: "close" },
    setHost: false,
    signal,
  });
  outgoing.on("response", answered.resolve);
  outgoing.on("error", (error) => {
    plain.destroy();
    answered.reject(error);
  });
  outgoing.end(hop.body);
  return answered.promise;
}

function secure(socket: Socket, host: string): Socket {
  return tlsConnect({
    socket,
    host,
    servername: isIP(host) ? "" : host,
    ALPNProtocols: ["http/1.1"],
  });
}

/** Headers that a caller may set. The others belong to the message framing or the connection. */
function ownHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {
    "user-agent": "Mozilla/5.0 (compatible; Wield)",
    accept: "text/html,application/xhtml+xml,text/markdown,application/json;q=0.9,*/*;q=0.8",
    "accept-language": "en,*;q=0.5",
  };
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (
      /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/.test(
        key,
      )
    )
      throw new Failure("INVALID_INPUT", `The header '${name}' cannot be set. Leave it out.`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new Failure(
        "INVALID_INPUT",
        `The header ${JSON.stringify(name)} contains characters that are not allowed in a header.`,
      );
    }
    headers[key] = value;
  }
  headers["accept-encoding"] = "gzip, deflate, br, zstd";
  return headers;
}

function headOf(url: URL, response: IncomingMessage): ResponseHead {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return { url: url.href, status: response.statusCode ?? 0, headers };
}

function redirectOf({ status, headers }: ResponseHead): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers["location"] : undefined;
}

/** The request as a browser would repeat it; the caller's headers are not sent to another origin. */
function hopAfter(status: number, hop: Hop, sameOrigin: boolean): Hop {
  const headers = sameOrigin
    ? { ...hop.headers }
    : Object.fromEntries(
        ["user-agent", "accept", "accept-language", "accept-encoding", "content-type"].flatMap((name) =>
          hop.headers[name] === undefined ? [] : [[name, hop.headers[name]]],
        ),
      );
  const method = methodAfter(status, hop);
  if (keepsBody(status, hop)) return { method, headers, body: hop.body };
  delete headers["content-type"];
  return { method, headers };
}

function keepsBody(status: number, hop: Hop): hop is Hop & { body: string } {
  return (status === 307 || status === 308) && hop.body !== undefined;
}

function methodAfter(status: number, hop: Hop): Method {
  return hop.method === "HEAD" || keepsBody(status, hop) ? hop.method : "GET";
}

function describe(
  thrown: unknown,
  url: URL,
  timedOutAfter: number | undefined,
  caller: AbortSignal | undefined,
): Failure {
  if (thrown instanceof Failure) return thrown;
  if (caller?.aborted) return new Failure("ABORTED", `The request to ${url.host} was cancelled.`);
  if (timedOutAfter !== undefined)
    return new Failure(
      "TIMEOUT",
      `${url.host} did not finish answering within ${timedOutAfter / 1000} s. Try again later, or with a longer timeout.`,
    );
  return asFailure(thrown, url.href);
}

/** A network error as a sentence. */
export function asFailure(thrown: unknown, url: string): Failure {
  if (thrown instanceof Failure) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return new Failure("NETWORK_ERROR", explain(code, message, new URL(url)), { cause: code || message });
}

/** Whether this machine has a network connection. */
function hasNetwork(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}

function explain(code: string, message: string, url: URL): string {
  if ((code === "ENOTFOUND" || code === "EAI_AGAIN") && !hasNetwork())
    return `${url.host} cannot be reached: this machine has no network connection.`;
  if (code === "ENOTFOUND")
    return `The name '${hostOf(url)}' was not found. Check the spelling, and whether this machine is online.`;
  if (code === "EAI_AGAIN") return `The name '${hostOf(url)}' could not be looked up. Is the machine online?`;
  if (code === "ECONNREFUSED") return `${url.host} refuses the connection.`;
  if (code === "ETIMEDOUT") return `${url.host} does not answer.`;
  if (code === "ECONNRESET") return `${url.host} closed the connection before the response was complete.`;
  if (/CERT|SIGNATURE|ISSUER|SELF_SIGNED|ALTNAME/.test(code))
    return `The certificate of ${url.host} is not valid (${message}). The request was not made, and no option overrides this.`;
  if (code.startsWith("HPE_")) return `${url.host} answered with a malformed HTTP response (${message}).`;
  return `The request to ${url.host} failed: ${message}.`;
}
