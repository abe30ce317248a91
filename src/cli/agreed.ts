import type { Io } from "./terminal.ts";

/** Asks the person at the terminal; where nobody can be asked, says what to run instead. */
export async function isAgreed(question: string, instead: string, io: Io): Promise<boolean> {
  if (!io.interactive) {
    io.err(`Nobody can be asked here. To do it anyway: ${instead}`);
    return false;
  }
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message: question, initialValue: false })) === true;
}
