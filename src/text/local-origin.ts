/**
 * The origin (scheme, host, port) of an address on this machine: `localhost`, a name below it, or a loopback address; undefined
 * for every other address. Only the parsed form counts, so `127.1` is `127.0.0.1`.
 */
export function localOrigin(address: string | URL): string | undefined {
  const url = URL.parse(String(address));
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  const { hostname } = url;
  const isLocal = /^(?:[a-z0-9_-]+\.)*localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
  return isLocal ? url.origin : undefined;
}
