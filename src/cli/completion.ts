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

/** The script is generated from the table of commands. */
export function completionOf(commands: readonly CommandEntry[]): Command {
  return {
    name: "completion",
    summary: "Print a completion script for your shell",
    usage: "<bash|zsh|fish>",
    details: `The script completes commands and options, and looks up sessions, built-in tools, changes and pending approvals with 'wield completion names <kind>'.
bash: add  source <(wield completion bash)  to ~/.bashrc
zsh:  add  source <(wield completion zsh)  to ~/.zshrc, after compinit
fish: wield completion fish > ~/.config/fish/completions/wield.fish`,
    completes: [{ known: Object.keys(completionScripts) }],
    options: commonOptions,
    examples: [
      { command: "source <(wield completion bash)", note: "enable completion in this shell" },
      { command: "wield completion names session", note: "list the names that a script looks up" },
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

/** Folders are completed by the shell itself. */
const namesIn: Readonly<Record<string, ((wield: Wield) => Promise<Name[]>) | undefined>> = {
  session: async (wield) =>
    (await wield.sessions.list(most)).map(({ id, title }) => ({ name: id, about: title })),
  tool: async (wield) => wield.tools.list().map(({ name, title }) => ({ name, about: title })),
  change: async (wield) =>
    (await wield.changes.list({ limit: most })).map(({ id, description }) => ({
      name: id,
      about: description,
    })),
  approval: async (wield) =>
    (await wield.approvals.pending()).map(({ id, reason }) => ({ name: id, about: reason })),
};

/** A name, a tab and its description. Names with characters that a shell would interpret are left out. */
async function tellNames(given: Given, kind = "", io: Io): Promise<number> {
  const lookUp = Object.hasOwn(namesIn, kind) ? namesIn[kind] : undefined;
  if (!lookUp)
    throw new UsageError(`Names of what? Use one of: ${lookups.filter((name) => namesIn[name]).join(", ")}`);
  // Built-in tools only: pressing Tab must not run code of added tools or start servers.
  const wield = await openWield(given, io, kind === "tool" ? builtinNames : []);
  try {
    const names = (await lookUp(wield)).filter(({ name }) => /^[\w-]+$/.test(name));
    io.write(names.map(({ name, about }) => `${name}\t${visibleLine(about)}\n`).join(""));
    return exit.ok;
  } finally {
    await wield.close();
  }
}
