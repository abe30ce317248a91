import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sha256 } from "../text/digest.ts";

export interface Refusal {
  status: 400 | 401 | 403 | 405 | 415 | 421;
  message: string;
}

export interface GuardOptions {
  /** Default: http. */
  scheme?: "http" | "https";
  /** `host:port` under which the server may be addressed. */
  hosts: ReadonlySet<string>;
  /** Origins besides that of the Host itself, such as the public one of a server behind a proxy. */
  origins?: ReadonlySet<string>;
  /** What a request under another Host is told. */
  unknownHost?: string;
  /** The tokens of which a path requires one; undefined for the page itself, which contains no data. */
  tokensFor(path: string): readonly string[] | undefined;
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * Checks every request before anything else handles it. Any web page and any program on this machine can reach a loopback
 * port, so: the Host must be ours (against DNS rebinding), a browser's request must come from our own page, and data
 * requires the token.
 */
export function judgeRequest(request: IncomingMessage, options: GuardOptions): Refusal | undefined {
  const { method = "", url = "", headers } = request;
  if (!url.startsWith("/")) return refuse(400, "Request a path, not a full URL.");
  const hosts = valuesOf(request, "host");
  if (hosts.length !== 1) return refuse(400, "Send exactly one Host header.");
  const [host = ""] = hosts;
  if (!options.hosts.has(host))
    return refuse(421, options.unknownHost ?? "Unknown Host. Use the address that Wield printed.");
  const origins = valuesOf(request, "origin");
  const { scheme = "http" } = options;
  if (origins.some((origin) => origin !== `${scheme}://${host}` && !options.origins?.has(origin)))
    return refuse(403, "Requests from other sites are not allowed.");
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isOpenedFromBeside(request))
    return refuse(403, "Requests from other sites are not allowed.");
  if (method === "OPTIONS") return refuse(403, "Cross-origin requests are not allowed.");
  if (!methods.has(method)) return refuse(405, "Method not allowed.");
  if (carriesBody(request) && !/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return refuse(415, "Bodies must be application/json.");
  const tokens = options.tokensFor(url.split("?")[0] ?? "");
  if (tokens && !tokens.some((token) => knows(headers.authorization, token)))
    return refuse(401, "The token is missing or wrong. Open the address that Wield printed when it started.");
  return undefined;
}

/** The page itself, opened by a link from another port of this machine, such as Wield in another folder. It contains no data. */
function isOpenedFromBeside({ method, url, headers }: IncomingMessage): boolean {
  const isPage = method === "GET" && url === "/";
  const isOpened = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return isPage && isOpened && headers["sec-fetch-site"] === "same-site";
}

function refuse(status: Refusal["status"], message: string): Refusal {
  return { status, message };
}

/** All values as sent: Node keeps only the first of a repeated Host header. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

function carriesBody({ method, headers }: IncomingMessage): boolean {
  if (method === "POST" || method === "PUT" || method === "PATCH") return true;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Compares digests of equal length, so that timing reveals nothing. */
function knows(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}
