import type { Workspace } from "../workspace/workspace.ts";
import { descriptionOf, markdownFiles } from "./markdown-files.ts";
import type { Places } from "./places.ts";
import { markdownPlaces } from "./trust.ts";

/** A message that a person keeps in a file and sends by its name. */
export interface OwnCommand {
  /** Without the slash. */
  name: string;
  description: string;
  /** `$ARGUMENTS` is replaced by all words after the name, `$1`, `$2` … for single ones. */
  text: string;
  source: "user" | "workspace";
  /** The folder of another program that it comes from. */
  from?: string;
}

/** Of the person, and of the folder while it is trusted; the folder's come first. What would run a command in them is text here. */
export async function ownCommands(workspace: Workspace, places: Places): Promise<OwnCommand[]> {
  const files = await markdownFiles(markdownPlaces.commands, workspace, places);
  return files.map((file) => ({
    name: file.name,
    description: descriptionOf(file),
    text: file.body,
    source: file.source,
    ...(file.from !== undefined && { from: file.from }),
  }));
}

/** What `/name words` stands for, if there is a command of that name. */
export function messageFor(text: string, commands: readonly OwnCommand[]): string | undefined {
  const [, name, rest = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  const command = commands.find((known) => known.name === name);
  return command && messageOf(command, rest.split(/\s+/).filter(Boolean));
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
