import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address, Dial, Resolve } from "./guard.ts";

/**
 * Public sites without an internet: names resolve to public addresses, and what is dialled there arrives at servers on
 * loopback. The guard under test runs with its production rules; only the last hop is swapped.
 */
export interface FakeInternet {
  resolve: Resolve;
  dial: Dial;
  /** Every connection that was opened. */
  dials: { host: string; addresses: string[]; port: number }[];
  /** Names and what they resolve to; a test may change them. */
  names: Map<string, () => Address[]>;
  close(): Promise<void>;
}

export type Site = (request: IncomingMessage, response: ServerResponse) => unknown;

export async function startInternet(
  sites: Record<string, Site>,
  certificate?: { key: string; cert: string },
): Promise<FakeInternet> {
  const answer: RequestListener = (request, response) => {
    const site = sites[(request.headers.host ?? "").replace(/:\d+$/, "")];
    if (site) void site(request, response);
    else response.writeHead(421).end();
  };
  const plain = createServer(answer);
  const secure = certificate && createTlsServer(certificate, answer);
  const plainPort = await listen(plain);
  const securePort = secure ? await listen(secure) : 0;

  const names = new Map<string, () => Address[]>();
  for (const [index, name] of Object.keys(sites).entries())
    names.set(name, () => [{ address: `93.184.216.${10 + index}`, family: 4 }]);
  const dials: FakeInternet["dials"] = [];
  return {
    names,
    dials,
    resolve: async (host) => {
      const addresses = names.get(host)?.();
      if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
      return addresses;
    },
    dial: (host, addresses, port) => {
      dials.push({ host, addresses: addresses.map(({ address }) => address), port });
      return connect(port === 443 ? securePort : plainPort, "127.0.0.1");
    },
    async close() {
      await Promise.all([plain, secure].map((server) => server && shut(server)));
    },
  };
}

/** A server that answers with one function, reached at its own loopback address: a service of the user's settings. */
export async function startService(site: Site): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void site(request, response));
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close: () => shut(server) };
}

export function html(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(body);
}

export function json(response: ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

/** A certificate that signs itself; trusted by nobody unless a test says so. */
export function selfSigned(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "wield-cert-"));
  try {
    const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
    const made = spawnSync("openssl", [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(" "),
      ...files,
      ...["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`],
    ]);
    if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
    return {
      key: readFileSync(join(folder, "key.pem"), "utf8"),
      cert: readFileSync(join(folder, "cert.pem"), "utf8"),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sockets = new WeakMap<Server, Set<Socket>>();

async function listen(server: Server): Promise<number> {
  const open = new Set<Socket>();
  sockets.set(server, open);
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function shut(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of sockets.get(server) ?? []) socket.destroy();
  await closed;
}

/** What Open-Meteo answers. */
export const weatherReport = {
  current: {
    time: "2026-11-15T09:00",
    temperature_2m: 9,
    apparent_temperature: 7,
    relative_humidity_2m: 80,
    weather_code: 3,
    wind_speed_10m: 5,
    wind_direction_10m: 0,
  },
  current_units: {
    temperature_2m: "°C",
    apparent_temperature: "°C",
    relative_humidity_2m: "%",
    wind_speed_10m: "km/h",
  },
};
