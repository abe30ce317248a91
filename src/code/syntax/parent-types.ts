import { languageNamed } from "../languages/languages.ts";
import type { FileSyntax } from "./syntax.ts";

/** A type, by name, and one that it inherits from. */
export interface ParentType {
  child: string;
  parent: string;
}

/** Which type has which parent; in C, another name for a struct is the struct. */
export function parentTypes({ language, inherits, declarations, imports }: FileSyntax): ParentType[] {
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
