import type { WorktreeEnding } from "../api/worktrees.ts";
import { visibleLine } from "../text/visible.ts";
import type { ChatContext } from "./chat-context.ts";
import { UsageError } from "./command.ts";
import { endWorktree } from "./worktree.ts";
import { openWorktree, workLines, worktreeLine } from "./worktree-option.ts";

const endings: readonly WorktreeEnding[] = ["merge", "keep", "discard"];
const usage = "/worktree new [name] | <name> | merge | keep | discard";

/** `/worktree`: shows where the chat works, moves it into a worktree, or ends the one that it works in. */
export async function useWorktree(chat: ChatContext, [what, name]: readonly string[]): Promise<void> {
  const { wield, io } = chat;
  const here = wield.worktree;
  const how = endings.find((each) => each === what);
  if (what === undefined) {
    if (here)
      io.out([`${worktreeLine(here)}`, ...workLines(await wield.worktrees.look(here.name))].join("\n"));
    else io.out(wield.worktrees.list().map(worktreeLine).join("\n") || "No worktrees yet.");
    io.out(`Use: ${usage}`);
    return;
  }
  if (how) {
    const which = name ?? here?.name;
    if (which === undefined) throw new UsageError(`Which worktree? Use: /worktree ${how} <name>`);
    if (!(await endWorktree(wield, which, how, false, io)) || which !== here?.name) return;
    leaveFor(chat, here.repository, `A new session begins in ${visibleLine(here.repository)}.`);
    return;
  }
  const folder = await openWorktree(wield, what === "new" ? name : what, io);
  if (folder === wield.workspace.root) io.out("This chat works there already.");
  else
    leaveFor(
      chat,
      folder,
      "A new session begins in the worktree; it does not know this conversation, which stays where it is.",
    );
}

/** A chat works in one folder: it ends here, and a new session begins there. */
function leaveFor(chat: ChatContext, folder: string, said: string): void {
  chat.io.out(said);
  chat.next = folder;
  chat.left = true;
}
