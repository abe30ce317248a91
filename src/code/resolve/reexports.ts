// Files that pass on what they import: `export { a } from "./a"`, `pub use a::b`, an import in `__init__.py`.
import { posix } from "node:path";
import type { Project } from "../project/project.ts";
import type { FileSyntax, Import } from "../syntax/syntax.ts";
import type { Bindings } from "./bindings.ts";
import type { Reference } from "./reference.ts";

/** Says of each re-export among the references how many files use the name through it, where all of them were looked at. */
export async function countUsers(
  project: Project,
  bindings: Bindings,
  references: readonly Reference[],
  isComplete: boolean,
): Promise<void> {
  const byFile = Map.groupBy(references, ({ file }) => file);
  for (const reference of references) {
    if (reference.kind !== "import" || !reference.certain) continue;
    const syntax = await syntaxOf(project, reference.file);
    if (!syntax || !passesOn(syntax, reference)) continue;
    reference.reexport = {};
    if (!isComplete) continue;
    let users = 0;
    for (const [path, own] of byFile)
      if (path !== reference.file && (await usesThrough(project, bindings, path, own, reference.file)))
        users++;
    reference.reexport.users = users;
  }
}

async function syntaxOf(project: Project, path: string): Promise<FileSyntax | undefined> {
  const file = project.words.file(path);
  return file && project.syntax(file);
}

/** Under the same name: who uses it under another one need not hold this one. */
function passesOn({ imports }: FileSyntax, { file, offset, length }: Reference): boolean {
  const isPackage = /^__init__\.pyi?$/.test(posix.basename(file));
  return imports.some(
    ({ start, end, module, names, reexport }) =>
      (reexport || isPackage) &&
      module !== "" &&
      start <= offset &&
      offset + length <= end &&
      names?.every(([name, alias]) => name === alias),
  );
}

/** Whether a file that uses the name imports it, or everything, from the one that passes it on. */
async function usesThrough(
  project: Project,
  bindings: Bindings,
  path: string,
  references: readonly Reference[],
  from: string,
): Promise<boolean> {
  const syntax = await syntaxOf(project, path);
  if (!syntax) return true;
  const scope = { path, syntax };
  const isNamed = ({ start, end }: Import) =>
    references.some(({ offset }) => start <= offset && offset < end);
  const imports = syntax.imports.filter((clause) => bindings.filesOfImport(scope, clause).includes(from));
  // A module that is imported by its name is no import of the names in it.
  const mayGive = (clause: Import) =>
    !clause.names || isNamed(clause) || !bindings.files(scope, clause).includes(from);
  if (imports.some(mayGive)) return true;
  return references.some(({ text }) =>
    [...text.matchAll(/(\w+(?:::\w+)*)::\w+/g)].some(([, module = ""]) =>
      bindings.files(scope, { module }).includes(from),
    ),
  );
}
