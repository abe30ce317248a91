import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import type { Definition } from "./connection.ts";

/** Approved tool definitions by server; stored beside trust.json. */
export interface ApprovedServer {
  tools: { definition: Definition; fingerprint: string }[];
}

/** The whole file, to detect approvals by another process. */
export function approvedText(file: string): string {
  return readIfThere(file)?.toString() ?? "{}";
}

/** `scope` is where the server was configured: "user", or a workspace's root. */
export function readApproved(file: string, scope: string, server: string): ApprovedServer | undefined {
  return readAll(file).get(keyOf(scope, server));
}

export function saveApproved(
  file: string,
  scope: string,
  server: string,
  approved: ApprovedServer | undefined,
): void {
  const all = readAll(file);
  if (approved) all.set(keyOf(scope, server), approved);
  else all.delete(keyOf(scope, server));
  writeAtomic(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** A damaged file approves nothing. */
function readAll(file: string): Map<string, ApprovedServer> {
  try {
    return new Map(Object.entries(JSON.parse(approvedText(file))));
  } catch {
    return new Map();
  }
}

function keyOf(scope: string, server: string): string {
  return `${scope}#${server}`;
}
