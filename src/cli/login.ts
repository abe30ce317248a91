import type { KeyView } from "../api/keys.ts";
import type { Wield } from "../app/wield.ts";
import { visibleLine } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { type Command, columns, commonOptions, exit, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

const listed = "Without a provider, lists what each needs and which have a key.";

export const login: Command = {
  name: "login",
  summary: "Store the key of a provider",
  usage: "[provider]",
  details: `The key is read without showing it, or from standard input in a pipe, checked with one small request and stored in a file that only you can read (~/.config/wield/keys.json, mode 600). A key in the environment comes first. ${listed}`,
  options: {
    unchecked: { help: "Store the key without asking the provider" },
    ...commonOptions,
  },
  examples: [
    { command: "wield login", note: "choose a provider" },
    { command: "wield login anthropic", note: "store a key for Anthropic" },
    { command: "pass anthropic | wield login anthropic", note: "take the key from another program" },
  ],
  run: (given, io) =>
    withKeys(given, io, async (wield) => {
      const provider = given.args[0] ?? (io.interactive ? await choose(wield, io) : undefined);
      if (provider === undefined) {
        io.out(await overview(wield, io));
        return exit.ok;
      }
      const view = wield.keys.list().find((known) => known.provider === provider);
      if (view?.source === "environment")
        io.err(`${view.variable} is set in the environment and comes before a stored key.`);
      const key = io.interactive ? await askKey(view, provider) : await io.input();
      if (key === undefined) return exit.failed;
      const check = !given.flag("unchecked");
      const { label } = await wield.keys.set(provider, key, { check, signal: io.signal });
      io.out(`Stored the key of ${label}${check && view?.kind !== "search" ? "; it is accepted" : ""}.`);
      return exit.ok;
    }),
};

export const logout: Command = {
  name: "logout",
  summary: "Remove the stored key of a provider",
  usage: "<provider>",
  options: commonOptions,
  examples: [{ command: "wield logout anthropic", note: "remove the stored key" }],
  run: (given, io) =>
    withKeys(given, io, async (wield) => {
      const [provider] = given.args;
      if (provider === undefined) throw new UsageError("Which provider? For example: wield logout anthropic");
      const { label, source, variable, wasStored } = await wield.keys.remove(provider);
      io.out(
        wasStored ? `Removed the stored key of ${label}.` : `There is no stored key of ${label} to remove.`,
      );
      if (source === "environment") io.out(`${variable} is set in the environment and is still used.`);
      return exit.ok;
    }),
};

async function withKeys(
  given: Parameters<Command["run"]>[0],
  io: Io,
  work: (wield: Wield) => Promise<number>,
): Promise<number> {
  const wield = await openWield(given, io, []);
  try {
    return await work(wield);
  } finally {
    await wield.close();
  }
}

async function choose(wield: Wield, io: Io): Promise<string | undefined> {
  io.out(await overview(wield, io));
  const { isCancel, select } = await import("@clack/prompts");
  const options = wield.keys.list().map(({ provider, label, source }) => ({
    value: provider,
    label,
    ...(source !== "none" && { hint: source === "stored" ? "has a stored key" : "set in the environment" }),
  }));
  const chosen = await select({ message: "Whose key?", options, signal: io.signal });
  return isCancel(chosen) ? undefined : chosen;
}

async function askKey(view: KeyView | undefined, provider: string): Promise<string | undefined> {
  const { isCancel, password } = await import("@clack/prompts");
  const where = view?.page === undefined ? "" : ` (made at ${view.page})`;
  const key = await password({ message: `Key of ${view?.label ?? provider}${where}` });
  return isCancel(key) ? undefined : (key ?? "");
}

async function overview(wield: Wield, io: Io): Promise<string> {
  const paint = painter(io);
  const rows = wield.keys
    .list()
    .map(({ provider, label, source, variable, needs, page }) => [
      `${source === "none" ? paint("yellow", "–") : paint("green", "✓")} ${provider}`,
      source === "none"
        ? `${label}: ${page === undefined ? "" : `a key from ${page}, and `}${needs}`
        : `${label}: ${source === "stored" ? "stored" : `${variable} in the environment`}`,
    ]);
  const ollama = (await wield.models()).names.filter((name) => name.startsWith("ollama/"));
  rows.push([
    `${ollama.length > 0 ? paint("green", "✓") : paint("yellow", "–")} ollama`,
    ollama.length > 0
      ? `Ollama on this machine, found with ${visibleLine(ollama[0] ?? "")}; needs no key`
      : "Ollama on this machine: not running; install it from https://ollama.com, no key is needed",
  ]);
  return wrap(columns(rows), io.columns);
}
