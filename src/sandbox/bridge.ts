import { bwrap } from "./confine.ts";

const port = 3128;

/** What programs inside are told; those that do not listen simply find no network. */
export const proxyVariables: Readonly<Record<string, string>> = Object.fromEntries(
  ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"].map((name) => [
    name,
    `http://127.0.0.1:${port}`,
  ]),
);

/** Carries connections from the run's own loopback to the proxy's socket. When its input ends, so does the run. */
const carrier = `
const net = require("node:net"), fs = require("node:fs"), path = require("node:path");
const proxy = process.argv[1];
net.createServer((near) => {
  const far = net.connect(proxy);
  for (const [one, other] of [[near, far], [far, near]]) one.on("error", () => other.destroy()).pipe(other);
}).listen(${port}, "127.0.0.1", () => console.log("ready"));
process.stdin.resume().on("end", () => {
  fs.rmSync(path.dirname(proxy), { recursive: true, force: true });
  process.exit();
});`;

const script = `
node=$1; carrier=$2; proxy=$3; shift 3
coproc "$node" -e "$carrier" "$proxy" 3>&- 4>&- 5>&- 6>&- 7>&-
read -r ready <&"\${COPROC[0]}" || exit 1
"$@"
exit $?
`;

/** Puts a command into a network namespace where nothing is but a loopback with the way to the proxy. */
export function bridged(proxy: string, command: readonly string[]): string[] {
  const outer = ["--unshare-user", "--unshare-net", "--dev-bind", "/", "/", "--die-with-parent"];
  const given = [process.execPath, carrier, proxy];
  return [bwrap, ...outer, "--", "/bin/bash", "-c", script, "bridge", ...given, ...command];
}
