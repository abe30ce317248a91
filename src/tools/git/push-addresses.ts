import { isIP } from "node:net";
import { Failure } from "../../failure/failure.ts";
import type { Effect } from "../../tool/effects.ts";
import { isOnThisMachine } from "../../web/address.ts";
import { hostOf, isPublicHost, systemResolve } from "../../web/guard.ts";

/** Addresses of remotes as rules know them: with the repository, so that a rule about one says nothing about another. */
export function addressesOf(remotes: readonly string[]): URL[] {
  return remotes.flatMap((remote) => {
    if (/^\.{0,2}\/|^file:/.test(remote)) return [];
    const parts = partsOf(remote);
    const url =
      parts && URL.parse(`${parts.scheme}://${parts.host}/${parts.path.replace(/^\/+|\/+$/g, "")}/`);
    return url || unreadable;
  });
}

/** What cannot be read is asked about each time: it names no host that a rule could know. */
const unreadable = new URL("https://unreadable.invalid/");

function partsOf(remote: string): { scheme: string; host: string; path: string } | undefined {
  // `http::https://…` names a helper first.
  const plain = remote.replace(/^[\w+.-]+::(?=\w)/, "");
  const bracketed = /^(?:([\w+.-]+):\/\/)?(?:[^@/\s]+@)?\[([^\]]+)\](?::\d+)?[:/](.*)$/s.exec(plain);
  if (bracketed) {
    const [, scheme = "ssh", inside = "", path = ""] = bracketed;
    // An address of IPv6, or `[host:port]`.
    const host = (inside.match(/:/g) ?? []).length > 1 ? `[${inside}]` : inside.replace(/:\d+$/, "");
    return { scheme: scheme === "http" ? "http" : "https", host, path };
  }
  const short = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.*)$/s.exec(plain);
  if (short) return { scheme: "https", host: short[1] ?? "", path: short[2] ?? "" };
  const url = URL.parse(plain);
  if (!url || url.host === "") return undefined;
  return { scheme: url.protocol === "http:" ? "http" : "https", host: url.host, path: url.pathname };
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
