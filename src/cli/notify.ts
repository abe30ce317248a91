import type { Io } from "./terminal.ts";

/** Rings the bell and, in terminals that support OSC 9, shows what is waiting: the person may be elsewhere. */
export function notify(text: string, io: Pick<Io, "write" | "env" | "terminal">): void {
  if (!io.terminal || io.env["TERM"] === "dumb" || io.env["WIELD_NOTIFY"] === "off") return;
  const plain = text.replaceAll(/[\p{C}\u2028\u2029]/gu, " ").slice(0, 200);
  io.write(`\u0007\u001b]9;${plain}\u001b\\`);
}
