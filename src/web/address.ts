import { BlockList, isIP } from "node:net";

/**
 * True for an address on the open internet. Everything else is refused: private, loopback, link-local, metadata,
 * documentation, multicast, and every IPv6 form that carries an IPv4 address to somewhere else.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reservedV4.check(address, "ipv4");
  // A zone (`fe80::1%eth0`) only makes sense on a local link.
  if (family !== 6 || address.includes("%")) return false;
  const mapped = mappedV4(address);
  if (mapped) return isPublicAddress(mapped);
  return globalV6.check(address, "ipv6") && !reservedV6.check(address, "ipv6");
}

/** Loopback, or an address that leads to the machine's own link (metadata of a cloud). */
export function isOnThisMachine(address: string): boolean {
  const plain = isIP(address) === 6 ? (mappedV4(address.replace(/%.*$/, "")) ?? address) : address;
  return /^(127|0)\.|^169\.254\.|^168\.63\.129\.16$|^::1?$|^fe[89ab]/i.test(plain);
}

/** `::ffff:a.b.c.d` in any spelling is the IPv4 address itself: the URL parser has made the spelling canonical. */
function mappedV4(address: string): string | undefined {
  const groups = /^\[?::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]?$/.exec(
    new URL(`http://[${address}]`).hostname,
  );
  if (!groups) return undefined;
  const high = Number.parseInt(groups[1] ?? "", 16);
  const low = Number.parseInt(groups[2] ?? "", 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function blockList(family: "ipv4" | "ipv6", ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = "", bits = ""] = range.split("/");
    list.addSubnet(net, Number(bits), family);
  }
  return list;
}

const reservedV4 = blockList("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32", // a cloud's metadata and DNS, reachable only from inside it
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

/** Only this range is handed out for use on the internet; loopback, local, mapped and translated forms lie outside it. */
const globalV6 = blockList("ipv6", ["2000::/3"]);

const reservedV6 = blockList("ipv6", [
  "2001::/23", // Teredo and other protocol assignments
  "2001:db8::/32",
  "2002::/16", // 6to4
  "3fff::/20",
]);
