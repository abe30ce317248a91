import { visibleLine } from "../text/visible.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { localTime } from "./local-time.ts";
import { openWield } from "./open.ts";
import { describe } from "./outcome.ts";
import { painter } from "./terminal.ts";

export const approvals: Command = {
  name: "approvals",
  summary: "List and answer pending approval requests",
  usage: "[approve|deny <id>]",
  completes: [{ known: ["approve", "deny"] }, { lookup: "approval" }],
  details:
    "Approval requests that were pending when a process ended are kept. Approving one runs the call. If its files have changed since, it is shown and asked again.",
  options: {
    reason: { value: "TEXT", help: "The reason for denying; the model reads it" },
    json: { help: "Print the pending requests as JSON" },
    ...commonOptions,
  },
  examples: [
    { command: "wield approvals", note: "list the pending requests" },
    { command: "wield approvals approve c_1a2b3c4d5e", note: "approve one and run its call" },
    {
      command: `wield approvals deny c_1a2b3c4d5e --reason "use the other module"`,
      note: "deny one, with a reason",
    },
  ],
  async run(given, io) {
    const [verb, id] = given.args;
    if (verb !== undefined && (!["approve", "deny"].includes(verb) || id === undefined)) {
      throw new UsageError("Use: wield approvals [approve|deny <id>]");
    }
    const wield = await openWield(given, io);
    try {
      if (verb === undefined || id === undefined) {
        const open = await wield.approvals.pending();
        if (given.flag("json")) {
          io.out(JSON.stringify(open, null, 2));
          return exit.ok;
        }
        const paint = painter(io);
        const lines = open.map(
          (p) => `${paint("cyan", p.id)}  ${localTime(p.at)}  ${p.tool}  ${visibleLine(p.reason)}`,
        );
        io.out(lines.length > 0 ? lines.join("\n") : "No approval requests are pending.");
        return exit.ok;
      }
      const reason = given.value("reason");
      const outcome = await wield.approvals.answer(id, {
        approved: verb === "approve",
        ...(reason !== undefined && { reason }),
      });
      io.out(describe(outcome, io));
      return outcome.result.ok || verb === "deny" ? exit.ok : exit.failed;
    } finally {
      await wield.close();
    }
  },
};
