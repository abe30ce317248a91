import { bwrap } from "./confine.ts";

/** A port on the run's own loopback, and the unix socket of ours that it leads to. */
export interface Carrier {
  /** Default: 127.0.0.1. */
  host?: string;
  port: number;
  socket: string;
}

export const proxyPort = 3128;

/** What programs inside are told; those that do not listen simply find no network. */
export const proxyVariables: Readonly<Record<string, string>> = Object.fromEntries(
  ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [
    name,
    `http://127.0.0.1:${proxyPort}`,
  ]),
);

/** Carries connections. When its input ends, the run is over or Wield is gone: then it clears up and ends too. */
const carry = `
const net = require("node:net"), fs = require("node:fs"), path = require("node:path");
const carriers = JSON.parse(process.argv[1]);
let waiting = carriers.length;
const ready = () => --waiting === 0 && console.log("ready");
for (const { host = "127.0.0.1", port, socket } of carriers) {
  const server = net.createServer((near) => {
    const far = net.connect(socket);
    for (const [one, other] of [[near, far], [far, near]]) one.on("error", () => other.destroy()).pipe(other);
  });
  // Where the machine has no IPv6, nothing is found there.
  if (host === "::1") server.once("error", ready);
  server.listen(port, host, ready);
}
process.stdin.resume().on("end", () => {
  for (const { socket } of carriers) fs.rmSync(path.dirname(socket), { recursive: true, force: true });
  process.exit();
});`;

const script = `
node=$1; carry=$2; carriers=$3; shift 3
coproc "$node" -e "$carry" "$carriers" 3>&- 4>&- 5>&- 6>&- 7>&-
read -r ready <&"\${COPROC[0]}" || exit 1
setpriv --pdeathsig KILL -- "$@"
exit $?
`;

/** Puts a command into a network namespace where nothing is but a loopback with the given ways out. */
export function bridged(carriers: readonly Carrier[], command: readonly string[]): string[] {
  const outer = ["--unshare-user", "--unshare-net", "--dev-bind", "/", "/", "--die-with-parent"];
  const given = [process.execPath, carry, JSON.stringify(carriers)];
  return [bwrap, ...outer, "--", "/bin/bash", "-c", script, "bridge", ...given, ...command];
}
