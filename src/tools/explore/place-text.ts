import type { Workspace } from "../../workspace/workspace.ts";
import { pathsEndingWith } from "../files/nearest-path.ts";

/** One place to read: lines of a file, a symbol, or a file. */
export interface ReadPlace {
  file?: string | undefined;
  symbol?: string | undefined;
  start_line: number;
  num_lines?: number | undefined;
  /** The lines were written as a range, which may end some lines later. */
  isRange?: boolean;
}

const mostRanges = 10;
/** Lines from a single line that is named. */
const usualFrom = 40;

/** What is meant by `src/a.ts:10-60`, `src/a.ts:3,10-60`, `src/a.ts#name`, `Type.method`, `Type.#private` or `src/a.ts`. */
export async function placesIn(text: string, workspace: Workspace): Promise<ReadPlace[]> {
  const [, file = "", lines = ""] = /^(.+?):(\d[\d,\s-]*)$/.exec(text) ?? [];
  if (lines !== "") {
    const path = await knownPath(file, workspace);
    const ranges = lines.split(",").slice(0, mostRanges);
    const usual = ranges.length === 1 ? usualFrom : 1;
    return ranges.map((range) => ({ file: path, ...linesIn(range, usual), isRange: true }));
  }
  const [, home = "", symbol = ""] = /^([^#]*[^#.])#(.+)$/.exec(text) ?? [];
  if (symbol !== "") return [{ file: await knownPath(home, workspace), symbol, start_line: 1 }];
  const isFile = await exists(text, workspace);
  const path = isFile || !looksLikePath(text) ? text : await knownPath(text, workspace);
  if (isFile || looksLikePath(text)) return [{ file: path, start_line: 1 }];
  return [{ symbol: text, start_line: 1 }];
}

function linesIn(range: string, usual: number): Pick<ReadPlace, "start_line" | "num_lines"> {
  const [first = 1, last = first + usual - 1] = range
    .split("-")
    .map((number) => Number.parseInt(number, 10))
    .filter((number) => number > 0);
  return { start_line: first, num_lines: Math.max(1, last - first + 1) };
}

const looksLikePath = (text: string) => text.includes("/");

async function exists(path: string, workspace: Workspace): Promise<boolean> {
  return workspace.resolve(path).then(
    ({ type }) => type === "file",
    () => false,
  );
}

/** The path as given; where there is no such file, the one file whose path ends so. */
async function knownPath(path: string, workspace: Workspace): Promise<string> {
  if (await exists(path, workspace)) return path;
  const [only, ...others] = await pathsEndingWith(workspace, path);
  return only !== undefined && others.length === 0 ? only : path;
}
