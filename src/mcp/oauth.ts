import type {
  FetchLike,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { Failure } from "../failure/failure.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import { expanded, type RemoteConfig } from "./server-config.ts";

/** What is kept for one server: its sign-in, and how Wield is known to its authorization server. */
interface SignIn {
  tokens?: StoredOAuthTokens;
  client?: StoredOAuthClientInformation;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The sign-in that is stored for a server, refreshed when it expires; undefined when there is none, or when the settings
 * give an Authorization header of their own.
 */
export function storedProvider(config: RemoteConfig, file: string, env: Env): Provider | undefined {
  const isGiven = Object.keys(config.headers).some((header) => header.toLowerCase() === "authorization");
  return isGiven || !readSignIn(file, config.url).tokens ? undefined : new Provider(config, file, env);
}

export function forgetSignIn(file: string, url: string): boolean {
  const known = readSignIn(file, url).tokens !== undefined;
  change(file, url, () => undefined);
  return known;
}

/** Wield as an OAuth client of one server. The file is readable by its owner alone; the code verifier is never stored. */
export class Provider implements OAuthClientProvider {
  readonly #config: RemoteConfig;
  readonly #file: string;
  readonly #env: Env;
  readonly #interactive: { redirectUrl: string; state: string; open(url: URL): void } | undefined;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;
  readonly clientMetadataUrl?: string;

  /** `interactive`: a person is there who can sign in. */
  constructor(
    config: RemoteConfig,
    file: string,
    env: Env,
    interactive?: { redirectUrl: string; state: string; open(url: URL): void },
  ) {
    this.#config = config;
    this.#file = file;
    this.#env = env;
    this.#interactive = interactive;
    const { clientMetadataUrl } = config.oauth ?? {};
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  get redirectUrl(): string {
    return this.#interactive?.redirectUrl ?? "http://127.0.0.1/callback";
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope } = this.#config.oauth ?? {};
    return {
      client_name: "Wield",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
      ...(scope !== undefined && { scope }),
    };
  }

  state(): string {
    return this.#interactive?.state ?? "";
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#config.oauth ?? {};
    if (clientId === undefined) return readSignIn(this.#file, this.#config.url).client;
    if (clientSecret === undefined) return { client_id: clientId };
    return {
      client_id: clientId,
      client_secret: expanded({ secret: clientSecret }, this.#env)["secret"] ?? "",
    };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    change(this.#file, this.#config.url, (known) => ({ ...known, client }));
  }

  tokens(): StoredOAuthTokens | undefined {
    return readSignIn(this.#file, this.#config.url).tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    change(this.#file, this.#config.url, (known) => ({ ...known, tokens }));
  }

  redirectToAuthorization(url: URL): void {
    if (!this.#interactive) throw new Failure("UNAVAILABLE", "its sign-in has expired");
    this.#interactive.open(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  /** The code is redeemed where the person was sent to, and nowhere else. */
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  invalidateCredentials(what: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    change(this.#file, this.#config.url, ({ tokens, client } = {}) => ({
      ...(what !== "all" && what !== "tokens" && tokens && { tokens }),
      ...(what !== "all" && what !== "client" && client && { client }),
    }));
  }
}

/**
 * A server names the addresses of its authorization server, and may name any: beyond its own origin they are https on the public web, or
 * on this machine when the server is too. A private network may have both: there the other host is of the same domain. Redirects
 * are judged in the same way. The headers of the settings go to the server's own origin alone, and a redirect to another origin takes
 * no credentials along.
 */
export function guardedFetch(
  serverUrl: string,
  headersOfServer: Readonly<Record<string, string>>,
  beyond: (url: URL, init: RequestInit) => Promise<Response>,
): FetchLike {
  const own = new URL(serverUrl);
  const isNear = (url: URL) => url.origin === own.origin || (isLoopback(url) && isLoopback(own));
  return async (given, init) => {
    let url = new URL(given);
    const headers = new Headers(init?.headers);
    if (url.origin !== own.origin) for (const name of Object.keys(headersOfServer)) headers.delete(name);
    for (let redirects = 0; ; redirects++) {
      if (!isNear(url) && url.protocol !== "https:")
        throw new Error(`${own.host} leads to ${url.origin}, which is not https`);
      const request = { ...init, headers, redirect: "manual" as const };
      const isReached = isNear(url) || isOfSameDomain(url, own);
      const response = await (isReached ? fetch(url, request) : beyond(url, request));
      const location = response.headers.get("location");
      const follows = (init?.method ?? "GET") === "GET" && response.status >= 300 && response.status < 400;
      if (!follows || location === null || redirects === 3) return response;
      const next = new URL(location, url);
      if (next.origin !== url.origin)
        for (const name of [...headers.keys()]) if (!ofEveryRequest.has(name)) headers.delete(name);
      url = next;
    }
  };
}

/** What says nothing about who asks. */
const ofEveryRequest = new Set([
  "accept",
  "accept-language",
  "content-type",
  "mcp-protocol-version",
  "user-agent",
]);

/** `sso.corp.example` for `mcp.corp.example`. */
function isOfSameDomain(one: URL, other: URL): boolean {
  const domain = ({ hostname }: URL) =>
    /[a-z]/i.test(hostname) ? hostname.split(".").slice(1).join(".") : "";
  return domain(one).includes(".") && domain(one) === domain(other);
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

function readSignIn(file: string, url: string): SignIn {
  return readAll(file)[url] ?? {};
}

function change(file: string, url: string, to: (known: SignIn | undefined) => SignIn | undefined): void {
  const { [url]: known, ...others } = readAll(file);
  const changed = to(known);
  writeAtomic(file, `${JSON.stringify(changed ? { ...others, [url]: changed } : others, null, 2)}\n`);
}

/** A damaged file holds no sign-in. */
function readAll(file: string): Record<string, SignIn> {
  try {
    return JSON.parse(readIfThere(file)?.toString() ?? "{}");
  } catch {
    return {};
  }
}
