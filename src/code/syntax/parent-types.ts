import { posix } from "node:path";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { FileSyntax } from "./syntax.ts";

/** A type, by name, and one that it inherits from. */
export interface ParentType {
  child: string;
  parent: string;
}

/** A type above or below another one, with the files that say so. */
export interface Relative {
  name: string;
  paths: string[];
}

/** Which type has which parent; in C, another name for a struct is the struct. */
export function parentTypes(syntax: FileSyntax): ParentType[] {
  const { language, inherits, declarations, imports } = syntax;
  if (familyOfLanguage(language) === "script") return parentsInScript(syntax);
  const found = inherits.map(({ child, parent }) => ({ child, parent }));
  // `from base import Base as B`, `class Store(B)`.
  const renamed = imports.flatMap(({ names = [] }) => names.filter(([name, alias]) => name !== alias));
  for (const [name, alias] of renamed)
    for (const { child, parent } of inherits) if (parent === alias) found.push({ child, parent: name });
  if (!languageNamed(language)?.typeHints.declarators) return found;
  for (const { name, kind, signature } of declarations) {
    const tag =
      kind === "type"
        ? /^typedef (?:const )?(?:(?:struct|union|enum) )?(?:\w*::)*(\w+)/.exec(signature)?.[1]
        : undefined;
    if (tag && tag !== name) found.push({ child: name, parent: tag });
  }
  return found;
}

/** What the module of this path gives as a whole, as the name of a type. */
export const defaultOf = (path: string) => `default ${stemOf(path)}`;

/** The last part of a path that says something, without its extension. */
export function stemOf(path: string): string {
  const stem = posix.basename(path).replace(/\.[cm]?[jt]sx?$/, "");
  return stem === "index" ? posix.basename(posix.dirname(path)) : stem;
}

/** Parents by their own names, where an import, an export or a constant gives them another one. */
function parentsInScript(syntax: FileSyntax): ParentType[] {
  const found = syntax.inherits.flatMap(({ child, parent, space }) =>
    (space === undefined ? namesOf(syntax, parent) : [parent]).map((one) => ({ child, parent: one })),
  );
  for (const { names, reexport, module } of syntax.imports)
    for (const [name, alias] of reexport ? (names ?? []) : [])
      if (name !== alias && alias !== "default")
        found.push({ child: alias, parent: name === "default" ? defaultOf(module) : name });
  return found;
}

/** What a name in a file stands for. */
function namesOf(syntax: FileSyntax, name: string): string[] {
  const own = renamedInFile(syntax, name);
  for (const { names, whole, module, reexport } of syntax.imports) {
    if (reexport) continue;
    const imported = names?.find(([, alias]) => alias === own)?.[0];
    if (imported !== undefined && imported !== "default") return [imported];
    if (imported !== undefined || whole === own)
      return stemOf(module) === own ? [own] : [own, defaultOf(module)];
  }
  return [own];
}

/** `const Other = Name;`: what the constant stands for. */
export function renamedInFile({ declarations }: FileSyntax, name: string): string {
  const constant = declarations.find((d) => d.name === name && d.kind === "const" && d.parent === -1);
  return constant
    ? (/^(?:export )?const [\w$]+ ?= ?([\w$]+);?$/.exec(constant.signature)?.[1] ?? name)
    : name;
}
