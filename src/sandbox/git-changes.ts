import { visibleLine } from "../text/visible.ts";
import { sameIndex } from "../workspace/git-index.ts";
import { isRepositoryData } from "../workspace/repository-data.ts";
import type { FileOperation, Workspace } from "../workspace/workspace.ts";
import { pathOf } from "./change-list.ts";
import { type CommitSummary, commitOf, type ReadObject } from "./git-objects.ts";

/** Git's notes to itself: they name objects and keep none of them. */
const ownNotes = /^\.git\/(?:ORIG_HEAD|AUTO_MERGE)$/;
const looseObject = /^\.git\/objects\/[0-9a-f]{2}(?:\/[0-9a-f]+)?$/;

/**
 * The operations without objects that nothing leads to, as `git stash` leaves them after a `pop`: where no branch, tag, stash or
 * staged file has changed, there is nothing to approve.
 */
export async function withoutLostObjects(
  operations: readonly FileOperation[],
  workspace: Pick<Workspace, "read">,
): Promise<readonly FileOperation[]> {
  const isLost = async (operation: FileOperation) => {
    const path = pathOf(operation);
    if (operation.op === "mkdir") return true;
    if (operation.op !== "write") return false;
    if (looseObject.test(path) || ownNotes.test(path)) return true;
    if (path !== ".git/index") return false;
    const before = await workspace.read(path).catch(() => undefined);
    return before !== undefined && sameIndex(before.bytes, Buffer.from(operation.bytes));
  };
  const data = operations.filter((operation) => isRepositoryData(pathOf(operation)));
  if (!(await Promise.all(data.map(isLost))).every(Boolean)) return operations;
  return operations.filter((operation) => !isRepositoryData(pathOf(operation)));
}

const mostCommits = 5;
const mostFiles = 8;

/**
 * What a run did to the repository, in words: its commits with subject, author and files, in the place of the object files
 * that make them up; undefined when it did nothing there.
 */
export async function describeRepository(
  operations: readonly FileOperation[],
  workspace: Pick<Workspace, "read">,
): Promise<string | undefined> {
  const data = operations.filter((operation) => isRepositoryData(pathOf(operation)));
  if (data.length === 0) return undefined;
  const commits = await commitsIn(operations, workspace);
  const besides = besidesCommits(data, new Set(commits.keys())).map((one) => `; ${one}`);
  if (commits.size === 0)
    return `this run changed the git repository without making a commit${besides.join("")}`;
  const count = commits.size === 1 ? "1 commit" : `${commits.size} commits`;
  const shown = [...commits.values()].slice(0, mostCommits).map(describeCommit);
  const more = commits.size > mostCommits ? `; ${commits.size - mostCommits} more` : "";
  return `this run made ${count}: ${shown.join("; ")}${more}${besides.join("")}`;
}

/** What the commits do not show: a branch may point elsewhere, and packed commits are not read. */
function besidesCommits(data: readonly FileOperation[], commits: ReadonlySet<string>): string[] {
  const told = data.flatMap((operation): string[] => {
    const path = pathOf(operation);
    const [, ref] = /^\.git\/refs\/(.+)$/.exec(path) ?? [];
    if (operation.op === "link") return [`${visibleLine(path)} becomes a link`];
    if (operation.op === "delete" && ref !== undefined) return [`${visibleLine(ref)} is removed`];
    if (operation.op !== "write") return [];
    const text = Buffer.from(operation.bytes.subarray(0, 200)).toString().trim();
    if (path === ".git/HEAD") return [`HEAD is now ${visibleLine(text)}`];
    if (path === ".git/packed-refs") return ["its branches are packed"];
    if (path.endsWith(".pack")) return ["its objects are packed, and commits among them are not listed"];
    if (ref === undefined || commits.has(text)) return [];
    return [`${visibleLine(ref)} points to ${visibleLine(text.slice(0, 12))}, which is not listed`];
  });
  return [...new Set(told)].slice(0, mostFiles);
}

function describeCommit({ subject, author, files }: CommitSummary): string {
  const names = files.slice(0, mostFiles).join(", ");
  const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : "";
  return `${JSON.stringify(subject)} by ${author}${files.length === 0 ? "" : ` (${names}${more})`}`;
}

async function commitsIn(
  operations: readonly FileOperation[],
  workspace: Pick<Workspace, "read">,
): Promise<Map<string, CommitSummary>> {
  const written = new Map(
    operations.flatMap((operation) => {
      const hash = hashOf(pathOf(operation));
      return operation.op === "write" && hash !== undefined ? [[hash, operation.bytes] as const] : [];
    }),
  );
  const read: ReadObject = async (hash) =>
    written.get(hash) ?? (await workspace.read(placeOf(hash)).catch(() => undefined))?.bytes;
  const commits = new Map<string, CommitSummary>();
  for (const [hash, bytes] of written) {
    const commit = await commitOf(bytes, (other) => written.has(other), read);
    if (commit) commits.set(hash, commit);
  }
  return commits;
}

function hashOf(path: string): string | undefined {
  const [, folder, name] = /^\.git\/objects\/([0-9a-f]{2})\/([0-9a-f]{38,62})$/.exec(path) ?? [];
  return folder === undefined || name === undefined ? undefined : `${folder}${name}`;
}

function placeOf(hash: string): string {
  return `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`;
}
