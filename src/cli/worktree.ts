import type { WorktreeEnding } from "../api/worktrees.ts";
import type { Wield } from "../app/wield.ts";
import { isAgreed } from "./agreed.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import type { Io } from "./terminal.ts";
import { endingText, workLines, worktreeLine } from "./worktree-option.ts";

const endings: readonly WorktreeEnding[] = ["merge", "keep", "discard"];

export const worktree: Command = {
  name: "worktree",
  summary: "List worktrees of sessions; merge, keep or discard one",
  usage: "[list | show NAME | merge NAME | keep NAME | discard NAME]",
  details: `wield chat, ask or serve with --worktree NAME work in a git worktree: a separate checkout on the branch wield/NAME, with the settings, rules and trust of this folder. It begins at the last commit; ignored files, such as node_modules, are not in it.
merge: commits what is not committed and merges the branch into the one you are on, then removes the worktree and its branch. keep: makes the same commit and removes the worktree; the branch stays. discard: removes both. Each first shows what has changed, and asks.`,
  completes: [{ known: ["list", "show", ...endings] }],
  options: {
    yes: { short: "y", help: "Do not ask" },
    json: { help: "Print as JSON" },
    ...commonOptions,
  },
  examples: [
    { command: "wield chat --worktree fix", note: "work in a worktree named fix" },
    { command: "wield worktree merge fix", note: "show what is in it, then merge it into your branch" },
  ],
  async run(given, io) {
    const [what = "list", name] = given.args;
    const wield = await openWield(given, io, []);
    try {
      if (what === "list") {
        const all = wield.worktrees.list();
        const none = "No worktrees yet. Start one with: wield chat --worktree NAME";
        if (given.flag("json")) io.out(JSON.stringify(all, null, 2));
        else io.out(all.map(worktreeLine).join("\n") || none);
        return exit.ok;
      }
      const how = endings.find((each) => each === what);
      if ((what !== "show" && !how) || name === undefined)
        throw new UsageError(
          "Use: wield worktree [list | show NAME | merge NAME | keep NAME | discard NAME]",
        );
      if (how) return (await endWorktree(wield, name, how, given.flag("yes"), io)) ? exit.ok : exit.failed;
      const work = await wield.worktrees.look(name);
      io.out(given.flag("json") ? JSON.stringify(work, null, 2) : workLines(work).join("\n"));
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

/** Shows what is in it and what would happen, asks, and does it; whether it was done. */
export async function endWorktree(
  wield: Wield,
  name: string,
  how: WorktreeEnding,
  isAgreedTo: boolean,
  io: Io,
): Promise<boolean> {
  const work = await wield.worktrees.look(name);
  io.out([...workLines(work), endingText(how, work)].join("\n"));
  const agreed =
    isAgreedTo || (await isAgreed(`${titles[how]} ${name}?`, `wield worktree ${how} ${name} --yes`, io));
  if (!agreed) return false;
  io.out((await wield.worktrees.end(name, how, work.state)).text);
  return true;
}

const titles: Readonly<Record<WorktreeEnding, string>> = {
  merge: "Merge",
  keep: "Keep the branch and remove the worktree",
  discard: "Discard",
};
