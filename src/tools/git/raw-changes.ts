import type { Effect } from "../../tool/effects.ts";
import type { FilePreview, Preview } from "../../tool/tool.ts";
import { type GitContext, type GitOptions, git, plainDiff } from "./run-git.ts";

/** One file that differs between two states, as `git diff --raw` reports it. The old side comes first. */
export interface RawChange {
  path: string;
  /** M, A, D, T (of type), U (not merged). */
  kind: string;
  oldMode: string;
  oldId: string;
}

export async function rawChanges(
  what: readonly string[],
  context: GitContext,
  options: GitOptions,
): Promise<RawChange[]> {
  const ask = ["--raw", "--no-abbrev", "-z", "--no-renames", "--ignore-submodules=none"];
  const fields = (await git([...plainDiff, ...ask, ...what], context, options)).split("\0");
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", , oldId = "", , kind = ""] = (fields[at] ?? "").replace(/^:/, "").split(" ");
    changes.push({ path: fields[at + 1] ?? "", kind: kind[0] ?? "", oldMode, oldId });
  }
  return changes;
}

/** Every file of a commit, as new ones: what a checkout into an empty folder writes. */
export async function filesOfCommit(
  commit: string,
  context: GitContext,
  options: GitOptions,
): Promise<RawChange[]> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit];
  const names = (await git(args, context, options)).split("\0").filter((name) => name !== "");
  return names.map((path) => ({ path, kind: "A", oldMode: "", oldId: "" }));
}

/** What git is going to do to files when it goes from the old side to the new. */
export function effectsOfChanges(changes: readonly RawChange[]): Effect[] {
  return changes.map(({ path, kind }) =>
    kind === "D" ? { kind: "delete", path } : { kind: "write", path, replaces: kind !== "A" },
  );
}

const maxPreviews = 300;

export function previewsOfChanges(changes: readonly RawChange[]): { files: FilePreview[]; notes: string[] } {
  const files = changes.slice(0, maxPreviews).map(({ path, kind }): FilePreview => {
    const change = kind === "A" ? "create" : kind === "D" ? "delete" : "modify";
    return { path, change, diff: "", added: 0, removed: 0 };
  });
  const more = changes.length - files.length;
  return { files, notes: more > 0 ? [`and ${more} more files`] : [] };
}

/** The most names that the model gets. */
export function namesOf(paths: readonly string[], most = 20): string {
  const more = paths.length > most ? ` and ${paths.length - most} more` : "";
  return paths.slice(0, most).join(", ") + more;
}

/** A git command that changes files, worked out before it runs. */
export interface CommandPlan {
  command: readonly string[];
  changes: readonly RawChange[];
  /** What the plan was made from: another one means that the approval is stale. */
  state: string;
  /** How it can be undone. */
  back: string;
}

export function effectsOfCommand({ command, changes }: CommandPlan): Effect[] {
  return [{ kind: "run", command: `git ${command.join(" ")}`, network: "off" }, ...effectsOfChanges(changes)];
}

export function previewOfCommand(summary: string, { changes, state, back }: CommandPlan): Preview {
  const { files, notes } = previewsOfChanges(changes);
  return { summary, files, seen: new Map([["git", state]]), notes: [...notes, back] };
}
