import type { Wield } from "../app/wield.ts";
import { factLines, factsOf } from "../approval/ask-facts.ts";
import type { PendingApproval } from "../store/store.ts";
import { visibleLine } from "../text/visible.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { showFile } from "./diff-view.ts";
import { localTime } from "./local-time.ts";
import { openWield } from "./open.ts";
import { describe } from "./outcome.ts";
import { type Io, painter } from "./terminal.ts";

export const approvals: Command = {
  name: "approvals",
  summary: "List and answer pending approval requests",
  usage: "[approve|deny <id>]",
  completes: [{ known: ["approve", "deny"] }, { lookup: "approval" }],
  details:
    "Approval requests that were pending when a process ended are kept for seven days (setting approvals.days). Approving one runs the call. If its files have changed since, it is shown and asked again. The beginning of an id is enough.",
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
        const shown = await Promise.all(open.map((pending) => showPending(pending, wield, io)));
        io.out(shown.length > 0 ? shown.join("\n\n") : "No approval requests are pending.");
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

/** Who asks, every reason, and what it would change as things are now. */
async function showPending(pending: PendingApproval, wield: Wield, io: Io): Promise<string> {
  const paint = painter(io);
  const { id, at, tool, reason } = pending;
  const preview = await wield.approvals.preview(id).catch((error: unknown) => error as Error);
  const body =
    preview instanceof Error
      ? [paint("yellow", visibleLine(preview.message))]
      : [
          ...factLines(factsOf([], preview?.files ?? [])).map((line) => paint("yellow", visibleLine(line))),
          ...(preview?.files.map((file) => showFile(file, io)) ?? []),
          ...(preview?.notes.map((note) => paint("dim", visibleLine(note))) ?? []),
        ];
  return [
    `${paint("cyan", id)}  ${localTime(at)}  ${visibleLine(tool)}`,
    ...reason.split(" — ").map((one) => `  ${visibleLine(one)}`),
    ...body,
    paint("dim", `wield approvals approve ${id}`),
  ].join("\n");
}
