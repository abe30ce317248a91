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
