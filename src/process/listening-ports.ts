import { readFileSync } from "node:fs";

/** State of a TCP socket that waits for connections, as the kernel prints it. */
const listening = "0A";

/** The TCP ports that somebody listens on in the network of a process, in order; none once it has ended. */
export function listeningPorts(pid: number): number[] {
  const ports = ["tcp", "tcp6"].flatMap((table) => linesOf(`/proc/${pid}/net/${table}`).flatMap(portOf));
  return [...new Set(ports)].sort((a, b) => a - b);
}

function portOf(line: string): number[] {
  const [, local = "", , state] = line.trim().split(/\s+/);
  return state === listening ? [Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16)] : [];
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(1);
  } catch {
    return [];
  }
}
