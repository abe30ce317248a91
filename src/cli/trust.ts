import { confirm, isCancel } from "@clack/prompts";
import { placesFrom } from "../app/places.ts";
import {
  areFilesTrusted,
  areNotesTrusted,
  notesFile,
  setTrust,
  type TrustSubject,
  trustSubject,
} from "../app/trust.ts";
import { visibleLine } from "../text/visible.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { openWield } from "./open.ts";

export const trust: Command = {
  name: "trust",
  summary: "Trust this folder's own settings",
  usage: "",
  details:
    "Without trust, the files in .wield can only make rules stricter, and AGENTS.md (or CLAUDE.md) is ignored. Trust covers these files as they are now: if a file in .wield changes, run this command again. If only the notes change, they are ignored until you trust them again; the rest stays trusted.",
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
      const { workspace } = wield;
      const { trusted } = wield.settings;
      const { root } = workspace;
      const file = placesFrom(io.env).trustFile;
      if (given.flag("revoke")) {
        setTrust(file, root, undefined);
        io.out(`${root} is no longer trusted.`);
        return exit.ok;
      }
      if (given.flag("status")) {
        const notes = await notesFile(workspace);
        const leftOut = trusted && notes && !areNotesTrusted(file, root, notes);
        io.out(
          leftOut
            ? `trusted, except for ${notes.path}, which has changed`
            : trusted
              ? "trusted"
              : "not trusted",
        );
        return trusted ? exit.ok : exit.failed;
      }
      const subject = await trustSubject(workspace);
      const { notes } = subject;
      const isTrusted = areFilesTrusted(file, root, subject);
      if (isTrusted && (!notes || areNotesTrusted(file, root, notes))) {
        io.out(`${visibleLine(root)} is trusted.`);
        return exit.ok;
      }
      io.out(isTrusted ? newNotes(subject) : newFolder(root, subject));
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
      setTrust(file, root, subject);
      io.out("Trusted.");
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

function newFolder(root: string, { paths, notes }: TrustSubject): string {
  const covered = [...(notes ? [notes.path] : []), ...paths].map((path) => `  ${visibleLine(path)}`);
  return [
    `Trust ${visibleLine(root)}?`,
    ...(covered.length > 0
      ? ["With trust, these files can loosen rules, add tools and instruct the model:", ...covered]
      : ["It has no .wield files; with trust, git hooks can run."]),
  ].join("\n");
}

function newNotes({ notes }: TrustSubject): string {
  return `The folder is trusted, but ${notes?.path} has changed since. If you trust it, agents follow the new version.`;
}
