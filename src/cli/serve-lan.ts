import { isIP } from "node:net";
import type { PairingEvent } from "../server/pairing.ts";
import type { RunningServer, ServerOptions } from "../server/server.ts";
import { visibleLine } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { UsageError } from "./command.ts";
import { type Io, painter } from "./terminal.ts";

/** The default port in the network. */
const usualPort = 4142;

const warning =
  "Every device in this network can reach this port, and whoever types the code can use the tools as you. Do this only in a network that you trust. The browser of the device warns about the certificate, which nobody but Wield has signed: continue only if it shows the fingerprint above.";

/** Where to serve, and what to print about devices that try. */
export async function lanFrom(host: string | undefined, io: Io): Promise<NonNullable<ServerOptions["lan"]>> {
  const { isPrivate, privateAddresses } = await import("../server/lan.ts");
  const isFit = host === undefined || (isIP(host) === 4 && (isPrivate(host) || host.startsWith("127.")));
  if (!isFit)
    throw new UsageError(
      "With --lan, --host takes a private IPv4 address of this machine, such as 192.168.1.5. Wield is not served on public ones.",
    );
  return {
    addresses: host === undefined ? privateAddresses() : [host],
    port: usualPort,
    onPairing: (event) => io.out(pairingLine(event, io)),
  };
}

/** `wield serve --devices` and `--end-device ID`, also while a server runs. */
export async function manageDevices(root: string, id: string | undefined, io: Io): Promise<void> {
  const [{ PairedDevices }, { placesFrom }] = await Promise.all([
    import("../server/kept-tokens.ts"),
    import("../app/places.ts"),
  ]);
  const devices = new PairedDevices({ stateDir: placesFrom(io.env).stateDir, root });
  if (id !== undefined && !devices.end(id))
    throw new UsageError(`There is no paired device ${id}. wield serve --devices lists them.`);
  if (id !== undefined) return io.out(`Ended: device ${id} can no longer use the page.`);
  const lines = devices.list().map(({ id, from, paired }) => `${id}  ${visibleLine(from)}  paired ${paired}`);
  io.out(lines.length === 0 ? "No device is paired with this folder." : lines.join("\n"));
}

export function lanLines({ lan }: RunningServer, io: Io): string[] {
  if (!lan) return [];
  const paint = painter(io);
  return [
    "",
    paint("bold", "On your network"),
    ...lan.origins.map((origin) => paint("cyan", origin)),
    wrap(`Certificate, SHA-256: ${lan.fingerprint.replaceAll(":", " ")}`, io.columns),
    codeLine(lan.code(), io),
    paint("yellow", wrap(warning, io.columns)),
    "",
  ];
}

/** Enter makes a new code, until the returned function is called. */
export function offerCodes({ lan }: RunningServer, io: Io): () => void {
  if (!lan) return () => undefined;
  const offer = () => io.out(codeLine(lan.code(), io));
  process.stdin.on("data", offer);
  process.stdin.unref();
  return () => {
    process.stdin.off("data", offer);
    process.stdin.pause();
  };
}

function codeLine(code: string, io: Io): string {
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
  return `Pairing code: ${painter(io)("bold", shown)}  for one device and five minutes; Enter makes a new one`;
}

function pairingLine({ from, isPaired, left, device: id }: PairingEvent, io: Io): string {
  const device = visibleLine(from);
  if (isPaired)
    return `Paired: the device at ${device} can use the page now. To end that: wield serve --end-device ${id}; for all devices: wield serve --new-token.`;
  const rest =
    left === 0 ? "The code is no longer valid; Enter creates a new one." : `${left} more may be tried.`;
  return painter(io)("yellow", `A wrong pairing code came from ${device}. ${rest}`);
}
