import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256 } from "../text/digest.ts";

export interface Refusal {
  status: 400 | 401 | 403 | 405 | 415 | 421;
  message: string;
}

export interface GuardOptions {
  /** `host:port` under which the server may be addressed. */
  hosts: ReadonlySet<string>;
  /** The token that a path needs; none for the page itself, which holds no data. */
  tokenFor(path: string): string | undefined;
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * Every request, before anything else looks at it. Any web page and any program on this machine can reach a loopback port,
 * so being reached proves nothing: the name must be ours (else a foreign domain could be rebound to us), a browser must
 * come from our own page, and whoever wants data must know the token.
 */
export function judgeRequest(request: IncomingMessage, options: GuardOptions): Refusal | undefined {
  const { method = "", url = "", headers } = request;
  if (!url.startsWith("/")) return refuse(400, "Ask for a path, not for a whole address.");
  const hosts = valuesOf(request, "host");
  if (hosts.length !== 1) return refuse(400, "Send exactly one Host header.");
  const [host = ""] = hosts;
  if (!options.hosts.has(host))
    return refuse(421, "This server does not answer under that name. Use the printed address.");
  const origins = valuesOf(request, "origin");
  if (origins.some((origin) => origin !== `http://${host}`))
    return refuse(403, "Other sites may not use this server.");
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return refuse(403, "Other sites may not use this server.");
  if (method === "OPTIONS") return refuse(403, "There is no cross-origin access to this server.");
  if (!methods.has(method)) return refuse(405, "This method is not used here.");
  if (carriesBody(request) && !/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return refuse(415, "Bodies must be application/json.");
  const token = options.tokenFor(url.split("?")[0] ?? "");
  if (token !== undefined && !knows(headers.authorization, token))
    return refuse(401, "The token is missing or wrong. Use what Wield printed when it started.");
  return undefined;
}

function refuse(status: Refusal["status"], message: string): Refusal {
  return { status, message };
}

/** All values as they came over the wire: Node keeps only the first of a repeated Host. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

function carriesBody({ method, headers }: IncomingMessage): boolean {
  if (method === "POST" || method === "PUT" || method === "PATCH") return true;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Compared as digests of equal length, so that the time tells nothing. */
function knows(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}
