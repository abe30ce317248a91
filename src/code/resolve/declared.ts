// What a declaration is to those who use it: a member, an enumerator, a constructor; and what makes two of them one thing.
import { typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import { type Declaration, qualifiedName } from "../syntax/syntax.ts";
import type { Definition } from "./definitions.ts";

/** Its qualified name; with its file where that is only the name that everything of that name has. */
export function told({ file, declaration }: Definition): string {
  const name = qualifiedName(declaration);
  return name === declaration.name ? `${file}#${name}` : name;
}

export const lastOwner = ({ declaration: { owner = "" } }: Definition) =>
  owner.slice(owner.lastIndexOf(".") + 1);
export const parentOf = ({ declaration, syntax }: Definition) => syntax.declarations[declaration.parent];

/** A function inside a function is seen only there; a method of an object made there, wherever the object goes. */
export const isNested = (d: Definition) => {
  const parent = parentOf(d);
  const isIn = parent?.kind === "func" || parent?.kind === "method";
  return isIn && d.declaration.kind !== "method" && d.declaration.kind !== "field";
};

/** Of an enum, or of one without a name that a field has: `enum { A, B } state;`. */
export const isEnumerator = (d: Definition) => {
  const parent = parentOf(d);
  return parent?.kind === "enum" || (parent?.kind === "field" && d.declaration.kind === "const");
};

/** The enum of the constant that something is a member of: `ROUND { int sides() { … } }`. */
export function enumAround(d: Definition): Definition | undefined {
  const constant = parentOf(d);
  const around = constant?.kind === "const" ? d.syntax.declarations[constant.parent] : undefined;
  return around?.kind === "enum" ? { ...d, declaration: around } : undefined;
}

/** A type, a module, or a variable where those are the only types. */
export const isTypeOrTable = ({ kind }: Declaration, language: string) =>
  typeKinds.has(kind) ||
  kind === "module" ||
  (kind === "var" && languageNamed(language)?.typesAreTables === true);

/** Named like its type. */
export const isConstructor = (d: Definition) =>
  d.declaration.kind === "method" && lastOwner(d) === d.declaration.name;

/** Reached through its type, not by its bare name. */
export function isMember(d: Definition): boolean {
  const parent = parentOf(d);
  const language = languageNamed(d.syntax.language);
  // `enum class Kind { none }` has its enumerators behind its name.
  const isScoped = /^(?:typedef )?enum (?:class|struct)\b/.test(parent?.signature ?? "");
  if (isEnumerator(d) && language?.bareEnumerators && !isScoped) return false;
  if (typeKinds.has(d.declaration.kind) && language?.flatTypes) return false;
  if (parent && typeKinds.has(parent.kind)) return true;
  if (d.declaration.owner === undefined) return d.declaration.kind === "method";
  // `struct Table::Rep {}` is a member of the type that it names.
  const isOutOfLine = parent?.kind !== "module" || lastOwner(d) !== parent.name;
  if (typeKinds.has(d.declaration.kind) && language?.typesStandOutOfLine) return isOutOfLine;
  // `type Err = E;` in an `impl` is only known as `Self::Err`.
  if (d.declaration.kind === "type" && !language?.membersBehindDot) return false;
  if (/^(?:method|field)$/.test(d.declaration.kind) && language?.mixins) return true;
  // `void Store::save() {}` in a namespace is a member of the type that it names.
  return parent?.kind !== "module" || (d.declaration.kind === "method" && lastOwner(d) !== parent.name);
}

export const keyOf = ({ file, declaration }: Definition) => `${file}:${declaration.nameStart}`;
/** Overloads, and a prototype beside its body, are one thing. */
export const titleKey = ({ file, declaration }: Definition) =>
  `${file}#${qualifiedName(declaration)} ${isTypeOrNot(declaration.kind)}`;
export const isTypeOrNot = (kind: Definition["declaration"]["kind"]) => (typeKinds.has(kind) ? "type" : "");

export const hasHeads = (list: readonly Definition[]) => list.some((d) => d.declaration.bodiless);

/** What tells types of one name apart; undefined where a type's methods stand in a file that does not declare it. */
export function placeOfType({ file, syntax, declaration }: Definition): string | undefined {
  const { owner = "" } = declaration;
  const language = languageNamed(syntax.language);
  const isFileModule = language?.scoping === "imported" && language.packageIs === undefined;
  if (language?.modules || isFileModule) {
    const type = owner.split(".").at(-1);
    // An object at the top of a file is a type of its own.
    const isHere = syntax.declarations.some(
      (d) => d.name === type && (typeKinds.has(d.kind) || (isFileModule && d.parent === -1)),
    );
    return isHere ? `${file} ${owner}` : undefined;
  }
  return `${syntax.package ?? file.slice(0, file.lastIndexOf("/") + 1)} ${owner}`;
}

/** Members of more than one type. */
export const areSeveral = (members: readonly Definition[]) =>
  new Set(members.flatMap((d) => placeOfType(d) ?? [])).size > 1;

/** Another name for a type: `type Id = string`. */
export const isAlias = ({ declaration }: Definition) =>
  declaration.kind === "type" &&
  /^(?:export\s+)?(?:type|typedef|using|pub type)\b/.test(declaration.signature);

/** `void act() override {` outside of a class, as far as can be seen: a macro makes the class. */
export const overridesUnseen = ({ declaration: { kind, signature }, syntax }: Definition) =>
  kind === "func" &&
  languageNamed(syntax.language)?.typesStandOutOfLine === true &&
  /\)[^(){}]*\boverride\b/.test(signature);
