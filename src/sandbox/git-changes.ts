import { inflateSync } from "node:zlib";
import { visibleLine } from "../text/visible.ts";
import type { FileOperation } from "../workspace/workspace.ts";
import { pathOf } from "./change-list.ts";

/**
 * What git itself writes when it commits: data that starts nothing. Settings and hooks are not among it, so they are
 * always shown as the files they are.
 */
const repositoryData =
  /^\.git\/(objects|refs|logs)(\/|$)|^\.git\/(index|HEAD|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|MERGE_MSG|packed-refs|AUTO_MERGE)$/;

export function isRepositoryData(path: string): boolean {
  return repositoryData.test(path);
}

/** The subjects of the commits among these operations: what a person is told instead of a list of object files. */
export function commitsIn(operations: readonly FileOperation[]): string[] {
  return operations.flatMap((operation) => {
    if (operation.op !== "write" || !/^\.git\/objects\/[0-9a-f]{2}\//.test(pathOf(operation))) return [];
    const subject = subjectOf(operation.bytes);
    return subject === undefined ? [] : [subject];
  });
}

/** One line for what a run did to the repository; undefined when it did nothing there. */
export function describeRepository(operations: readonly FileOperation[]): string | undefined {
  if (!operations.some((operation) => isRepositoryData(pathOf(operation)))) return undefined;
  const commits = commitsIn(operations);
  if (commits.length === 0) return "this run changed the git repository without making a commit";
  const count = commits.length === 1 ? "1 commit" : `${commits.length} commits`;
  const shown = commits.slice(0, mostSubjects).map((subject) => JSON.stringify(subject));
  const more = commits.length > mostSubjects ? ", …" : "";
  return `this run made ${count}: ${shown.join(", ")}${more}`;
}

const mostSubjects = 5;
/** A commit is small; what inflates to more is none. */
const maxCommitBytes = 64 * 1024;

function subjectOf(object: Uint8Array): string | undefined {
  try {
    const text = inflateSync(object, { maxOutputLength: maxCommitBytes }).toString();
    if (!text.startsWith("commit ")) return undefined;
    const [, message = ""] = text.split(/\n\n(.*)/s);
    return visibleLine((message.split("\n")[0] ?? "").slice(0, 120));
  } catch {
    return undefined;
  }
}
