import type { ToolStatistics } from "../store/store.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

export const stats: Command = {
  name: "stats",
  summary: "How the tools were used",
  usage: "",
  options: { json: { help: "Print as JSON" }, ...commonOptions },
  examples: [{ command: "wield stats", note: "calls, failures, times and tokens by tool" }],
  async run(given, io) {
    const wield = await openWield(given, io, []);
    try {
      const statistics = wield.store.statistics();
      if (given.flag("json")) io.out(JSON.stringify(statistics, null, 2));
      else
        io.out(
          statistics.length > 0
            ? table(statistics, io)
            : 'No calls yet. Try: wield call read_file \'{"path": "README.md"}\'',
        );
      return exit.ok;
    } finally {
      wield.close();
    }
  },
};

function table(statistics: readonly ToolStatistics[], io: Io): string {
  const paint = painter(io);
  const most = Math.max(...statistics.map((s) => s.calls));
  const width = Math.max(4, ...statistics.map((s) => s.tool.length));
  const head = [
    "tool".padEnd(width),
    "calls".padStart(7),
    "".padEnd(12),
    "failed".padStart(7),
    "p50".padStart(9),
    "p95".padStart(9),
    "tokens".padStart(9),
    "approved".padStart(9),
  ];
  const rows = statistics.map((s) => {
    const bar = "█".repeat(Math.max(1, Math.round((s.calls / most) * 12))).padEnd(12);
    const failed = String(s.failures).padStart(7);
    return [
      paint("cyan", s.tool.padEnd(width)),
      String(s.calls).padStart(7),
      paint("blue", bar),
      s.failures > 0 ? paint("red", failed) : failed,
      milliseconds(s.p50Ms),
      milliseconds(s.p95Ms),
      String(s.tokensOut).padStart(9),
      (s.asked > 0 ? `${s.approved}/${s.asked}` : "–").padStart(9),
    ].join(" ");
  });
  return [paint("bold", head.join(" ")), ...rows].join("\n");
}

function milliseconds(value: number): string {
  return (value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`).padStart(9);
}
