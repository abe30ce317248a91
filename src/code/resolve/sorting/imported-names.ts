import { typeKinds } from "../../languages/language.ts";
import { familyOfLanguage, languageNamed } from "../../languages/languages.ts";
import type { ParsedFile } from "../../project/project.ts";
import { importingOnly } from "../bindings.ts";
import { isConstructor, keyOf } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import type { Target } from "../full-names.ts";
import { type Candidates, inFamily } from "./candidates.ts";
import type { FileContext, Question } from "./question.ts";
import { other, possible, type Verdict } from "./verdict.ts";

/** What a name in an import statement means. */
export async function nameInImport(
  { candidates, resolver }: Question,
  { file, language }: FileContext,
  name: string,
  offset: number,
): Promise<Verdict> {
  const clauses = file.syntax.imports.filter((clause) => clause.start <= offset && offset < clause.end);
  // One statement may import from several modules.
  const naming = clauses.filter(({ names }) => names?.some((pair) => pair.includes(name)));
  const module = (naming[0] ?? clauses[0])?.module;
  if (language.scoping !== "imported") {
    const sure: Definition[] = [];
    for (const d of inFamily(candidates.tops, language))
      if ((await resolver.visibility.sight(file, d)) === "sure") sure.push(d);
    return sure.length > 0 && name === candidates.name
      ? candidates.verdictOn(sure)
      : unresolved(candidates, file, module);
  }
  const found: Target[] = [];
  for (const clause of clauses) {
    const pair = clause.names?.find(([imported, alias]) => imported === name || alias === name);
    if (!pair) continue;
    found.push(...(await resolver.bindings.targets(importingOnly(file, clause), pair[1])));
  }
  if (found.length > 0) {
    const isDeclared = language.packageIs === "declared";
    return candidates.verdictOn(isDeclared ? candidates.imported(found) : candidates.at(found), module);
  }
  // A part of the path: `import static a.Item.count`.
  for (const clause of name === candidates.name ? clauses : []) {
    const named = await resolver.bindings.fullyNamed(
      file,
      upTo(clause.module, name, language.separator),
      name,
    );
    if (named.length > 0) return candidates.verdictOn(candidates.at(named), module);
  }
  const paths = clauses.flatMap((clause) => [
    ...resolver.bindings.files(file, clause),
    ...resolver.bindings.files(file, { module: upTo(clause.module, name, language.separator) }),
  ]);
  const isOnPath = (d: Definition) => paths.includes(d.file) && !isConstructor(d);
  const tops = candidates.tops.filter(isOnPath);
  const nested = candidates.members.filter((d) => isOnPath(d) && typeKinds.has(d.declaration.kind));
  const onPath = tops.length > 0 ? tops : nested;
  if (onPath.length > 0 && name === candidates.name) return candidates.verdictOn(onPath);
  const isHere = naming.some((clause) => resolver.bindings.isHere(file, clause));
  return unresolved(candidates, file, module, isHere);
}

/** A path up to one of its parts: `a.Item` of `a.Item.Companion.count`. */
function upTo(module: string, part: string, separator: string): string {
  const parts = module.split(separator);
  return parts.slice(0, parts.indexOf(part) + 1).join(separator) || module;
}

/**
 * An import leads to nothing known: it is outside the workspace, unless its path could be that of what is asked for, or
 * leads to a file here that does not say what it gives (`#[macro_export]`).
 */
export function unresolved(
  candidates: Candidates,
  { syntax }: ParsedFile,
  module = "",
  isHere = false,
): Verdict {
  const family = familyOfLanguage(syntax.language);
  const roots = languageNamed(syntax.language)?.modules?.roots;
  const parts = module.split(/[./\\:]+/).filter(Boolean);
  const last = parts.at(-1) ?? "";
  const isRelative = module.startsWith(".") || roots?.has(parts[0] ?? "");
  const near = candidates.asked.filter(
    (d) =>
      familyOfLanguage(d.syntax.language) === family &&
      (isRelative ||
        (isHere && candidates.tops.some((top) => keyOf(top) === keyOf(d))) ||
        d.file.split(/[./]/).includes(last) ||
        d.syntax.package?.split(/[.\\]/).includes(last) ||
        d.declaration.owner?.split(".").includes(last) ||
        last === candidates.name),
  );
  return near.length > 0 ? possible(openImport, near) : other(module || "an import");
}

const openImport = "import not resolved";

export const isImportOpen = (verdict: Verdict) => verdict.is === "possible" && verdict.why === openImport;
