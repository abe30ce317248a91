import { visibleLine, visibleText } from "../text/visible.ts";
import type { ChatContext } from "./chat-context.ts";
import { UsageError } from "./command.ts";
import { colourDiff } from "./diff-view.ts";
import { painter } from "./terminal.ts";

const mostLines = 1000;

/** `/diff`: what is not committed, of everything or of one path; or the difference to a revision. */
export async function showDiff({ wield, io }: ChatContext, [what]: readonly string[]): Promise<void> {
  const isPath =
    what !== undefined && (await wield.workspace.stat(what).catch(() => undefined)) !== undefined;
  const input = { revision: isPath || what === undefined ? "HEAD" : what, ...(isPath && { path: what }) };
  const { result } = await wield.call("git_diff", input, { byPerson: true });
  if (!result.ok) throw new UsageError(result.error.message);
  const status = what === undefined ? await wield.call("git_status", {}, { byPerson: true }) : undefined;
  const changed = status?.result.ok ? status.result.value.files : [];
  const untracked = changed.filter(({ unstaged }) => unstaged === "?");
  for (const { path } of untracked) io.out(painter(io)("green", `new, not in git: ${visibleLine(path)}`));
  const { diff, files } = result.value;
  // The ids of contents say nothing to a person.
  const shown = visibleText(diff).replaceAll(/^index [0-9a-f]+\.\.[0-9a-f]+.*\n/gm, "");
  if (files.length > 0) io.out(colourDiff(shown, io, mostLines).join("\n"));
  else if (untracked.length === 0) io.out("No differences.");
}

/** `/review`: what is sent to the model. */
export function reviewMessage(args: readonly string[]): string {
  const what =
    args.length > 0 ? args.join(" ") : "the changes that are not committed yet, new files included";
  return `Review ${what}. Look at the diff and at the code around it, and change nothing. List what is wrong, the most serious first: bugs, callers that break, security, missing tests; each with file and line, why it is wrong, and how to fix it. Leave out matters of taste. If nothing is wrong, say so.`;
}
