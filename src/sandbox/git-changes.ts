import type { FileOperation, Workspace } from "../workspace/workspace.ts";
import { pathOf } from "./change-list.ts";
import { type CommitSummary, commitOf, type ReadObject } from "./git-objects.ts";

/**
 * What git itself writes when it commits: data that starts nothing. Settings and hooks are not among it, so they are
 * always shown as the files they are; nor is `objects/info`, whose `alternates` names folders that git reads objects from.
 */
const repositoryData =
  /^\.git\/objects(?:\/(?:[0-9a-f]{2}(?:\/[0-9a-f]+)?|pack(?:\/[^/]+)?))?$|^\.git\/(?:refs|logs)(?:\/|$)|^\.git\/(?:index|HEAD|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|MERGE_MSG|packed-refs|AUTO_MERGE)$/;

export function isRepositoryData(path: string): boolean {
  return repositoryData.test(path);
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
  if (!operations.some((operation) => isRepositoryData(pathOf(operation)))) return undefined;
  const commits = await commitsIn(operations, workspace);
  if (commits.length === 0) return "this run changed the git repository without making a commit";
  const count = commits.length === 1 ? "1 commit" : `${commits.length} commits`;
  const shown = commits.slice(0, mostCommits).map(describeCommit);
  const more = commits.length > mostCommits ? `; ${commits.length - mostCommits} more` : "";
  return `this run made ${count}: ${shown.join("; ")}${more}`;
}

function describeCommit({ subject, author, files }: CommitSummary): string {
  const names = files.slice(0, mostFiles).join(", ");
  const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : "";
  return `${JSON.stringify(subject)} by ${author}${files.length === 0 ? "" : ` (${names}${more})`}`;
}

async function commitsIn(
  operations: readonly FileOperation[],
  workspace: Pick<Workspace, "read">,
): Promise<CommitSummary[]> {
  const written = new Map(
    operations.flatMap((operation) => {
      const hash = hashOf(pathOf(operation));
      return operation.op === "write" && hash !== undefined ? [[hash, operation.bytes] as const] : [];
    }),
  );
  const read: ReadObject = async (hash) =>
    written.get(hash) ?? (await workspace.read(placeOf(hash)).catch(() => undefined))?.bytes;
  const found = await Promise.all(
    [...written.values()].map((bytes) => commitOf(bytes, (hash) => written.has(hash), read)),
  );
  return found.filter((commit) => commit !== undefined);
}

function hashOf(path: string): string | undefined {
  const [, folder, name] = /^\.git\/objects\/([0-9a-f]{2})\/([0-9a-f]{38,62})$/.exec(path) ?? [];
  return folder === undefined || name === undefined ? undefined : `${folder}${name}`;
}

function placeOf(hash: string): string {
  return `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`;
}
