import { visibleLine } from "../text/visible.ts";

/** What Tab would insert instead of the word before the cursor. */
export interface Suggestion {
  insert: string;
  replaces: string;
  label: string;
  hint: string;
}

/** Suggests completions for a command or a path. */
export type Suggest = (line: string) => Promise<Suggestion[]>;

const mostShown = 6;

interface SuggestParts {
  /** With the slash. */
  commands(): Promise<readonly { name: string; help: string }[]>;
  findPaths(wanted: string): Promise<string[]>;
}

export function suggestions({ commands, findPaths }: SuggestParts): Suggest {
  return async (line) => {
    const command = /^\/[\w-]*$/.exec(line)?.[0];
    if (command !== undefined)
      return (await commands())
        .filter(({ name }) => name.startsWith(command))
        .slice(0, command === "/" ? undefined : mostShown)
        .map(({ name, help }) => ({
          insert: `${name} `,
          replaces: command,
          label: name,
          hint: visibleLine(help),
        }));
    const path = /(?:^|\s)@(\S*)$/.exec(line)?.[1];
    if (path === undefined) return [];
    // Names with control characters are not offered.
    const found = (await findPaths(path)).filter((name) => visibleLine(name) === name);
    return found
      .slice(0, mostShown)
      .map((name) => ({ insert: `@${name} `, replaces: `@${path}`, label: `@${name}`, hint: "" }));
  };
}

/** The menu as lines; the first is what Tab takes. */
export function menuLines(found: readonly Suggestion[], rows: number): string[] {
  const shown = found.slice(0, Math.max(1, rows));
  const width = Math.max(0, ...shown.map(({ label }) => label.length));
  const more = found.length - shown.length;
  return [
    ...shown.map(({ label, hint }, at) =>
      `${at === 0 ? "→" : " "} ${label.padEnd(width)}  ${hint}`.trimEnd(),
    ),
    ...(more > 0 ? [`  … ${more} more`] : []),
  ];
}
