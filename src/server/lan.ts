import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import { type Certificate, fingerprintOf, isGoodFor, makeCertificate } from "./certificate.ts";
import { listen } from "./http-server.ts";

/** The page on the local network: one port on each private address, with TLS. */
export interface LanListener {
  /** `https://192.168.1.5:4142`, one for each address. */
  origins: string[];
  /** SHA-256 of the certificate. */
  fingerprint: string;
  close(): void;
}

/** Private IPv4 addresses of this machine; a public one is never listened on. */
export function privateAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all
    .filter(({ internal, family, address }) => !internal && family === "IPv4" && isPrivate(address))
    .map(({ address }) => address);
}

/** Whether an IPv4 address is one of a private network. */
export function isPrivate(address: string): boolean {
  // 100.64/10 is also what private networks over the internet use.
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(
    address,
  );
}

/** More devices than a household has do not connect at once, and one device alone does not take all places. */
const mostConnections = 200;
const mostOfOneDevice = 40;

export async function listenOnLan(
  { addresses, port, stateDir }: { addresses: readonly string[]; port: number; stateDir: string },
  answer: (hosts: ReadonlySet<string>) => RequestListener,
): Promise<LanListener> {
  if (addresses.length === 0)
    throw new Failure(
      "UNAVAILABLE",
      "This machine has no private network address. Connect it to a network, or name an address with --host.",
    );
  const certificate = keptCertificate(stateDir, addresses);
  const hosts = new Set<string>();
  const servers = addresses.map(() =>
    createServer({ ...certificate, minVersion: "TLSv1.2", handshakeTimeout: 10_000 }, answer(hosts)),
  );
  const close = () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  try {
    let chosen = port;
    for (const [at, server] of servers.entries()) {
      server.maxConnections = mostConnections;
      limitEachDevice(server);
      // The first address chooses a free port, the others have the same.
      const address = addresses[at] ?? "";
      chosen = await (at === 0 ? listenOrAny(server, chosen, address) : listen(server, chosen, address));
      hosts.add(`${addresses[at]}:${chosen}`);
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    origins: [...hosts].map((host) => `https://${host}`),
    fingerprint: fingerprintOf(certificate.cert),
    close,
  };
}

function limitEachDevice(server: Server): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress: device = "" } = socket;
    const count = (open.get(device) ?? 0) + 1;
    open.set(device, count);
    socket.once("close", () => {
      const left = (open.get(device) ?? 1) - 1;
      if (left === 0) open.delete(device);
      else open.set(device, left);
    });
    if (count > mostOfOneDevice) socket.destroy();
  });
}

/** On this port, or on any that is free. */
async function listenOrAny(server: Server, port: number, address: string): Promise<number> {
  try {
    return await listen(server, port, address);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "CONFLICT")) throw error;
    return listen(server, 0, address);
  }
}

/** Made at the first use and kept, so that a device that accepted it once need not do so again. */
function keptCertificate(stateDir: string, addresses: readonly string[]): Certificate {
  const file = join(stateDir, "lan", "certificate.json");
  const known = read(file);
  if (known && isGoodFor(known.cert, addresses)) return known;
  const made = makeCertificate(addresses);
  writeAtomic(file, JSON.stringify(made));
  return made;
}

function read(file: string): Certificate | undefined {
  try {
    const { key, cert } = JSON.parse(readIfThere(file)?.toString() ?? "") as Partial<Certificate>;
    return typeof key === "string" && typeof cert === "string" ? { key, cert } : undefined;
  } catch {
    return undefined;
  }
}
