import { confirm, isCancel } from "@clack/prompts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { exit, type Given } from "./command.ts";
import { colourDiff } from "./diff-view.ts";
import { openWield } from "./open.ts";
import type { Io } from "./terminal.ts";

/** Shows how a server's tools differ from the approved ones, and approves them if the person agrees. */
export async function approveServer(name: string, given: Given, io: Io): Promise<number> {
  const wield = await openWield(given, io);
  try {
    await wield.tools.ready();
    const { drift, readers, approve } = await wield.mcp.review(name);
    if (drift.length === 0) {
      io.out(`The tools of ${name} have not changed since they were approved.`);
      return exit.ok;
    }
    for (const { tool, change, diff } of drift)
      io.out(`${change}: ${visibleLine(tool)}\n${colourDiff(visibleText(diff), io).join("\n")}`);
    if (readers.length > 0) {
      const names = readers.map((tool) => `  ${visibleLine(tool)}`);
      io.out([`${name} declares these tools read-only; they will run without asking:`, ...names].join("\n"));
    }
    if (!given.flag("yes")) {
      const answer = io.interactive
        ? await confirm({ message: `Approve these definitions of ${name}?`, initialValue: false })
        : false;
      if (isCancel(answer) || !answer) {
        io.err(
          io.interactive
            ? "Not taken."
            : `Nobody can be asked here. To approve them: wield tools approve ${name} --yes`,
        );
        return exit.failed;
      }
    }
    approve();
    io.out(`The tools of ${name} are approved.`);
    return exit.ok;
  } finally {
    await wield.close();
  }
}
