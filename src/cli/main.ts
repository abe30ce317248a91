import { Failure, type ToolError } from "../failure/failure.ts";
import { nearestNames } from "../text/nearest.ts";
import { visibleText } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { isErrno } from "../workspace/os-failure.ts";
import { stateFailure } from "../workspace/state-failure.ts";
import { type Command, columns, exit, helpOf, parseCommand, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { type Io, processIo } from "./terminal.ts";
import { onWarning } from "./warnings.ts";

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  const [first] = argv;
  onWarning((text) => io.err(wrap(visibleText(text), io.columns)));
  if (first === "--version" || first === "-v") return show(io, process.env["WIELD_VERSION"] ?? "development");
  try {
    if (first === "--help" || first === "-h" || first === "help") return await showHelp(argv[1], io);
    const [name = "", ...rest] =
      first === undefined || first.startsWith("-") ? ["serve", "--open", ...argv] : argv;
    return await run(await commandNamed(name), rest, io);
  } catch (error) {
    if (error instanceof UsageError) return complain(io, error.message, exit.misused);
    return complain(io, toldError(error, io).message, exit.failed);
  }
}

async function run(command: Command, argv: readonly string[], io: Io): Promise<number> {
  const given = parseCommand(command, argv);
  if (given.flag("help"))
    return show(io, (await command.helpFor?.(given, io)) ?? helpOf(command, io.columns));
  try {
    return await command.run(given, io);
  } catch (error) {
    if (error instanceof UsageError || !given.flag("json")) throw error;
    // A program reads this: what it gets is JSON whatever happens.
    io.out(JSON.stringify({ ok: false, error: toldError(error, io) }));
    return exit.failed;
  }
}

/** One sentence for any error. An unexpected error is a bug, and its stack trace helps to find it. */
function toldError(error: unknown, io: Io): ToolError {
  if (error instanceof Failure) return { code: error.code, message: error.message };
  const told = isErrno(error) ? stateFailure(error, error.path ?? "a file of Wield's own") : error;
  if (told instanceof Failure) return { code: told.code, message: told.message };
  const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  if (io.env["WIELD_DEBUG"]) io.err(error instanceof Error ? (error.stack ?? message) : message);
  return { code: "INTERNAL_ERROR", message: `${message}. Set WIELD_DEBUG=1 to see where this happened.` };
}

async function commandNamed(name: string): Promise<Command> {
  const entry = commands.find((command) => command.name === name);
  if (entry) return entry.load();
  throw new UsageError(`Unknown command ${JSON.stringify(name)}.${suggestion(name)} See: wield --help`);
}

async function showHelp(name: string | undefined, io: Io): Promise<number> {
  if (name !== undefined) return show(io, helpOf(await commandNamed(name), io.columns));
  return show(
    io,
    wrap(
      [
        "wield: tools for AI agents, with approval and undo",
        "",
        "wield [command] [options]     without a command: open the page for this folder",
        "",
        columns(commands.map(({ name: command, summary }) => [command, summary])),
        "",
        "wield <command> --help shows options and examples.",
      ].join("\n"),
      io.columns,
    ),
  );
}

function suggestion(name: string): string {
  if (/^[.~]|\//.test(name)) return ` To work in another folder: wield -w ${name}`;
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
