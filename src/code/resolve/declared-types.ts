// The types of what is declared under a name, where all declarations agree.
import { type Language, typeKinds } from "../languages/language.ts";
import { familyOfLanguage } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import type { Declaration } from "../syntax/syntax.ts";
import { declarationBefore, declaratorType } from "./declarators.ts";
import { agreed, type NamedType, namedIn } from "./named-type.ts";
import { typeInText } from "./written-types.ts";

export async function isType(project: Project, name: string, language: Language): Promise<boolean> {
  const declarations = await declarationsNamed(project, name, language);
  return declarations.some((d) => typeKinds.has(d.kind));
}

export type Declared = Declaration & { file: string; package: string | undefined };

export async function declarationsNamed(
  project: Project,
  name: string,
  language: Language,
): Promise<Declared[]> {
  const found: Declared[] = [];
  const family = familyOfLanguage(language.name);
  for (const file of project.declaring(name)) {
    if (familyOfLanguage(file.language) !== family) continue;
    const syntax = await project.syntax(file);
    for (const d of syntax?.declarations ?? [])
      if (d.name === name) found.push({ ...d, file: file.path, package: syntax?.package });
  }
  return found;
}

/** What a field of the types around is declared as. */
export async function memberType(
  project: Project,
  name: string,
  around: readonly string[],
  language: Language,
): Promise<NamedType | undefined> {
  const own = (await declarationsNamed(project, name, language)).filter((d) =>
    around.includes(d.owner?.split(".").at(-1) ?? ""),
  );
  const types = own.map(({ signature, file }) => {
    const sign = language.sigil ? `(?<=\\${language.sigil})` : "(?<![\\w$])";
    const at = signature.search(new RegExp(`${sign}${escaped(name)}(?![\\w$])`));
    const type = at < 0 ? undefined : typeInText(signature, at, name, language);
    return type && namedIn(file, language.packageIs === "folder" ? { ...type, file } : type);
  });
  return agreed(types);
}

/** The type of a field or of a variable of all files, where all declarations of that name say the same. */
export async function typeOfAll(
  project: Project,
  name: string,
  kind: "field" | "var",
  language: Language,
): Promise<NamedType | undefined> {
  const all = await declarationsNamed(project, name, language);
  const meant = all.filter((d) => d.kind === kind);
  // A bare name may be a field that is inherited.
  if (kind === "var" && meant.length < all.length) return undefined;
  return agreed(
    meant.map(({ signature }) => {
      // Not in a length, a value or type arguments: `Item items[items_max]`.
      const flat = signature.replace(/\[[^[\]]*\]|<[^<>]*>|(?:[=(]|(?<!:):(?!:)).*$/g, (part) =>
        " ".repeat(part.length),
      );
      const at = flat.search(new RegExp(`\\b${escaped(name)}\\b(?!.*\\b${escaped(name)}\\b)`));
      return at < 0 ? undefined : declaratorType(declarationBefore(signature, at), language);
    }),
  );
}

export const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
