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
    "Until then the files in .wield may only tighten rules, and AGENTS.md (or CLAUDE.md) is not followed. Trust covers those files as they are now: when one in .wield changes, it must be given again. Notes that changed are left out until you accept them here; the rest stays trusted.",
  options: {
    revoke: { help: "Take the trust back" },
    status: { help: "Only say whether the folder is trusted" },
    yes: { short: "y", help: "Do not ask" },
    ...commonOptions,
  },
  examples: [
    { command: "wield trust", note: "show what would be trusted, then ask" },
    { command: "wield trust --revoke", note: "back to the cautious default" },
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
        io.out(leftOut ? `trusted, without ${notes.path} as it is now` : trusted ? "trusted" : "not trusted");
        return trusted ? exit.ok : exit.failed;
      }
      const subject = await trustSubject(workspace);
      const { notes } = subject;
      const isTrusted = areFilesTrusted(file, root, subject);
      if (isTrusted && (!notes || areNotesTrusted(file, root, notes))) {
        io.out(`${visibleLine(root)} is trusted as it is now.`);
        return exit.ok;
      }
      io.out(isTrusted ? newNotes(subject) : newFolder(root, subject));
      if (!given.flag("yes")) {
        const answer = io.interactive ? await confirm({ message: "Trust it?", initialValue: false }) : false;
        if (isCancel(answer) || !answer) {
          io.err(
            io.interactive
              ? "Not trusted."
              : "Nobody is here to ask. To trust it all the same: wield trust --yes",
          );
          return exit.failed;
        }
      }
      setTrust(file, root, subject);
      io.out("Trusted.");
      return exit.ok;
    } finally {
      wield.close();
    }
  },
};

function newFolder(root: string, { paths, notes }: TrustSubject): string {
  const covered = [...(notes ? [notes.path] : []), ...paths].map((path) => `  ${visibleLine(path)}`);
  return [
    `Trust ${visibleLine(root)}?`,
    ...(covered.length > 0
      ? ["These files may then loosen rules, add tools and tell the model what to do:", ...covered]
      : ["It has no .wield files yet; git hooks may run."]),
  ].join("\n");
}

function newNotes({ notes }: TrustSubject): string {
  return `The folder is trusted; ${notes?.path} is not as it was then. Agents follow it as it is now, if you trust it.`;
}
