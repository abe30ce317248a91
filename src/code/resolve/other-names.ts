// The names by which a file may call a thing, besides the thing's own.
import { type ImportClause, type Language, typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import type { Definition } from "./definitions.ts";
import { namespaceOf } from "./visibility.ts";

/** What an import gives another name to, with dots: `Lib.Model.Base` of `using Old = global::Lib.Model.Base;`. */
export const dotted = (module: string) => module.replaceAll("\\", ".").replace(/^\w+::/, "");

/** The names that the imports of a file give to something which others know by these names, or as what a file gives as a whole. */
export function aliasesIn(
  { source, syntax }: ParsedFile,
  language: Language,
  known: readonly string[],
  { asked, isDefault }: { asked: readonly Definition[]; isDefault: (clause: ImportClause) => boolean },
): string[] {
  const paths = pathsOf(asked);
  const found: string[] = [];
  for (const clause of syntax.imports) {
    const { module, names, whole } = clause;
    for (const [imported, alias] of names ?? [])
      if (known.includes(imported) || (imported === "default" && isDefault(clause))) found.push(alias);
    // `import * as whole` is all that the file gives, not what it gives as a whole.
    const isAll = /^import\b[^"']*\*\s*as\s/.test(source.slice(clause.start, clause.end));
    if (whole && /^[./]/.test(module) && !isAll && isDefault(clause)) found.push(whole);
    if (whole && language.scoping === "namespaced" && paths.has(dotted(module))) found.push(whole);
  }
  return found;
}

/** The names that one file gives to it for all. */
export async function aliasesForAll(project: Project, asked: readonly Definition[]): Promise<string[]> {
  const word = asked.map(({ syntax }) => languageNamed(syntax.language)?.importsForAll).find(Boolean);
  if (!word) return [];
  const paths = pathsOf(asked);
  return [...(await importedForAll(project, word))].flatMap(([alias, module]) =>
    paths.has(module) ? [alias] : [],
  );
}

/** `global using Old = Lib.Model.Base;`: names with what they stand for. */
export async function importedForAll(project: Project, word: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { file } of project.words.withWord(word)) {
    if (languageNamed(file.language)?.importsForAll !== word) continue;
    for (const { module, whole, reexport } of (await project.syntax(file))?.imports ?? [])
      if (reexport && whole) found.set(whole, dotted(module));
  }
  return found;
}

const pathsOf = (asked: readonly Definition[]) =>
  new Set(asked.map((d) => [namespaceOf(d), d.declaration.name].filter(Boolean).join(".")));

/** `Mark`, under which a type `MarkAttribute` stands before what it marks. */
export function markName(asked: readonly Definition[]): string | undefined {
  for (const { declaration, syntax } of asked) {
    const suffix = languageNamed(syntax.language)?.marks?.suffix;
    const { name, kind } = declaration;
    if (suffix && typeKinds.has(kind) && name.endsWith(suffix) && name !== suffix)
      return name.slice(0, -suffix.length);
  }
  return undefined;
}
