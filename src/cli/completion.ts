import type { Wield } from "../app/wield.ts";
import { visibleLine } from "../text/visible.ts";
import { builtinNames } from "../toolsets/toolsets.ts";
import {
  type Command,
  type CommandEntry,
  commonOptions,
  exit,
  type Given,
  lookups,
  UsageError,
} from "./command.ts";
import { completionScripts, isShell } from "./completion-scripts.ts";
import { openWield } from "./open.ts";
import type { Io } from "./terminal.ts";

/** Its script is made of the table of commands, so that nothing is written twice. */
export function completionOf(commands: readonly CommandEntry[]): Command {
  return {
    name: "completion",
    summary: "Let your shell complete commands, options and names",
    usage: "<bash|zsh|fish>",
    details: `Prints a script. Names of sessions, built-in tools, changes and open approvals are looked up when they are wanted, by 'wield completion names <kind>'.
bash: put  source <(wield completion bash)  into ~/.bashrc
zsh:  put  source <(wield completion zsh)  into ~/.zshrc, after compinit
fish: wield completion fish > ~/.config/fish/completions/wield.fish`,
    completes: [{ known: Object.keys(completionScripts) }],
    options: commonOptions,
    examples: [
      { command: "source <(wield completion bash)", note: "in this shell, from now on" },
      { command: "wield completion names session", note: "what a script is told" },
    ],
    async run(given, io) {
      const [what = "", kind] = given.args;
      if (what === "names") return tellNames(given, kind, io);
      if (!isShell(what) || kind !== undefined)
        throw new UsageError(
          `Which shell? Use: wield completion ${Object.keys(completionScripts).join("|")}`,
        );
      io.out(completionScripts[what](await Promise.all(commands.map(({ load }) => load()))));
      return exit.ok;
    },
  };
}

interface Name {
  name: string;
  about: string;
}

const most = 100;

/** A folder is for the shell itself to look up. */
const namesIn: Readonly<Record<string, ((wield: Wield) => Promise<Name[]>) | undefined>> = {
  session: async (wield) => wield.sessions.list(most).map(({ id, title }) => ({ name: id, about: title })),
  tool: async (wield) => wield.tools.list().map(({ name, title }) => ({ name, about: title })),
  change: async (wield) =>
    (await wield.changes.list({ limit: most })).map(({ id, description }) => ({
      name: id,
      about: description,
    })),
  approval: async (wield) => wield.approvals.pending().map(({ id, reason }) => ({ name: id, about: reason })),
};

/** A name and what it is about, with a tab between. What a shell could take for more than a name is left out. */
async function tellNames(given: Given, kind = "", io: Io): Promise<number> {
  const lookUp = Object.hasOwn(namesIn, kind) ? namesIn[kind] : undefined;
  if (!lookUp)
    throw new UsageError(`Names of what? Use one of: ${lookups.filter((name) => namesIn[name]).join(", ")}`);
  // Added tools would be code that runs, and servers that start, because somebody pressed Tab.
  const wield = await openWield(given, io, kind === "tool" ? builtinNames : []);
  try {
    const names = (await lookUp(wield)).filter(({ name }) => /^[\w-]+$/.test(name));
    io.write(names.map(({ name, about }) => `${name}\t${visibleLine(about)}\n`).join(""));
    return exit.ok;
  } finally {
    wield.close();
  }
}
