import { Failure } from "../../failure/failure.ts";
import { checkRevision, type GitContext, type GitOptions, git } from "./run-git.ts";

/** A remote by its configured name only: a URL from a model could name any transport or host. */
export async function knownRemote(name: string, context: GitContext, options: GitOptions): Promise<string> {
  const remotes = (await git(["remote"], context, options)).split("\n").filter(Boolean);
  if (remotes.includes(name)) return name;
  const known =
    remotes.length > 0 ? `Known remotes: ${remotes.join(", ")}.` : "The repository has no remotes.";
  throw new Failure("INVALID_INPUT", `There is no remote named ${JSON.stringify(name)}. ${known}`);
}

export async function branchOf(
  given: string | undefined,
  context: GitContext,
  options: GitOptions,
): Promise<string> {
  const branch =
    given === undefined
      ? (await git(["branch", "--show-current"], context, options)).trim()
      : checkRevision(given);
  if (branch === "") throw new Failure("INVALID_INPUT", "HEAD is detached: name the branch.");
  await git(["show-ref", "--verify", "--quiet", `refs/heads/${branch}`], context, options).catch(() => {
    throw new Failure("INVALID_INPUT", `There is no local branch named ${JSON.stringify(branch)}.`);
  });
  return branch;
}
