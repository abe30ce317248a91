import { confirm, isCancel } from "@clack/prompts";
import { allNotes, type NotesFile } from "../app/notes-files.ts";
import { placesFrom } from "../app/places.ts";
import {
  areFilesTrusted,
  areNotesTrusted,
  setTrust,
  type TrustSubject,
  trustSubject,
  withdrawTrust,
} from "../app/trust.ts";
import { visibleLine } from "../text/visible.ts";
import { type Command, commonOptions, exit, UsageError } from "./command.ts";
import { openWield } from "./open.ts";

export const trust: Command = {
  name: "trust",
  summary: "Trust this folder's own settings",
  usage: "",
  details:
    "Without trust, the files in .wield can only make rules stricter, and AGENTS.md (or CLAUDE.md) of the folder, of its sub-folders and of the folders above it in the same repository is ignored. Trust covers these files as they are now: if a file in .wield changes, run this command again. If only the notes change, they are ignored until you trust them again; the rest stays trusted.",
  options: {
    revoke: { help: "Withdraw trust" },
    status: { help: "Only print whether the folder is trusted" },
    yes: { short: "y", help: "Do not ask" },
    ...commonOptions,
  },
  examples: [
    { command: "wield trust", note: "show what would be trusted, then ask" },
    { command: "wield trust --revoke", note: "withdraw trust" },
  ],
  async run(given, io) {
    const wield = await openWield(given, io, []);
    try {
      const { workspace, worktree } = wield;
      if (worktree)
        throw new UsageError(
          `This is a worktree of ${worktree.repository}, and follows what is trusted there. To change it: wield trust -w ${worktree.repository}`,
        );
      const { trusted } = wield.settings;
      const { root } = workspace;
      const file = placesFrom(io.env).trustFile;
      if (given.flag("revoke")) {
        withdrawTrust(file, root);
        io.out(`${root} is no longer trusted.`);
        return exit.ok;
      }
      if (given.flag("status")) {
        const leftOut = trusted ? newNotes(file, root, await allNotes(workspace)) : [];
        const except =
          leftOut.length > 0 ? `, except for ${listed(leftOut)}, which changed or came later` : "";
        io.out(trusted ? `trusted${except}` : "not trusted");
        return trusted ? exit.ok : exit.failed;
      }
      const subject = await trustSubject(workspace);
      const notes = await allNotes(workspace);
      const isTrusted = areFilesTrusted(file, root, subject);
      const changed = newNotes(file, root, notes);
      if (isTrusted && changed.length === 0) {
        io.out(`${visibleLine(root)} is trusted.`);
        return exit.ok;
      }
      io.out(
        isTrusted
          ? `The folder is trusted, but ${listed(changed)} changed or came later. If you trust it now, agents follow these notes, too.`
          : newFolder(root, subject, notes),
      );
      if (!given.flag("yes")) {
        const answer = io.interactive ? await confirm({ message: "Trust it?", initialValue: false }) : false;
        if (isCancel(answer) || !answer) {
          io.err(
            io.interactive
              ? "Not trusted."
              : "Nobody can be asked here. To trust it anyway: wield trust --yes",
          );
          return exit.failed;
        }
      }
      setTrust(file, root, subject, notes);
      io.out("Trusted.");
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

function newFolder(root: string, { paths }: TrustSubject, notes: readonly NotesFile[]): string {
  const covered = [...notes.map(({ path }) => path), ...paths].map((path) => `  ${visibleLine(path)}`);
  return [
    `Trust ${visibleLine(root)}?`,
    ...(covered.length > 0
      ? ["With trust, these files can loosen rules, add tools and instruct the model:", ...covered]
      : ["It has no .wield files; with trust, git hooks can run."]),
  ].join("\n");
}

/** Those that the person has not trusted as they are. */
function newNotes(trustFile: string, root: string, notes: readonly NotesFile[]): NotesFile[] {
  return notes.filter((file) => !areNotesTrusted(trustFile, root, file));
}

function listed(notes: readonly NotesFile[]): string {
  return notes.map(({ path }) => visibleLine(path)).join(", ");
}
