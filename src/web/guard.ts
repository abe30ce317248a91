import { lookup } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { Failure } from "../failure/failure.ts";
import { localOrigin } from "../text/local-origin.ts";
import { isPublicAddress } from "./address.ts";

/**
 * Checks every URL before a request leaves the machine and opens the allowed connection; nothing else opens
 * connections. A request without a `method` is a GET.
 */
export interface Guard {
  /** The parsed form of an allowed URL; only that form is ever used. Throws `URL_NOT_ALLOWED` with a `reason`. */
  judge(url: string | URL, method?: string): URL;
  /** Checks the target of a redirect. An approval is for one site and does not cover another. */
  judgeRedirect(from: URL, to: string, method?: string): URL;
  /** Resolves once, checks every address and connects only to the checked ones. The URL is checked again. */
  connect(url: URL, signal: AbortSignal, method?: string): Promise<Socket>;
}

export type Reason =
  | "bad-url"
  | "scheme"
  | "userinfo"
  | "port"
  | "ip"
  | "name"
  | "denylist"
  | "redirect"
  | "origin";

export interface Address {
  address: string;
  family: number;
}
export type Resolve = (hostname: string) => Promise<Address[]>;
export type Dial = (hostname: string, addresses: readonly Address[], port: number) => Socket;
/** What the user's rules say about a request. `ask` was answered before the call runs; `deny` applies to every request. */
export type UrlPolicy = (url: URL, method: string) => "allow" | "ask" | "deny";

export interface GuardOptions {
  policy: UrlPolicy;
  resolve: Resolve;
  dial: Dial;
  /** Whether a person allowed exactly this local origin. Omitted: none is allowed. */
  opened?: (origin: string) => boolean;
}

/**
 * The public web: http and https on their standard ports, public addresses only; and exactly the local origins that
 * were allowed.
 */
export function publicGuard({ policy, resolve, dial, opened = () => false }: GuardOptions): Guard {
  const judge = (input: string | URL, method = "GET"): URL => {
    const url = parse(input);
    const local = localOrigin(url);
    if (local !== undefined && opened(local)) {
      if (policy(url, method) === "deny") refuse("denylist", url, `the user's rules deny '${local}'`);
      return url;
    }
    if (url.protocol !== "http:" && url.protocol !== "https:")
      refuse("scheme", url, `'${url.protocol}' is not fetched; only http: and https: are`);
    if (url.username || url.password)
      refuse("userinfo", url, "it carries a user name or password; leave them out");
    if (url.port && url.port !== "80" && url.port !== "443")
      refuse("port", url, `port ${url.port} is not reached; only 80 and 443 are`);
    const host = hostOf(url);
    if (!isPublicHost(host))
      if (isIP(host)) refuse("ip", url, `${host} is not an address on the public internet`);
      else refuse("name", url, `'${host}' is not a name on the public internet`);
    if (policy(url, method) === "deny") refuse("denylist", url, `the user's rules deny '${host}'`);
    return url;
  };
  return {
    judge,
    judgeRedirect(from, to, method = "GET") {
      const url = judge(resolveAgainst(from, to), method);
      if (localOrigin(url) !== undefined && localOrigin(url) !== localOrigin(from))
        refuse("redirect", url, `${from.host} redirects there, and it is on this machine`);
      if (from.protocol === "https:" && url.protocol === "http:")
        refuse("scheme", url, "it is a redirect from https: down to http:");
      if (!isSameSite(from, url) && policy(url, method) !== "allow")
        refuse(
          "redirect",
          url,
          `${from.host} redirects there, and it is another site. Fetch that URL itself`,
        );
      return url;
    },
    async connect(target, signal, method) {
      const url = judge(target, method);
      const host = hostOf(url);
      // Local names are not looked up in DNS.
      if (localOrigin(url) !== undefined)
        return dial(host, isIP(host) ? [{ address: host, family: isIP(host) }] : loopback, portOf(url));
      const addresses = isIP(host)
        ? [{ address: host, family: isIP(host) }]
        : await abortable(resolve(host), signal);
      if (addresses.length === 0) throw new Failure("NETWORK_ERROR", `'${host}' has no address.`);
      const bad = addresses.find(({ address }) => !isPublicAddress(address));
      if (bad) refuse("ip", url, `'${host}' resolves to ${bad.address}, which is not on the public internet`);
      return dial(host, addresses, portOf(url));
    },
  };
}

const loopback: readonly Address[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** One service that the user's settings name, wherever it runs: exactly this origin and nothing else. */
export function originGuard(origin: string): Guard {
  const allowed = new URL(origin).origin;
  const judge = (input: string | URL): URL => {
    const url = parse(input);
    if (url.origin !== allowed) refuse("origin", url, `only ${allowed} is reached for this`);
    return url;
  };
  return {
    judge,
    judgeRedirect: (from, to) => judge(resolveAgainst(from, to)),
    async connect(target, signal) {
      const host = hostOf(judge(target));
      const addresses = isIP(host)
        ? [{ address: host, family: isIP(host) }]
        : await abortable(systemResolve(host), signal);
      return systemDial(host, addresses, portOf(target));
    },
  };
}

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, order: "verbatim" });

/** Node tries these addresses one after the other, and no others. */
export const systemDial: Dial = (hostname, addresses, port) =>
  connect({
    host: hostname,
    port,
    autoSelectFamily: true,
    // On a busy machine an address may answer late; the next one is tried soon enough.
    autoSelectFamilyAttemptTimeout: 2_000,
    lookup: (_host, options, done) => {
      const [first] = addresses;
      if (options.all) done(null, [...addresses]);
      else done(null, first?.address ?? "", first?.family);
    },
  });

/** The host as it is dialled: no brackets, no trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}

function parse(input: string | URL): URL {
  const url = URL.parse(String(input));
  if (!url) refuse("bad-url", input, "it is not a URL. Give a whole one, such as https://example.com/page");
  return url;
}

function resolveAgainst(from: URL, to: string): URL {
  const url = URL.parse(to, from.href);
  if (!url) refuse("bad-url", to, `${from.host} redirects there, and it is not a URL`);
  return url;
}

/** The same host, or one with and one without `www.`. */
function isSameSite(a: URL, b: URL): boolean {
  const bare = (url: URL) => hostOf(url).replace(/^www\./, "");
  return bare(a) === bare(b);
}

/** By its form alone: nothing is looked up. */
export function isPublicHost(host: string): boolean {
  return isIP(host) ? isPublicAddress(host) : isPublicName(host);
}

function isPublicName(host: string): boolean {
  const labels = host.split(".");
  if (labels.length < 2 || !labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) return false;
  return !privateSuffixes.some((suffix) => `.${host}`.endsWith(`.${suffix}`));
}

const privateSuffixes = [
  "localhost",
  "local",
  "internal",
  "lan",
  "corp",
  "home",
  "intranet",
  "home.arpa",
  "onion",
  "test",
  "invalid",
  "example",
];

function refuse(reason: Reason, url: string | URL, because: string): never {
  const shown = String(url).slice(0, 200);
  throw new Failure("URL_NOT_ALLOWED", `${shown} is not allowed: ${because}.`, { reason, url: shown });
}

async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
