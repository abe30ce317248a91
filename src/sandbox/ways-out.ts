import { type Carrier, proxyPort, proxyVariables } from "./bridge.ts";
import { type LocalAddress, openLocalPort } from "./local-port.ts";
import type { NetworkPolicy } from "./policy.ts";
import { type Dial, startProxy } from "./proxy.ts";
import type { Connection, Job } from "./sandbox.ts";
import { startToolServer, toolPort, wieldTool } from "./tool-server.ts";

/** What a run may reach beyond itself: the proxy of its allowlist, Wield's own tools. They close with it. */
export interface WaysOut extends AsyncDisposable {
  carriers: readonly Carrier[];
  /** The job with what it needs to find them. */
  job: Job;
  connections: readonly Connection[];
}

/** Nobody but the system may listen below this. */
const privileged = 1023;
const ours = [proxyPort, toolPort];

export async function openWaysOut(job: Job, network: NetworkPolicy, dial: Dial): Promise<WaysOut> {
  await using opening = new AsyncDisposableStack();
  const proxy = network.mode === "allowlist" ? opening.use(await startProxy(network.hosts, dial)) : undefined;
  const tools = job.tools ? opening.use(await startToolServer(job.tools)) : undefined;
  const local = [];
  for (const { host, address } of insideOf(job.localPorts ?? []))
    local.push({ host, port: address.port, socket: opening.use(await openLocalPort(address)).path });
  const open = opening.move();
  return {
    carriers: [
      ...(proxy ? [{ port: proxyPort, socket: proxy.path }] : []),
      ...(tools ? [{ port: toolPort, socket: tools.path }] : []),
      ...local,
    ],
    job: {
      ...job,
      env: { ...(proxy && proxyVariables), ...job.env },
      files: { ...(tools && { "wield-tool": wieldTool }), ...job.files },
    },
    connections: proxy?.connections ?? [],
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Where a run finds each server: at the same address. `localhost` is 127.0.0.1 inside, and wins over a rule for that address alone. */
function insideOf(addresses: readonly LocalAddress[]): { host: string; address: LocalAddress }[] {
  const found = new Map<string, { host: string; address: LocalAddress }>();
  for (const address of addresses) {
    if (address.port <= privileged || ours.includes(address.port)) continue;
    const isName = address.host === "localhost";
    const host = isName ? "127.0.0.1" : address.host;
    const key = `${host} ${address.port}`;
    if (isName || !found.has(key)) found.set(key, { host, address });
  }
  return [...found.values()];
}
