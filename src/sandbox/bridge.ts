import { bwrap } from "./confine.ts";

/** A port on the run's own loopback, forwarded to a unix socket of Wield. */
export interface OutboundBridge {
  /** Default: 127.0.0.1. */
  host?: string;
  port: number;
  socket: string;
}

/**
 * The other direction: a unix socket that Wield connects to. The first line names the port inside the run to forward
 * to.
 */
export interface InboundBridge {
  socket: string;
  isInbound: true;
}

export type Carrier = OutboundBridge | InboundBridge;

export const proxyPort = 3128;

/** Proxy variables for programs inside; programs that ignore them have no network. */
export const proxyVariables: Readonly<Record<string, string>> = Object.fromEntries(
  ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [
    name,
    `http://127.0.0.1:${proxyPort}`,
  ]),
);

/** Carries connections. When its input ends, the run is over or Wield is gone: then it ends too. */
const carry = `
const net = require("node:net");
const carriers = JSON.parse(process.argv[1]);
let waiting = carriers.length;
const ready = () => --waiting === 0 && console.log("ready");
const join = (near, far) => {
  for (const [one, other] of [[near, far], [far, near]]) one.on("error", () => other.destroy()).pipe(other);
};
const loopback = [{ address: "127.0.0.1", family: 4 }, { address: "::1", family: 6 }];
const lookup = (_name, _options, done) => done(null, loopback);
const lead = (near) => near.once("data", (first) => {
  near.pause();
  const end = first.indexOf(10);
  near.unshift(first.subarray(end + 1));
  join(near, net.connect({ host: "localhost", port: Number(first.subarray(0, end)), autoSelectFamily: true, lookup }));
});
for (const { host = "127.0.0.1", port, socket, isInbound } of carriers) {
  if (isInbound) {
    net.createServer(lead).listen(socket, ready);
    continue;
  }
  const server = net.createServer((near) => join(near, net.connect(socket)));
  // Where the machine has no IPv6, nothing is found there.
  if (host === "::1") server.once("error", ready);
  server.listen(port, host, ready);
}
process.stdin.resume().on("end", () => process.exit());`;

const script = `
node=$1; carry=$2; carriers=$3; shift 3
coproc "$node" -e "$carry" "$carriers" 3>&- 4>&- 5>&- 6>&- 7>&-
read -r ready <&"\${COPROC[0]}" || exit 1
"$@"
exit $?
`;

/** Puts a command into a network namespace where nothing is but a loopback with the given ways out. */
export function bridged(carriers: readonly Carrier[], command: readonly string[]): string[] {
  const outer = ["--unshare-user", "--unshare-net", "--dev-bind", "/", "/", "--die-with-parent"];
  const given = [process.execPath, carry, JSON.stringify(carriers)];
  // Bash reads the person's .bashrc, even for a command, when its standard input is a socket.
  return [bwrap, ...outer, "--", "/bin/bash", "--norc", "-c", script, "bridge", ...given, ...command];
}
