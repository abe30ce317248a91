import { resolve } from "node:path";
import { createWield, type Wield } from "../app/wield.ts";
import type { Asker } from "../approval/approval.ts";
import type { Given } from "./command.ts";
import type { Io } from "./terminal.ts";

/** Wield on the folder that the command line names, with the terminal as the place where a person is asked. */
export async function openWield(given: Given, io: Io): Promise<Wield> {
  const asker = given.flag("yes") ? sayYes : io.interactive ? await terminal(io) : undefined;
  return createWield({
    workspace: resolve(io.cwd, given.value("workspace") ?? "."),
    env: io.env,
    ...(asker && { asker }),
  });
}

/** `--yes` answers what would be asked; what the policy denies never gets here. */
const sayYes: Asker = async (asks) => asks.map(() => ({ approved: true }));

async function terminal(io: Io): Promise<Asker> {
  const { terminalAsker } = await import("./ask.ts");
  return terminalAsker(io);
}
