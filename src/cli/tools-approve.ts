import { confirm, isCancel } from "@clack/prompts";
import { visibleLine, visibleText } from "../text/visible.ts";
import { exit, type Given } from "./command.ts";
import { colourDiff } from "./diff-view.ts";
import { openWield } from "./open.ts";
import type { Io } from "./terminal.ts";

/** Shows how a server's tools differ from what was approved, and takes them when the person says so. */
export async function approveServer(name: string, given: Given, io: Io): Promise<number> {
  const wield = await openWield(given, io);
  try {
    if (!wield.tools.mcp) {
      io.err(
        "There are no MCP servers in the settings. Add one with: wield tools add mcp <name> -- <command>",
      );
      return exit.failed;
    }
    await wield.tools.ready();
    const { drift, readers, approve } = await wield.tools.mcp.review(name);
    if (drift.length === 0) {
      io.out(`The tools of ${name} are as they were approved.`);
      return exit.ok;
    }
    for (const { tool, change, diff } of drift)
      io.out(`${change}: ${visibleLine(tool)}\n${colourDiff(visibleText(diff), io).join("\n")}`);
    if (readers.length > 0) {
      const names = readers.map((tool) => `  ${visibleLine(tool)}`);
      io.out([`${name} says that these only read; they will run without asking:`, ...names].join("\n"));
    }
    if (!given.flag("yes")) {
      const answer = io.interactive
        ? await confirm({ message: `Take these definitions of ${name}?`, initialValue: false })
        : false;
      if (isCancel(answer) || !answer) {
        io.err(
          io.interactive
            ? "Not taken."
            : `Nobody is here to ask. To take them: wield tools approve ${name} --yes`,
        );
        return exit.failed;
      }
    }
    approve();
    io.out(`The tools of ${name} are approved as they are now.`);
    return exit.ok;
  } finally {
    wield.close();
  }
}
