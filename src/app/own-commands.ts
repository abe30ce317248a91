import { join } from "node:path";
import { isThere, namesIn, readIfThere } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Places } from "./places.ts";
import { isTrusted } from "./trust.ts";

/** A message that a person keeps in a file and sends by its name. */
export interface OwnCommand {
  /** Without the slash. */
  name: string;
  description: string;
  /** `$ARGUMENTS` is replaced by all words after the name, `$1`, `$2` … for single ones. */
  text: string;
  source: "user" | "workspace";
}

const folder = "commands";
const mostBytes = 100_000;

/** Of the person, and of the folder while it is trusted; the folder's come first. */
export async function ownCommands(workspace: Workspace, places: Places): Promise<OwnCommand[]> {
  const own = usersCommands(join(places.configDir, folder));
  const ofFolder = (await isTrusted(places.trustFile, workspace)) ? await foldersCommands(workspace) : [];
  const names = new Set(ofFolder.map(({ name }) => name));
  return [...ofFolder, ...own.filter(({ name }) => !names.has(name))];
}

/** The message that a command expands to. */
export function messageOf({ text }: OwnCommand, args: readonly string[]): string {
  const all = args.join(" ");
  const filled = text.replaceAll(/\$(ARGUMENTS|\d)/g, (_, which: string) =>
    which === "ARGUMENTS" ? all : (args[Number(which) - 1] ?? ""),
  );
  const isUsed = /\$(?:ARGUMENTS|\d)/.test(text);
  return (isUsed || all === "" ? filled : `${filled}\n\n${all}`).trim();
}

function usersCommands(path: string): OwnCommand[] {
  if (!isThere(path)) return [];
  return namesIn(path).flatMap((file) => {
    const text = readIfThere(join(path, file))?.toString();
    return text === undefined ? [] : parsed(file, text, "user");
  });
}

async function foldersCommands(workspace: Workspace): Promise<OwnCommand[]> {
  const entries = await workspace.list(`.wield/${folder}`).catch(() => []);
  const found = await Promise.all(
    entries.map(async ({ path, name }) => {
      const file = await workspace.read(path, { maxBytes: mostBytes }).catch(() => undefined);
      return file ? parsed(name, file.bytes.toString(), "workspace") : [];
    }),
  );
  return found.flat();
}

/** `name.md`: front matter with a description, if any, then the message. */
function parsed(file: string, text: string, source: OwnCommand["source"]): OwnCommand[] {
  const name = /^([a-z0-9][a-z0-9_-]{0,40})\.md$/i.exec(file)?.[1];
  if (name === undefined) return [];
  const [, front = "", body = text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const given = /^description:[ \t]*(.+)$/m.exec(front)?.[1]?.replace(/^(["'])(.*)\1$/, "$2");
  const description = given ?? body.trim().split("\n")[0]?.slice(0, 80) ?? "";
  return body.trim() === "" ? [] : [{ name, description, text: body.trim(), source }];
}
