import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Failure } from "../failure/failure.ts";
import { visibleLine } from "../text/visible.ts";
import type { ConnectionParts } from "./connection-parts.ts";
import { guardedFetch, isLoopback, Provider } from "./oauth.ts";
import { expanded, type RemoteConfig } from "./server-config.ts";

export interface SignInParts {
  tokensFile: string;
  env: Readonly<Record<string, string | undefined>>;
  beyond: ConnectionParts["beyond"];
  /** Shows the page of the authorization server to the person. */
  open(url: string): void;
  signal: AbortSignal;
}

/**
 * OAuth 2.1 for one server: an authorization code with PKCE, brought back by the browser to an address on this machine that
 * is there for this once. The tokens are stored; connections find and refresh them.
 */
export async function signIn(name: string, config: RemoteConfig, parts: SignInParts): Promise<void> {
  const state = randomBytes(16).toString("base64url");
  await using callback = await listenForCallback(config.oauth?.port ?? 0, state);
  const provider = new Provider(config, parts.tokensFile, parts.env, {
    redirectUrl: callback.url,
    state,
    open: (url) => parts.open(presentable(url, config)),
  });
  // A registration names its redirect address, and this one is new. An earlier sign-in must not be taken for this one.
  provider.invalidateCredentials("all");
  const headers = expanded(config.headers, parts.env);
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    requestInit: { headers },
    fetch: guardedFetch(config.url, headers, parts.beyond),
    authProvider: provider,
  });
  const client = new Client({ name: "wield", version: process.env["WIELD_VERSION"] ?? "0" });
  try {
    const opened = await client.connect(transport, { signal: parts.signal }).then(
      () => true,
      (error: Error) => {
        if (callback.expected()) return false;
        throw new Failure("UNAVAILABLE", `${name} cannot be signed in to: ${visibleLine(error.message)}`);
      },
    );
    if (opened) throw new Failure("INVALID_INPUT", `${name} answers without a sign-in.`);
    const params = await callback.params(parts.signal);
    await transport.finishAuth(params).catch((error: Error) => {
      throw new Failure("UNAVAILABLE", `The sign-in to ${name} failed: ${visibleLine(error.message)}`);
    });
  } finally {
    await transport.close();
    await client.close();
  }

  function presentable(url: URL, { url: server }: RemoteConfig): string {
    const isSafe = url.protocol === "https:" || (isLoopback(url) && isLoopback(new URL(server)));
    if (!isSafe)
      throw new Failure("PERMISSION_DENIED", `${name} wants a sign-in at ${url.origin}: not https.`);
    callback.expect();
    return url.href;
  }
}

interface Callback extends AsyncDisposable {
  url: string;
  /** Set once a person was sent to sign in. */
  expect(): void;
  expected(): boolean;
  params(signal: AbortSignal): Promise<URLSearchParams>;
}

/** Takes the one request that brings the right state; everything else is told that nothing waits for it. */
async function listenForCallback(port: number, state: string): Promise<Callback> {
  const arrived = Promise.withResolvers<URLSearchParams>();
  let isExpected = false;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const isOurs = pathname === "/callback" && isSame(searchParams.get("state") ?? "", state);
    response.writeHead(isOurs ? 200 : 404, {
      "content-type": "text/plain; charset=utf-8",
      connection: "close",
    });
    response.end(isOurs ? "Wield has the answer. You can close this page.\n" : "Nothing waits here.\n");
    if (isOurs) arrived.resolve(searchParams);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    expect: () => {
      isExpected = true;
    },
    expected: () => isExpected,
    params: async (signal) => {
      const aborted = Promise.withResolvers<never>();
      const stop = () => aborted.reject(new Failure("ABORTED", "The sign-in was not finished."));
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      try {
        return await Promise.race([arrived.promise, aborted.promise]);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
