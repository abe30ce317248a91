import { Failure } from "../events/failure.ts";
import { nearestNames } from "../text/nearest.ts";
import { visibleText } from "../text/visible.ts";
import { columns, exit, helpOf, parseCommand, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { type Io, painter } from "./terminal.ts";

/** Runs one command line and says with which code the process ends. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name = "", ...rest] = argv.length > 0 ? argv : ["serve", "--open"];
  if (name === "--help" || name === "-h" || name === "help") return showHelp(rest[0], io);
  if (name === "--version" || name === "-v") return show(io, process.env["WIELD_VERSION"] ?? "development");
  try {
    const entry = commands.find((command) => command.name === name);
    if (!entry)
      throw new UsageError(
        `There is no command ${JSON.stringify(name)}.${suggestion(name)} See: wield --help`,
      );
    const command = await entry.load();
    const given = parseCommand(command, rest);
    if (given.flag("help")) return show(io, helpOf(command));
    return await command.run(given, io);
  } catch (error) {
    if (error instanceof UsageError) return complain(io, error.message, exit.misused);
    if (error instanceof Failure) return complain(io, `${error.code}: ${error.message}`, exit.failed);
    throw error;
  }
}

async function showHelp(name: string | undefined, io: Io): Promise<number> {
  const entry = commands.find((command) => command.name === name);
  if (entry) return show(io, helpOf(await entry.load()));
  const paint = painter(io);
  return show(
    io,
    [
      `${paint("bold", "wield")}: tools for AI agents that read less, break nothing and can be trusted with more.`,
      "",
      "wield [command] [options]     without a command: the page on this folder, in your browser",
      "",
      columns(commands.map(({ name: command, summary }) => [command, summary])),
      "",
      "wield <command> --help shows a command's options with examples.",
    ].join("\n"),
  );
}

function suggestion(name: string): string {
  const near = nearestNames(
    name,
    commands.map((command) => command.name),
  )[0];
  return near ? ` Did you mean ${near}?` : "";
}

function show(io: Io, text: string): number {
  io.out(text);
  return exit.ok;
}

function complain(io: Io, text: string, code: number): number {
  io.err(`wield: ${visibleText(text)}`);
  return code;
}
