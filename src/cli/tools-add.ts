import { resolve } from "node:path";
import { placesFrom } from "../app/places.ts";
import { changeUserSettings, type SettingsInput } from "../app/settings.ts";
import { visibleLine } from "../text/visible.ts";
import { readIfThere } from "../workspace/state-files.ts";
import { exit, type Given, UsageError } from "./command.ts";
import { openWield } from "./open.ts";
import { type Io, painter } from "./terminal.ts";

/** Adds a server or an API to the user's settings and lists its tools. */
export async function addTools(args: readonly string[], given: Given, io: Io): Promise<number> {
  const [kind, name, ...rest] = args;
  if (name === undefined || rest.length === 0 || (kind !== "mcp" && kind !== "openapi")) {
    throw new UsageError(
      "Use: wield tools add mcp <name> -- <command> [args], wield tools add mcp <name> <url>, wield tools add found, wield tools add <server.json or its name in the MCP registry>, or wield tools add openapi <name> <file>",
    );
  }
  const file = placesFrom(io.env).settingsFile;
  const api = kind === "openapi" ? await apiIn(resolve(io.cwd, rest[0] ?? "")) : undefined;
  changeUserSettings(file, (settings) =>
    api ? { ...settings, openapi: { ...settings.openapi, [name]: api } } : withServer(settings, name, rest),
  );
  const wield = await openWield(given, io);
  try {
    await wield.tools.ready();
    const added = wield.tools.list().filter((tool) => tool.category === name);
    for (const problem of wield.tools.problems()) io.err(painter(io)("yellow", visibleLine(problem)));
    if (added.length === 0) {
      io.err(`${name} was added to ${file}, but has no tools. Remove it: wield tools remove ${name}`);
      return exit.failed;
    }
    const lines = added.map((tool) => {
      const asks = tool.approval([], {}) === "ask" ? "asks first" : "runs without asking";
      return `  ${tool.name}  (${asks})  ${visibleLine(tool.description.split("\n")[0] ?? "").slice(0, 80)}`;
    });
    const where = api?.baseUrl === undefined ? "" : ` Requests go to ${visibleLine(api.baseUrl)}.`;
    io.out([`${name}: ${added.length} tools, available through tool search.${where}`, ...lines].join("\n"));
    return exit.ok;
  } finally {
    await wield.close();
  }
}

/** Removes a server or an API from the user's settings; its sign-in is forgotten with `logout`. */
export function removeTools(name: string, io: Io): number {
  const file = placesFrom(io.env).settingsFile;
  changeUserSettings(file, (settings) => {
    const { [name]: server, ...mcp } = settings.mcp ?? {};
    const { [name]: api, ...openapi } = settings.openapi ?? {};
    if (server === undefined && api === undefined) {
      const known = [...Object.keys(mcp), ...Object.keys(openapi)].map(visibleLine).join(", ");
      throw new UsageError(
        `${file} has no server or web API named ${JSON.stringify(name)}. It has ${known || "none"}.`,
      );
    }
    return { ...settings, ...(server && { mcp }), ...(api && { openapi }) };
  });
  io.out(`${visibleLine(name)} was removed from ${file}.`);
  return exit.ok;
}

function withServer(settings: SettingsInput, name: string, rest: readonly string[]): SettingsInput {
  const [first = "", ...args] = rest;
  const server = /^https?:\/\//.test(first) ? { url: first } : { command: first, args };
  return { ...settings, mcp: { ...settings.mcp, [name]: server } };
}

/** Stores the address that the file names now: the person has seen it, and a later change to the file has no effect. */
async function apiIn(file: string): Promise<{ file: string; baseUrl?: string }> {
  const text = readIfThere(file)?.toString();
  if (text === undefined) throw new UsageError(`There is no file ${file}.`);
  const { readOpenApi } = await import("../custom/openapi-file.ts");
  const baseUrl = unlessBroken(() => readOpenApi(text).baseUrl);
  return { file, ...(baseUrl !== undefined && URL.canParse(baseUrl) && { baseUrl }) };
}

/** Errors in the file are reported where it is used. */
function unlessBroken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
