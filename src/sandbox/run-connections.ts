import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Scratch } from "../process/scratch.ts";
import { type Carrier, proxyPort, proxyVariables } from "./bridge.ts";
import { type LocalAddress, openLocalPort } from "./local-port.ts";
import type { NetworkPolicy } from "./policy.ts";
import { type Dial, startProxy } from "./proxy.ts";
import type { Connection, Job } from "./sandbox.ts";
import { startToolServer, toolPort, wieldTool } from "./tool-server.ts";

/**
 * Connections of a run: to the proxy for its allowed hosts, to Wield's tools, and from outside to its own servers.
 * They close with the run.
 */
export interface RunConnections extends AsyncDisposable {
  carriers: readonly Carrier[];
  /** The job with what it needs to find them. */
  job: Job;
  connections: readonly Connection[];
  /** Connects to a port inside; undefined where nobody asked for it, or the run has the network of the machine. */
  connectInside: ((port: number) => Socket) | undefined;
}

/** Nobody but the system may listen below this. */
const privileged = 1023;
const ourPorts: readonly number[] = [proxyPort, toolPort];

export async function openRunConnections(
  job: Job,
  network: NetworkPolicy,
  dial: Dial,
): Promise<RunConnections> {
  await using opening = new AsyncDisposableStack();
  const proxy = network.mode === "allowlist" ? opening.use(await startProxy(network.hosts, dial)) : undefined;
  const tools = job.tools ? opening.use(await startToolServer(job.tools)) : undefined;
  const local = [];
  for (const { host, address } of insideOf(job.localPorts ?? []))
    local.push({ host, port: address.port, socket: opening.use(await openLocalPort(address)).path });
  const wayIn =
    job.onStart && network.mode !== "full" ? join(opening.use(new Scratch()).path, "inside") : undefined;
  const open = opening.move();
  return {
    carriers: [
      ...(proxy ? [{ port: proxyPort, socket: proxy.path }] : []),
      ...(tools ? [{ port: toolPort, socket: tools.path }] : []),
      ...local,
      ...(wayIn === undefined ? [] : [{ socket: wayIn, isInbound: true as const }]),
    ],
    job: {
      ...job,
      env: { ...(proxy && proxyVariables), ...job.env },
      files: { ...(tools && { "wield-tool": wieldTool }), ...job.files },
    },
    connections: proxy?.connections ?? [],
    connectInside: wayIn === undefined ? undefined : (port) => connectTo(wayIn, port),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function connectTo(wayIn: string, port: number): Socket {
  const socket = connect(wayIn);
  socket.write(`${port}\n`);
  return socket;
}

/**
 * Where a run finds each server: at the same address. `localhost` is 127.0.0.1 inside, and wins over a rule for that address
 * alone; a server of the machine wins over one in another run.
 */
function insideOf(addresses: readonly LocalAddress[]): { host: string; address: LocalAddress }[] {
  const found = new Map<string, { host: string; address: LocalAddress }>();
  for (const address of addresses) {
    if (address.port <= privileged || ourPorts.includes(address.port)) continue;
    const isName = address.host === "localhost";
    const host = isName ? "127.0.0.1" : address.host;
    const key = `${host} ${address.port}`;
    const isSecond = found.has(key) && (!isName || address.connect !== undefined);
    if (!isSecond) found.set(key, { host, address });
  }
  return [...found.values()];
}
