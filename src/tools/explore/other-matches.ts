// Matches whose text is not shown: files of the project by name, tests, documents and data by their number.
import { pathKind } from "../../code/files/path-kind.ts";
import { languageOf } from "../../code/languages/languages.ts";
import { visibleText } from "../../text/visible.ts";

interface CountedFile {
  file: string;
  count: number;
}

/** Whether it is code of the project itself, not of its tests, and not data. */
export const isMain = (file: string) => pathKind(file) === "source" && languageOf(file) !== undefined;

type Group = "tests" | "documents" | "test data files" | "generated files";

/** What files are counted as; nothing for those that are named. */
function groupOf(file: string): Group | undefined {
  switch (pathKind(file)) {
    case "test":
      return languageOf(file) === undefined ? "test data files" : "tests";
    case "docs":
      return "documents";
    case "generated":
    case "vendored":
      return "generated files";
    default:
      return undefined;
  }
}

const one: Record<Group, string> = {
  tests: "test",
  documents: "document",
  "test data files": "test data file",
  "generated files": "generated file",
};

/** `a.ts 3, b.ts 1 and 12 more files, 4 tests (9), 2 documents (5)`: files with their number of matches. */
export function otherFiles(files: readonly CountedFile[], most: number): string | undefined {
  const groups = Map.groupBy(
    files.toSorted((a, b) => b.count - a.count),
    ({ file }) => groupOf(file),
  );
  const named = (groups.get(undefined) ?? []).sort((a, b) => Number(isMain(b.file)) - Number(isMain(a.file)));
  const rest = named.length - most;
  const names = named.slice(0, most).map(({ file, count }) => `${visibleText(file)} ${count}`);
  const text = [
    ...(names.length > 0 ? [`${names.join(", ")}${rest > 0 ? ` and ${rest} more files` : ""}`] : []),
    ...groupsText(groups),
  ];
  return text.length > 0 ? text.join(", ") : undefined;
}

function groupsText(groups: ReadonlyMap<Group | undefined, readonly CountedFile[]>): string[] {
  return [...groups].flatMap(([group, files]) => {
    if (group === undefined) return [];
    const matches = files.reduce((sum, { count }) => sum + count, 0);
    return [`${files.length} ${files.length === 1 ? one[group] : group} (${matches})`];
  });
}

/** Up to this many matches, all are shown. */
const few = 16;
/** So many tests have their lines told, if not their text. */
const fewTests = 3;

interface Split<T> {
  shown: readonly T[];
  /** Told by line number only. */
  byLine: readonly T[];
  /** Files that are only counted. */
  hidden: readonly string[];
}

/** Among many matches, the sources matter more than tests and documents that nobody asks for. */
export function sourcesFirst<T extends { file: string; before?: unknown }>(
  matches: readonly T[],
  asked: string,
): Split<T> {
  const isAskedFor = (file: string) => {
    const kind = pathKind(file);
    if (kind === "test") return /test|spec/i.test(asked);
    return kind !== "docs" || /doc|\.(?:md|mdx|rst|txt|html)\b/i.test(asked);
  };
  const sources = matches.filter(({ file }) => isAskedFor(file));
  const others = matches.filter(({ file }) => !isAskedFor(file));
  const areFolded =
    matches.length > few && sources.length > 0 && others.every(({ before }) => before === undefined);
  if (!areFolded) return { shown: matches, byLine: [], hidden: [] };
  const tests = others.filter(({ file }) => groupOf(file) === "tests");
  const byLine = new Set(tests.map(({ file }) => file)).size <= fewTests ? tests : [];
  const hidden = others.filter((match) => !byLine.includes(match)).map(({ file }) => file);
  return { shown: sources, byLine, hidden: [...new Set(hidden)] };
}
