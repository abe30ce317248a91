// Of which trait a method is that stands in an `impl`: `impl Trait for Type`, `impl Type`.
import { typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { parentOf } from "./declared.ts";
import { type Definition, findExact } from "./definitions.ts";

/** The trait's name; "" where the method is only the type's own; undefined where methods do not stand in such blocks. */
export async function traitOf(
  project: Project,
  { file, declaration, ...rest }: Definition,
): Promise<string | undefined> {
  const { implHead } = languageNamed(rest.syntax.language) ?? {};
  const parent = parentOf({ file, declaration, ...rest });
  if (!implHead || declaration.owner === undefined || (parent && typeKinds.has(parent.kind)))
    return undefined;
  const source = await project.source(file).catch(() => "");
  let head: string | undefined;
  for (const [, written] of source.slice(0, declaration.start).matchAll(implHead)) head = written;
  return head === undefined ? undefined : (/(\w+)\s*(?:<.*>)?\s+for\s(?!\s*<)/s.exec(head)?.[1] ?? "");
}

/** Whether a method may be one of a trait of these, or of a trait that is known under another name. */
export async function mayBeOfTrait(
  project: Project,
  method: Definition,
  isOne: (trait: string) => boolean,
): Promise<boolean> {
  const trait = await traitOf(project, method);
  if (trait === undefined || isOne(trait)) return true;
  return trait !== "" && (await findExact(project, trait, "interface")).length === 0;
}
