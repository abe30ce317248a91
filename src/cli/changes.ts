import { lineTotals } from "../text/diff.ts";
import { visibleLine } from "../text/visible.ts";
import type { Change } from "../workspace/workspace.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { showFile } from "./diff-view.ts";
import { localTime } from "./local-time.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

export const changes: Command = {
  name: "changes",
  summary: "List the changes that tools made to files",
  usage: "[id]",
  completes: [{ lookup: "change" }],
  options: {
    limit: { value: "N", short: "n", help: "How many to list, newest first (default 20)" },
    path: { value: "PATH", help: "Only changes to this path" },
    json: { help: "Print as JSON, with diffs" },
    ...commonOptions,
  },
  examples: [
    { command: "wield changes", note: "list the newest changes" },
    { command: "wield changes 1a2b3c", note: "show one change with its diff" },
  ],
  async run(given, io) {
    const limit = Number(given.value("limit") ?? 20);
    if (!Number.isInteger(limit) || limit < 1)
      throw new UsageError("--limit takes a whole number of at least 1.");
    const wield = await openWield(given, io, []);
    try {
      const [id] = given.args;
      const path = given.value("path");
      const one = id === undefined ? undefined : await wield.workspace.change(id);
      if (id !== undefined && !one) {
        io.err(`There is no change ${JSON.stringify(id)}. List them with: wield changes`);
        return exit.failed;
      }
      const found = one ? [one] : await wield.changes.list({ limit, ...(path !== undefined && { path }) });
      if (given.flag("json")) io.out(JSON.stringify(found, null, 2));
      else if (one) io.out(inFull(one, io));
      else
        io.out(found.length > 0 ? found.map((change) => inLine(change, io)).join("\n") : "No changes yet.");
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

function inLine(change: Change, io: Io): string {
  const paint = painter(io);
  const state =
    change.state === "undone"
      ? paint("dim", " (undone)")
      : change.undoable
        ? ""
        : paint("yellow", " (too large to undo)");
  const files = change.files.length === 1 ? "" : paint("dim", ` [${change.files.length} files]`);
  return `${paint("cyan", change.id)}  ${localTime(change.at)}  ${change.tool}  ${visibleLine(change.description)}${files}${state}`;
}

function inFull(change: Change, io: Io): string {
  const files = change.files.map((file) => showFile({ ...file, ...lineTotals(file) }, io));
  return [inLine(change, io), ...files].join("\n");
}
