import { confirm, isCancel } from "@clack/prompts";
import { placesFrom } from "../app/places.ts";
import { setTrust, trustSubject } from "../app/trust.ts";
import { visibleLine } from "../text/visible.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { openWield } from "./open.ts";

export const trust: Command = {
  name: "trust",
  summary: "Trust this folder's own settings",
  usage: "",
  details:
    "Until then the files in .wield may only tighten rules, and AGENTS.md (or CLAUDE.md) is not followed. Trust covers those files as they are now: when one changes, it must be given again.",
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
      const { root } = wield.workspace;
      const file = placesFrom(io.env).trustFile;
      if (given.flag("status")) {
        io.out(wield.trusted ? "trusted" : "not trusted");
        return wield.trusted ? exit.ok : exit.failed;
      }
      if (given.flag("revoke")) {
        setTrust(file, root, undefined);
        io.out(`${root} is no longer trusted.`);
        return exit.ok;
      }
      const subject = await trustSubject(wield.workspace);
      const covered = [...subject.files.keys()].map((path) => `  ${visibleLine(path)}`);
      io.out(
        [
          `Trust ${visibleLine(root)}?`,
          ...(covered.length > 0
            ? ["These files may then loosen rules, add tools and tell the model what to do:", ...covered]
            : ["It has no .wield files yet; git hooks may run."]),
        ].join("\n"),
      );
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
      setTrust(file, root, subject.digest);
      io.out("Trusted.");
      return exit.ok;
    } finally {
      wield.close();
    }
  },
};
