import { z } from "zod";
import { applyChanges, type Judge } from "../../sandbox/apply-changes.ts";
import type { HeldChanges } from "../../sandbox/held-changes.ts";
import type { JobResult } from "../../sandbox/sandbox.ts";
import { compareBytes, lineTotals } from "../../text/diff.ts";
import { visibleLine } from "../../text/visible.ts";
import type { Effect } from "../../tool/effects.ts";
import type { ToolResult } from "../../tool/result.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { appliedDiff, appliedDiffOf } from "../files/applied-diff.ts";

/** Who decides on the changes of a run, and where those wait that a person must decide on. */
export interface Judging {
  /** The policy of a session; left out: of the folder. */
  judge(tool: string, effect: Effect, session?: string): ReturnType<Judge>;
  held: HeldChanges;
}

/** So many ignored files that a run changed are named. */
const firstIgnored = 3;

/** What became of the files that a run changed. */
export const applied = z.object({
  changes: appliedDiff.nullable().describe("Applied to the workspace; undo takes them back"),
  ignored: z
    .object({ changeId: z.string(), files: z.number(), first: z.array(z.string()) })
    .nullable()
    .describe("Files that git ignores: applied, undone by this id only"),
  held: z
    .object({
      id: z.string(),
      files: appliedDiff.shape.files,
      reasons: z.array(z.string()),
    })
    .nullable()
    .describe("Not applied: apply_held_changes asks the person"),
  refused: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type AppliedValue = z.infer<typeof applied>;

/** Applies, holds or refuses the changes of a finished run. */
export async function applyRun(
  result: JobResult,
  startedAt: Date,
  what: { tool: string; description: string; approved?: boolean },
  execution: Judging,
  {
    workspace,
    callId,
    session,
    attended = false,
  }: Pick<ToolContext, "workspace" | "callId" | "session" | "attended">,
): Promise<AppliedValue> {
  const { approved = false, ...by } = { callId, ...what };
  const { held } = execution;
  const judge: Judge = (tool, effect) => execution.judge(tool, effect, session);
  const parts = { workspace, judge, held, by, startedAt, attended, approved };
  const { change, ignored, held: waiting, refused } = await applyChanges(result.changes, parts);
  return {
    changes: change && appliedDiffOf(change),
    ignored: ignored && {
      changeId: ignored.id,
      files: ignored.files.length,
      first: ignored.files
        .map(({ path }) => path)
        .sort()
        .slice(0, firstIgnored),
    },
    held: waiting && {
      id: waiting.id,
      reasons: waiting.reasons,
      files: await Promise.all(
        waiting.files.map(async ({ path, change: kind, from, beforeBytes, afterBytes }) => {
          const { diff, ...lines } = await compareBytes(path, beforeBytes, afterBytes);
          return {
            path,
            change: kind,
            from,
            diff,
            ...(diff === "" && lines.added + lines.removed > 0 && lines),
          };
        }),
      ),
    },
    refused,
  };
}

/** The question about what was held, asked right after the run where somebody is there to answer it. */
export const askAboutHeld = {
  tool: "apply_held_changes",
  request: ({ held }: AppliedValue) => (held ? { id: held.id, input: { id: held.id } } : undefined),
  merge: <T extends AppliedValue>(value: T, answer: ToolResult<unknown>): T => {
    if (answer.ok) return { ...value, held: null, changes: appliedDiff.parse(answer.value) };
    const { code, message: reason } = answer.error;
    // Both end it: denied, or approved when the files had changed. After anything else the changes still wait.
    if ((code !== "APPROVAL_DENIED" && code !== "CONFLICT") || !value.held) return value;
    const refused = value.held.files.map(({ path }) => ({ path, reason }));
    return {
      ...value,
      held: null,
      refused: [...value.refused, ...(refused.length > 0 ? refused : [{ path: ".git", reason }])],
    };
  },
};

/** One line a file, or only how many, for the model; diffs are in the value and in the journal. */
export function describeApplied({ changes, ignored, held, refused }: AppliedValue, short: boolean): string[] {
  const section = (title: string, lines: string[]) => [
    title,
    ...(short ? [] : lines.map((line) => `  ${line}`)),
  ];
  return [
    ...(changes
      ? section(
          `${changes.files.length === 0 ? "Applied" : `${files(changes.files.length)} changed`} (undo: change ${changes.changeId})`,
          fewLines(changes.files.map(fileLine)),
        )
      : []),
    ...(changes?.notices ?? []),
    ...(ignored
      ? [
          `${files(ignored.files)} that git ignores changed: ${ignored.first.map(visibleLine).join(", ")}${ignored.files > ignored.first.length ? ", …" : ""} (undo: change ${ignored.changeId})`,
        ]
      : []),
    ...(held
      ? section(
          `Not applied yet (${held.files.length === 0 ? "the repository" : files(held.files.length)}): a person must approve it, on the page or by: wield approvals approve ${held.id}. apply_held_changes(${JSON.stringify({ id: held.id })}) asks again. Until then the workspace is unchanged in this respect.`,
          [
            ...fewLines(held.files.map(fileLine)),
            ...held.reasons.slice(0, 3).map((reason) => `because ${visibleLine(reason)}`),
          ],
        )
      : []),
    ...(refused.length > 0
      ? section(
          `${files(refused.length)} refused`,
          fewLines(refused.map(({ path, reason }) => visibleLine(`${path}: ${reason}`))),
        )
      : []),
  ];
}

/** Of very many files the first ones are enough to know what they are. */
const mostLines = 25;

function fewLines(lines: string[]): string[] {
  const more = lines.length - mostLines;
  return more > 5 ? [...lines.slice(0, mostLines), `and ${more} more`] : lines;
}

function fileLine(file: z.infer<typeof appliedDiff>["files"][number]): string {
  const { path, change } = file;
  const { added, removed } = lineTotals(file);
  return `${change} ${visibleLine(path)}${added + removed === 0 ? "" : ` (+${added} −${removed})`}`;
}

function files(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}
