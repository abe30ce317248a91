import type { ParsedFile, Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { enclosing, qualifiedName } from "../syntax/syntax.ts";
import { Bindings } from "./bindings.ts";
import type { Definition } from "./definitions.ts";
import { judgeFor } from "./judges.ts";
import type { ModuleFiles } from "./module-files.ts";
import type { Judged } from "./occurrences.ts";
import { Visibility } from "./visibility.ts";

export interface Reference {
  file: string;
  line: number;
  column: number;
  /** The line it stands in, trimmed. */
  text: string;
  kind: "call" | "import" | "use";
  /** The function or type around it; none at the top of the file. */
  within?: string;
  /** Line of that declaration, for who wants to read it. */
  withinLine?: number;
  /** False where only the name agrees: the receiver's type is unknown and several types have such a member. */
  certain: boolean;
}

/** Every use of a definition, by file and line. `under` limits the search to a file or folder. */
export async function findReferences(
  project: Project,
  modules: ModuleFiles,
  definition: Definition,
  under = ".",
): Promise<Reference[]> {
  const { name } = definition.declaration;
  const bindings = new Bindings(project, modules);
  const visibility = new Visibility(project, modules);
  const judge = await judgeFor(project, bindings, visibility, definition);
  const found: Reference[] = [];
  // In PHP a field is declared with the sign that a variable has.
  const words = definition.syntax.language === "PHP" ? [name, `$${name}`] : [name];
  const files = [
    ...new Set(words.flatMap((word) => project.words.withWord(word).map(({ file }) => file.path))),
  ]
    .filter((path) => under === "." || path === under || path.startsWith(`${under}/`))
    .sort();
  for (const path of files) {
    const file = await project.parsed(path);
    if (!file) continue;
    const lineOf = lineFinder(file.source);
    for (const occurrence of await judge(file)) {
      found.push(referenceAt(file, occurrence, lineOf));
    }
  }
  return found;
}

function referenceAt(
  { path, source, syntax }: ParsedFile,
  { offset, called, certain }: Judged,
  lineOf: (offset: number) => number,
): Reference {
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = source.indexOf("\n", offset);
  const around = enclosing(syntax, offset);
  const isImport = syntax.imports.some((clause) => clause.start <= offset && offset < clause.end);
  return {
    file: path,
    line: lineOf(offset),
    column: offset - lineStart + 1,
    text: source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).trim(),
    kind: isImport ? "import" : called ? "call" : "use",
    ...(around && { within: qualifiedName(around), withinLine: around.line }),
    certain,
  };
}
