import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { nearestNames } from "../text/nearest.ts";
import { wrap } from "../text/wrap.ts";
import type { Io } from "./terminal.ts";

/** One command: this value parses its arguments, prints its help and generates its reference page. */
export interface Command {
  name: string;
  summary: string;
  /** Arguments after the name, as shown in help. */
  usage: string;
  /** More than fits the summary. */
  details?: string;
  /** Possible arguments, by position, for shell completion. */
  completes?: readonly Words[];
  options: Readonly<Record<string, Option>>;
  examples: readonly { command: string; note: string }[];
  run(given: Given, io: Io): Promise<number>;
  /** More help on what was given, such as one tool; undefined: the command's own help. */
  helpFor?(given: Given, io: Io): Promise<string | undefined>;
}

/** A command before its code is loaded. */
export interface CommandEntry {
  name: string;
  summary: string;
  load(): Promise<Command>;
}

export interface Option {
  /** A flag, or an option with a value shown under this name. */
  value?: string;
  short?: string;
  help: string;
  /** Possible values. */
  completes?: Words;
}

/** Words that a shell can complete: fixed ones, and names that are looked up on demand. */
export interface Words {
  known?: readonly string[];
  lookup?: Lookup;
}

export const lookups = ["session", "tool", "change", "approval", "folder"] as const;
export type Lookup = (typeof lookups)[number];

export interface Given {
  args: string[];
  flag(name: string): boolean;
  value(name: string): string | undefined;
}

/** Wrong usage of a command: printed as one line, exit code 2. */
export class UsageError extends Error {}

export const exit = { ok: 0, failed: 1, misused: 2 } as const;

export const commonOptions: Readonly<Record<string, Option>> = {
  workspace: {
    value: "DIR",
    short: "w",
    help: "The folder to work in (default: the current one)",
    completes: { lookup: "folder" },
  },
};
export const helpOption: Option = { short: "h", help: "Show this help" };

export function parseCommand(command: Command, argv: readonly string[]): Given {
  const known = { ...command.options, help: helpOption };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value, short }]) => [
      name,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        ...(short !== undefined && { short }),
      },
    ]),
  );
  const { values, positionals } = parsed(command, argv, options);
  const [surplus] = positionals;
  if (command.usage === "" && surplus !== undefined && values["help"] !== true)
    throw new UsageError(
      `wield ${command.name} takes only options, not ${JSON.stringify(surplus)}. See: wield ${command.name} --help`,
    );
  return {
    args: positionals,
    flag: (name) => values[name] === true,
    value: (name) => (typeof values[name] === "string" ? values[name] : undefined),
  };
}

function parsed(command: Command, argv: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    const wrong = /'(-[^']*)'/.exec((error as Error).message)?.[1] ?? "";
    const near = nearestNames(wrong.replace(/^-+/, ""), Object.keys(options))[0];
    const tip = near ? ` Did you mean --${near}?` : "";
    throw new UsageError(
      `${(error as Error).message.split(". ")[0]}.${tip} See: wield ${command.name} --help`,
    );
  }
}

/** Longer lines are hard to read, even on a wide screen. */
const widestHelp = 110;

export function helpOf(command: Command, width = widestHelp): string {
  const options = Object.entries({ ...command.options, help: helpOption }).map(([name, option]) => [
    `${option.short ? `-${option.short}, ` : "    "}--${name}${option.value ? ` ${option.value}` : ""}`,
    option.help,
  ]);
  const help = [
    `wield ${command.name} ${command.usage}`.trimEnd(),
    "",
    command.details ? `${command.summary}.\n\n${command.details}` : `${command.summary}.`,
    "",
    "Options:",
    columns(options),
    "",
    "Examples:",
    ...command.examples.map(({ command: line, note }) => `  ${line}\n      ${note}`),
  ].join("\n");
  return wrap(help, Math.min(width, widestHelp));
}

/** Columns, each as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join("\n");
}
