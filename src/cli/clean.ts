import type { StorageView } from "../api/settings.ts";
import { isAgreed } from "./agreed.ts";
import { type Command, columns, commonOptions, exit, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

export const clean: Command = {
  name: "clean",
  summary: "Show what Wield keeps on this machine; remove what is old",
  usage: "",
  details:
    "Shows first what there is for all folders and what would go: whatever is older than the settings under keep say, and damaged files that were replaced. Then it asks. Pinned sessions stay. Contents are overwritten in the store; files that undo needed are deleted.",
  options: {
    days: {
      value: "N",
      help: "Everything older than N days, instead of what the settings say; 0: everything",
    },
    yes: { short: "y", help: "Remove without asking" },
    json: { help: "Print as JSON" },
    ...commonOptions,
  },
  examples: [
    { command: "wield clean", note: "show what is kept and what would go, then ask" },
    { command: "wield clean --days 30 --yes", note: "remove everything older than a month" },
  ],
  async run(given, io) {
    const text = given.value("days");
    const days = Number(text);
    if (text !== undefined && !(days >= 0)) throw new UsageError("--days takes a number of at least 0.");
    const options = text === undefined ? {} : { days };
    const wield = await openWield(given, io, []);
    try {
      const found = await wield.storage.look(options);
      const removes = found.some(({ removable }) => removable.count > 0);
      if (!given.flag("json")) io.out(report(found, io));
      const agreed =
        removes &&
        (given.flag("yes") ||
          (!given.flag("json") && (await isAgreed("Remove what is old?", "wield clean --yes", io))));
      const removed = agreed ? await wield.storage.clean(options) : [];
      if (given.flag("json")) io.out(JSON.stringify({ found, removed }, null, 2));
      else if (agreed)
        io.out(
          `Removed: ${removed.map(({ kind, count, bytes }) => `${count} ${kind} (${size(bytes)})`).join(", ")}.`,
        );
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

function report(found: readonly StorageView[], io: Io): string {
  const rows = found.map(({ kind, count, bytes, removable, about }) => [
    kind,
    [
      `${String(count).padStart(7)} ${size(bytes).padStart(9)}`,
      removable.count > 0
        ? painter(io)("yellow", `${removable.count} would go (${size(removable.bytes)})`)
        : "nothing would go",
      painter(io)("dim", about),
    ].join("  "),
  ]);
  return columns(rows);
}

function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}
