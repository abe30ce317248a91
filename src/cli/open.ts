import { resolve } from "node:path";
import { z } from "zod";
import { createWield, type Wield } from "../app/wield.ts";
import { type Asker, automaticApproval } from "../approval/approval.ts";
import { isOutside } from "../approval/decide.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import type { Given } from "./command.ts";
import type { Io } from "./terminal.ts";

/**
 * Opens Wield for the folder of the command line, with approval in the terminal. A command that needs only certain tools
 * names them and starts faster.
 */
export async function openWield(
  given: Given,
  io: Io,
  tools?: readonly string[],
  {
    ask = askInTerminal(io),
    elicit = elicitInTerminal,
    keepUnanswered = false,
    folder = folderOf(given, io),
  }: { ask?: Asker; elicit?: Elicit; keepUnanswered?: boolean; folder?: string } = {},
): Promise<Wield> {
  // Compiling a schema pays off after hundreds of calls; a command makes a few.
  z.config({ jitless: true });
  return createWield({
    ...(tools && { tools }),
    keepUnanswered,
    workspace: folder,
    env: io.env,
    get asker() {
      return askerFor(given, io, ask);
    },
    get elicit() {
      return io.interactive ? elicit : undefined;
    },
  });
}

/** The folder that a command works in. */
export function folderOf(given: Given, io: Io): string {
  return resolve(io.cwd, given.value("workspace") ?? ".");
}

/** Who answers for a command: `--yes`, the person at the terminal, or nobody. */
export function askerFor(given: Given, io: Io, ask = askInTerminal(io)): Asker | undefined {
  if (given.flag("yes")) return sayYes;
  return io.interactive ? ask : undefined;
}

/** `--yes` approves every request but two: a person must have read what leaves the sandbox, and opens servers on this machine. */
const sayYes: Asker = async (asks) =>
  asks.map((ask) =>
    ask.effects.some(isOutside)
      ? {
          approved: false,
          reason: "--yes does not cover commands outside the sandbox; ask where a person answers.",
        }
      : automaticApproval(ask),
  );

/** Asks an MCP server's question in the terminal. */
export const elicitInTerminal: Elicit = async (request, signal) =>
  (await import("./elicit.ts")).elicitInTerminal(request, signal);

/** Asks for all approvals of a step in the terminal. */
export function askInTerminal(io: Io): Asker {
  return async (asks, signal) => (await import("./asker.ts")).terminalAsker(io)(asks, signal);
}
