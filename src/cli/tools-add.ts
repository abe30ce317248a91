import { resolve } from "node:path";
import { placesFrom } from "../app/places.ts";
import { changeUserSettings, type SettingsInput } from "../app/settings.ts";
import { visibleLine } from "../text/visible.ts";
import { exit, type Given, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

/** Adds a server or an API to the user's own settings, and shows what came of it. */
export async function addTools(args: readonly string[], given: Given, io: Io): Promise<number> {
  const [kind, name, ...rest] = args;
  if (name === undefined || rest.length === 0 || (kind !== "mcp" && kind !== "openapi")) {
    throw new UsageError(
      "Use: wield tools add mcp <name> -- <command> [args], wield tools add mcp <name> <url>, or wield tools add openapi <name> <file>",
    );
  }
  const file = placesFrom(io.env).settingsFile;
  changeUserSettings(file, (settings) =>
    kind === "mcp"
      ? withServer(settings, name, rest)
      : withApi(settings, name, resolve(io.cwd, rest[0] ?? "")),
  );
  const wield = await openWield(given, io);
  try {
    await wield.settled();
    const added = wield.tools.filter((tool) => tool.category === name);
    for (const problem of wield.problems()) io.err(painter(io)("yellow", visibleLine(problem)));
    if (added.length === 0) {
      io.err(`${name} is in ${file}, but brought no tools.`);
      return exit.failed;
    }
    const lines = added.map((tool) => {
      const asks = tool.approval([], {}) === "ask" ? "asks first" : "runs at once";
      return `  ${tool.name}  (${asks})  ${visibleLine(tool.description.split("\n")[0] ?? "").slice(0, 80)}`;
    });
    io.out([`${name}: ${added.length} tools, found by searching.`, ...lines].join("\n"));
    return exit.ok;
  } finally {
    wield.close();
  }
}

function withServer(settings: SettingsInput, name: string, rest: readonly string[]): SettingsInput {
  const [first = "", ...args] = rest;
  const server = /^https?:\/\//.test(first) ? { url: first } : { command: first, args };
  return { ...settings, mcp: { ...settings.mcp, [name]: server } };
}

function withApi(settings: SettingsInput, name: string, file: string): SettingsInput {
  return { ...settings, openapi: { ...settings.openapi, [name]: { file } } };
}
