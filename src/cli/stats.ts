import { placesFrom } from "../app/places.ts";
import { saveUserRules } from "../app/settings.ts";
import type { Wield } from "../app/wield.ts";
import { type ApprovedChange, type Proposal, proposalsFrom } from "../approval/proposals.ts";
import type { ToolStatistics } from "../store/store.ts";
import { visibleLine } from "../text/visible.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { costText } from "./cost-text.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

export const stats: Command = {
  name: "stats",
  summary: "Show tool usage and cost: calls, failures, times, tokens, approvals, dollars",
  usage: "",
  details: "If you always gave the same answer, a rule is proposed; --accept saves it for this folder.",
  options: {
    since: { value: "DATE", help: "Only calls since this date, for example 2026-11-01" },
    accept: { value: "TOOL", help: "Save the proposed rule for this tool" },
    json: { help: "Print as JSON" },
    ...commonOptions,
  },
  examples: [
    { command: "wield stats", note: "show usage by tool" },
    { command: "wield stats --accept edit_file", note: "stop asking for calls that you always approve" },
  ],
  async run(given, io) {
    const since = given.value("since");
    if (since !== undefined && Number.isNaN(Date.parse(since)))
      throw new UsageError("--since takes a date such as 2026-11-01.");
    const wield = await openWield(given, io, []);
    try {
      const tools = await wield.store.statistics(since);
      const proposals = proposalsFrom(tools, await approvedChanges(wield), wield.workspace.root);
      const accepted = given.value("accept");
      if (accepted !== undefined) accept(accepted, proposals, io);
      else if (given.flag("json")) io.out(JSON.stringify(withProposals(tools, proposals), null, 2));
      else {
        io.out(tools.length > 0 ? report(tools, proposals, io) : noCalls);
        const cost = await wield.cost.view();
        if (cost.days.length > 0) io.out(`\n${costText(cost, io)}`);
      }
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

/** The changes in this folder that a person, not `--yes`, approved. */
async function approvedChanges(wield: Wield): Promise<ApprovedChange[]> {
  const changes = await wield.changes.list({ limit: 1000 });
  const calls = await wield.store.calls({ ids: changes.map(({ callId }) => callId) });
  const byPerson = new Map(
    calls.flatMap(({ id, approval, tool }) => (approval === "approved" ? [[id, tool]] : [])),
  );
  return changes.flatMap(({ callId, files }) => {
    const tool = byPerson.get(callId);
    return tool === undefined ? [] : [{ tool, files }];
  });
}

const noCalls = 'No calls yet. Try: wield call read_file \'{"path": "README.md"}\'';

function withProposals(tools: readonly ToolStatistics[], proposals: readonly Proposal[]): object[] {
  return tools.map((tool) => ({
    ...tool,
    proposal: proposals.find((p) => p.tool === tool.tool)?.rule ?? null,
  }));
}

function accept(tool: string, proposals: readonly Proposal[], io: Io): void {
  const proposal = proposals.find((candidate) => candidate.tool === tool);
  if (!proposal) throw new UsageError(`No rule is proposed for ${JSON.stringify(tool)}. See: wield stats`);
  saveUserRules(placesFrom(io.env).settingsFile, [proposal.rule]);
  io.out(`Saved: ${JSON.stringify(proposal.rule)}`);
}

function report(tools: readonly ToolStatistics[], proposals: readonly Proposal[], io: Io): string {
  const paint = painter(io);
  const parts = [usage(tools, io), failures(tools, io), answers(tools, io)].filter((part) => part !== "");
  const proposed = proposals.map(
    ({ tool, because, rule }) =>
      `${paint("cyan", tool)} was ${because}. Make it a rule? ${JSON.stringify(rule)}\n  wield stats --accept ${tool}`,
  );
  return [...parts, ...(proposed.length > 0 ? [section("Proposals", proposed, io)] : [])].join("\n\n");
}

function usage(tools: readonly ToolStatistics[], io: Io): string {
  const most = Math.max(...tools.map(({ calls }) => calls));
  const rows = tools.map((tool) => [
    visibleLine(tool.tool),
    `${String(tool.calls).padStart(6)} ${bar(tool.calls / most, 12)}`,
    milliseconds(tool.p50Ms),
    milliseconds(tool.p95Ms),
    String(tool.tokensIn).padStart(9),
    String(tool.tokensOut).padStart(10),
  ]);
  return table(["tool", " calls", "      p50", "      p95", "tokens in", "tokens out"], rows, io);
}

function failures(tools: readonly ToolStatistics[], io: Io): string {
  const failing = tools.filter((tool) => tool.failures > 0);
  const rows = failing.map(({ tool, calls, failures: failed, failuresByCode }) => [
    visibleLine(tool),
    `${String(failed).padStart(6)} ${bar(failed / calls, 12)} ${percent(failed, calls)}`,
    Object.entries(failuresByCode)
      .sort(([, a], [, b]) => b - a)
      .map(([code, count]) => `${code} ${count}`)
      .join(", "),
  ]);
  return rows.length === 0 ? "" : table(["failures", "", "by code"], rows, io);
}

function answers(tools: readonly ToolStatistics[], io: Io): string {
  const rows = tools
    .filter(({ asked }) => asked > 0)
    .map(({ tool, asked, approved, edited }) => [
      tool,
      `${String(asked).padStart(6)} ${bar(approved / asked, 12)} ${percent(approved, asked)} approved`,
      `${percent(edited, asked)} edited`,
    ]);
  return rows.length === 0 ? "" : table(["asked", "", ""], rows, io);
}

function table(head: readonly string[], rows: readonly (readonly string[])[], io: Io): string {
  const paint = painter(io);
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const cells = (row: readonly string[]) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0));
  const lines = rows.map((row) => {
    const [first = "", ...rest] = cells(row);
    return [paint("cyan", first), ...rest].join("  ").trimEnd();
  });
  return [paint("bold", cells(head).join("  ").trimEnd()), ...lines].join("\n");
}

function section(title: string, lines: readonly string[], io: Io): string {
  return [painter(io)("bold", title), ...lines].join("\n");
}

/** Eighths of a block make short bars comparable. */
function bar(share: number, width: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(share * width * 8));
  const rest = eighths % 8;
  return ("█".repeat(Math.floor(eighths / 8)) + (rest > 0 ? "▏▎▍▌▋▊▉"[rest - 1] : "")).padEnd(width);
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)}%`;
}

function milliseconds(value: number): string {
  return (value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`).padStart(9);
}
