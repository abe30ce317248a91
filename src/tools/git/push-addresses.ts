import { isIP } from "node:net";
import { Failure } from "../../failure/failure.ts";
import type { Effect } from "../../tool/effects.ts";
import { isOnThisMachine } from "../../web/address.ts";
import { hostOf, isPublicHost, systemResolve } from "../../web/guard.ts";

/** Addresses of remotes as rules know them: with the repository, so that a rule about one says nothing about another. */
export function addressesOf(remotes: readonly string[]): URL[] {
  return remotes.flatMap((remote) => {
    // `user@host:owner/name`
    const [, shortHost, shortPath] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.*)$/s.exec(remote) ?? [];
    const parsed = URL.parse(shortHost === undefined ? remote : `https://${shortHost}/${shortPath}`);
    if (!parsed || parsed.host === "") return [];
    const scheme = parsed.protocol === "http:" ? "http" : "https";
    const path = parsed.pathname.replace(/^\/*/, "/").replace(/\/*$/, "/");
    return URL.parse(`${scheme}://${parsed.host}${path}`) ?? [];
  });
}

/** One that is not on the public internet says so: only a person, or a rule that names exactly it, opens it. */
export function effectsOfPush(addresses: readonly URL[]): Effect[] {
  const known = new Map(addresses.map((url) => [url.href, url]));
  return [...known.values()].map((url) => ({
    ...{ kind: "fetch", url: url.href, method: "POST" },
    ...(!isPublicHost(hostOf(url)) && { local: url.origin }),
  }));
}

/**
 * Arguments that make git reach what was judged: no redirect, and the addresses that a name has now. A name on the internet that
 * leads to this machine is refused.
 */
export async function pinned(addresses: readonly URL[]): Promise<string[]> {
  const pins: string[] = [];
  for (const url of addresses) {
    const host = hostOf(url);
    if (isIP(host) || !isPublicHost(host)) continue;
    const found = await systemResolve(host).catch(() => []);
    const here = found.find(({ address }) => isOnThisMachine(address));
    if (here)
      throw new Failure(
        "URL_NOT_ALLOWED",
        `${host} has the address ${here.address}, which is this machine. Nothing was pushed.`,
      );
    const port = url.port || (url.protocol === "http:" ? "80" : "443");
    const list = found.map(({ address, family }) => (family === 6 ? `[${address}]` : address)).join(",");
    if (list !== "") pins.push("-c", `http.curloptResolve=${host}:${port}:${list}`);
  }
  return ["-c", "http.followRedirects=false", ...pins];
}
