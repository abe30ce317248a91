import { Failure } from "../failure/failure.ts";
import { localOrigin } from "../text/local-origin.ts";
import type { Web } from "../web/web.ts";

/**
 * For what a server leads to beyond its own origin: under the guard of the web, which reaches public addresses only. Never for what the
 * person's settings name themselves.
 */
export function fetchBeyond(web: () => Promise<Web>) {
  return async (url: URL, init: RequestInit): Promise<Response> => {
    // The guard opens the local origin that a call was approved for; nobody approved this one.
    if (localOrigin(url) !== undefined)
      throw new Failure("URL_NOT_ALLOWED", `${url.href} is not allowed: it is on this machine.`);
    const sent = new Request(url, init);
    const body = await sent.text();
    const { send } = await web();
    const { status, headers, bytes } = await send({
      url,
      method: sent.method === "POST" ? "POST" : "GET",
      headers: Object.fromEntries(sent.headers),
      ...(body !== "" && { body }),
      signal: sent.signal,
    });
    const { "content-encoding": _, "content-length": __, ...others } = headers;
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers: others });
  };
}
