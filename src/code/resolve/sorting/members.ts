// Whether the member of a type is one that is asked for.

import { typeKinds } from "../../languages/language.ts";
import { isAssignedField } from "../../syntax/assignments.ts";
import type { FileSyntax } from "../../syntax/syntax.ts";
import { areSeveral, isAlias, isMember, lastOwner, parentOf, placeOfType, told } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import { literalType } from "../literal-type.ts";
import type { NamedType } from "../named-type.ts";
import { namelessOf } from "../nameless.ts";
import { parentsOf } from "../parents.ts";
import { typesAround } from "../types-around.ts";
import { inFamily } from "./candidates.ts";
import { memberOfPackage } from "./package-members.ts";
import type { FileContext, Question } from "./question.ts";
import { other, possible, type Verdict } from "./verdict.ts";
import { ofWrittenType } from "./written-paths.ts";

/** A member of a type that is known by name, or of one of several; undefined when none has such a member that is known. */
export async function memberOf(
  question: Question,
  context: FileContext,
  type: NamedType,
  place: { offset: number; implicit?: boolean; isQualified?: boolean },
): Promise<Verdict | undefined> {
  const verdict = await memberOfType(question, context, type, place);
  if (verdict?.is !== "sure" || !context.language.dynamic) return verdict;
  const members = inFamily(question.candidates.members, context.language);
  const alternative = alternativesIn(type.rest).find(
    (one) => one !== type.name && members.some((d) => lastOwner(d) === one && !verdict.of.includes(d)),
  );
  return alternative === undefined ? verdict : possible(`may be of ${alternative}`, verdict.of);
}

/** The other types of a union: `B` behind `A` in `A | B`. */
const alternativesIn = (rest: string): string[] =>
  Array.from(
    /^(?:\[[^\]]*\])?(?:\s*\|\s*[\w.\\]+(?:\[[^\]]*\])?)+/
      .exec(rest)?.[0]
      .matchAll(/\|\s*(?:\w+[.\\])*(\w+)/g) ?? [],
    ([, name = ""]) => name,
  );

async function memberOfType(
  question: Question,
  context: FileContext,
  written: NamedType,
  {
    offset,
    implicit = false,
    isQualified = false,
  }: { offset: number; implicit?: boolean; isQualified?: boolean },
): Promise<Verdict | undefined> {
  const { candidates, types } = question;
  const { language } = context;
  const ofPackage = await memberOfPackage(question, context, written);
  if (ofPackage) return ofPackage;
  const { name: type, rest } = written;
  const members = inFamily(candidates.members, language);
  const direct = members.filter((d) => lastOwner(d) === type && namelessOf(d) === undefined);
  let isAnotherType = false;
  let visible = direct;
  if (direct.length > 0) {
    const { meant, unsure } =
      (await ofWrittenType(question.resolver, context, written, direct)) ??
      (await ofVisibleType(question, context, type, direct, offset, isQualified));
    const isAsked = meant.some((d) => candidates.isAsked(d));
    const hasRivals = meant.some((d) => !candidates.isAskedTitle(d));
    if (isAsked && unsure && hasRivals) return possible(`several types are called ${type}`, meant);
    if (isAsked && hasRivals && areGivenElsewhere(question, context, meant))
      return possible(`given to ${type} in several files`, meant);
    if (isAsked) return candidates.verdictOn(meant);
    const askedOnes = direct.filter((d) => candidates.isAsked(d));
    if (askedOnes.length > 0 && direct.some((d) => extendsNamesake(d, type)))
      return possible(`a ${type} inherits from another one`, askedOnes);
    isAnotherType = !unsure && language.scoping !== "included";
    visible = meant;
  }
  for (const d of members.filter((one) => candidates.isAsked(one))) {
    if (isAnotherType && lastOwner(d) === type) {
      // `class Store(base.Store)`: each may be meant where the other is.
      if ((await parentsOf(question.resolver.project, type)).has(type))
        return possible(`a ${type} inherits from another one`, [d]);
      continue;
    }
    const { up, down } = await types.family(lastOwner(d));
    if (down.has(type) && direct.length > 0) return possible(`overridden in ${type}`, [d]);
    if (down.has(type)) return inheritedMember(question, context, members, d, type);
    if (up.has(type)) return possible(`through ${type}`, [d]);
    const both = await types.belowBoth(lastOwner(d), type);
    if (both !== undefined) return possible(`through ${both}`, [d]);
    const held = language.family === "script" ? namesIn(rest, context.file.syntax) : wordsOf(rest);
    const related = new Set([lastOwner(d), ...up, ...down]);
    if (lastOwner(d) !== "" && held.some((word) => related.has(word)))
      return possible(`held by ${type}`, [d]);
  }
  if (implicit && visible.length > 0) return candidates.verdictOn(visible);
  if (implicit && members.length === 0) return undefined;
  const named = await types.named(type, language);
  if (implicit) {
    const { up } =
      named && typeKinds.has(named.declaration.kind) ? await types.family(type) : { up: undefined };
    const rival = members.find((d) => up?.has(lastOwner(d)));
    const tops = candidates.tops.filter((d) => candidates.isAsked(d));
    return rival && tops.length > 0 ? possible(`${lastOwner(rival)} has the name, too`, tops) : undefined;
  }
  // `ctx: A`: a type parameter, wherever it is declared.
  if (!named && direct.length === 0 && /^\p{Lu}\d?$/u.test(type)) return undefined;
  const isInterface = named?.declaration.kind === "interface" || (named && isProtocol(named));
  const [first] = visible;
  if (first && direct.length > 0)
    return language.structural && isInterface
      ? possible(`through ${type}`, [...candidates.asked])
      : other(isAnotherType ? candidates.toldApart(first) : `${type}.${candidates.name}`);
  if (named) {
    const { up } = await types.family(type);
    const inherited = members.filter((d) => up.has(lastOwner(d)));
    const ofInterface = language.structural && inherited.find((d) => parentOf(d)?.kind === "interface");
    if (ofInterface) return possible(`through ${lastOwner(ofInterface)}`, [...candidates.asked]);
    if (inherited.length > 0) return candidates.verdictOn(inherited);
  }
  const extensions = inFamily(candidates.asked, language).filter((d) =>
    language.isExtension?.(d.declaration.signature, parentOf(d)?.signature ?? ""),
  );
  if (extensions.length > 0) return possible("may be an extension of its type", extensions);
  if (named && (isAlias(named) || candidates.asked.some(isMember)))
    return possible(`${type} not followed`, [...candidates.asked]);
  const pointed = named ? undefined : language.pointerName?.exec(type)?.[1];
  for (const d of pointed ? inFamily(candidates.asked.filter(isMember), language) : []) {
    const { up, down } = await types.family(lastOwner(d));
    if (pointed && (up.has(pointed) || down.has(pointed)))
      return possible(`${type} may point to a ${pointed}`, [d]);
  }
  // What is given to a type from elsewhere belongs to its subtypes, too, and nothing here tells which those are.
  const ofOutside = named || language.dynamic ? undefined : await givenToOutside(question, context);
  return ofOutside
    ? possible(`${type} may be a ${lastOwner(ofOutside)}`, [ofOutside])
    : other(`${type}.${candidates.name}`);
}

/** `class Date extends other.Date` */
const extendsNamesake = ({ syntax }: Definition, type: string) =>
  syntax.inherits.some(({ child, parent }) => child === type && parent === type);

/** A class of Python that says what others need to have. */
const isProtocol = ({ declaration, syntax }: Definition) =>
  syntax.inherits.some(({ child, parent }) => child === declaration.name && parent === "Protocol");

/** A member asked for, of a type that inherits from the member's. */
async function inheritedMember(
  question: Question,
  context: FileContext,
  members: readonly Definition[],
  d: Definition,
  type: string,
): Promise<Verdict> {
  const { candidates } = question;
  const { language } = context;
  const nearer = await nearerMember(question, members, d, type);
  if (nearer) return possible(`overridden in ${lastOwner(nearer)}`, [d]);
  const sameOwner = members.filter((one) => lastOwner(one) === lastOwner(d));
  const body = await inheritedBody(question, sameOwner, d, type);
  if (body) return possible(`defined in ${lastOwner(body)}`, [d]);
  const isGiven =
    areGivenElsewhere(question, context, [d]) && sameOwner.some((one) => !candidates.isAskedTitle(one));
  const isUnclear =
    ((language.scoping === "imported" || language.mixins) && areSeveral(sameOwner)) || isGiven;
  if (isUnclear) return possible(`several types are called ${lastOwner(d)}`, [d]);
  return (await hasSeveral(question, type, members, d))
    ? possible(`several parents of ${type} have it`, [d])
    : { is: "sure", of: [d] };
}

/** A type of which several parents, none of them above the other, have the member: `typedef` to another one on each system. */
async function hasSeveral(
  { types }: Question,
  type: string,
  members: readonly Definition[],
  member: Definition,
): Promise<boolean> {
  const { up } = await types.family(type);
  const above = (await types.family(lastOwner(member))).up;
  return members.some(
    (d) =>
      lastOwner(d) !== lastOwner(member) &&
      up.has(lastOwner(d)) &&
      !above.has(lastOwner(d)) &&
      // The head of an interface beside an inherited body is that body.
      (!d.declaration.bodiless || member.declaration.bodiless),
  );
}

/** A member asked for whose type is not declared here. */
async function givenToOutside(
  { candidates, types }: Question,
  { language }: FileContext,
): Promise<Definition | undefined> {
  for (const d of inFamily(candidates.asked.filter(isMember), language))
    if (lastOwner(d) !== "" && !(await types.named(lastOwner(d), language))) return d;
  return undefined;
}

/** A member of the same name in a type between that of a member and one that inherits it. */
async function nearerMember(
  { types }: Question,
  members: readonly Definition[],
  member: Definition,
  type: string,
): Promise<Definition | undefined> {
  const { down } = await types.family(lastOwner(member));
  for (const one of members) {
    const owner = lastOwner(one);
    if (owner === lastOwner(member) || !down.has(owner)) continue;
    if ((await types.family(owner)).down.has(type)) return one;
  }
  return undefined;
}

/** The member with a body that a type inherits beside one without: `class A extends Base implements Face`. */
async function inheritedBody(
  { candidates, types }: Question,
  sameOwner: readonly Definition[],
  head: Definition,
  type: string,
): Promise<Definition | undefined> {
  if (sameOwner.some((d) => !d.declaration.bodiless) || !head.declaration.bodiless) return undefined;
  for (const d of candidates.members)
    if (!d.declaration.bodiless && (await types.family(lastOwner(d))).down.has(type)) return d;
  return undefined;
}

/** `{ name: … }`, `f(name=…)`: a field, when what is made there is of its type. */
export async function keyOfField(question: Question, context: FileContext, offset: number): Promise<Verdict> {
  const { candidates } = question;
  const fields = inFamily(candidates.members, context.language);
  const ofTraits = fields.filter((d) => candidates.isAsked(d) && typeKinds.has(d.declaration.kind));
  if (ofTraits.length > 0) return possible("a type may be given under the name", ofTraits);
  const literal = literalType(context.file.source, offset);
  const type = literal?.name;
  if (literal && type) {
    const ofPackage = await memberOfPackage(question, context, {
      ...literal,
      rest: "",
      file: context.file.path,
    });
    if (ofPackage) return ofPackage;
    const own = fields.filter((d) => lastOwner(d) === type);
    const { meant, unsure } = await ofVisibleType(question, context, type, own, offset);
    const areAssigned = own.every(({ declaration }) => isAssignedField(declaration));
    if (own.length > 0 && !unsure && !areAssigned) return candidates.verdictOn(meant);
  }
  // The key of an object that a constant holds is none of another object.
  const declared = candidates.all.find(
    (d) => d.file === context.file.path && d.declaration.nameStart === offset,
  );
  const isOfType = (d: Definition) => typeKinds.has(parentOf(d)?.kind ?? "class");
  const { keyedTypes } = context.language;
  const isKeyed = (d: Definition) => keyedTypes?.test(parentOf(d)?.signature ?? "") ?? true;
  const asked = fields.filter((d) => candidates.isAsked(d) && isKeyed(d) && (!declared || isOfType(d)));
  if (asked.length > 0) return possible("a key", asked);
  if (declared) return other(told(declared));
  const types = candidates.asked.filter(({ declaration }) => typeKinds.has(declaration.kind));
  return context.language.embedsTypes && types.length > 0
    ? possible("may be an embedded field", types)
    : other("a key or argument name");
}

/** The members of those types, of several with one name, that the file sees. */
async function ofVisibleType(
  { resolver: { bindings } }: Question,
  { file }: FileContext,
  type: string,
  direct: Definition[],
  offset: number,
  isQualified = false,
): Promise<{ meant: Definition[]; unsure: boolean }> {
  if (!areSeveral(direct)) return { meant: direct, unsure: false };
  // `other::Type` is none that the file sees by its bare name.
  if (isQualified) return { meant: direct, unsure: true };
  const own = direct.filter((d) => d.file === file.path && placeOfType(d) !== undefined);
  if (own.length > 0) {
    const meant = inNearestType(own, typesAround(file.syntax, offset).toReversed().join("."));
    return { meant, unsure: areSeveral(meant) };
  }
  const targets = await bindings.targets(file, type);
  const seen = direct.filter(
    (d) => targets.some((target) => target.file === d.file) || bindings.sharesPackage(file, d.file, d.syntax),
  );
  // Nested types of one name, as every `Builder` of a package, are not told apart by it.
  return seen.length > 0 ? { meant: seen, unsure: areSeveral(seen) } : { meant: direct, unsure: true };
}

/** Of members of nested types with one name: those of the type that stands nearest around a place, if any does. */
function inNearestType(members: Definition[], path: string): Definition[] {
  const scopeOf = ({ declaration: { owner = "" } }: Definition) => owner.slice(0, owner.lastIndexOf(".") + 1);
  const around = members.filter((d) => `${path}.`.startsWith(scopeOf(d)));
  const nearest = Math.max(...around.map((d) => scopeOf(d).length));
  return around.length > 0 ? around.filter((d) => scopeOf(d).length === nearest) : members;
}

/** What is asked for stands in another file than its type, and not in this one: `Type.prototype.name = …` in a test. */
function areGivenElsewhere(
  { candidates }: Question,
  { file }: FileContext,
  members: readonly Definition[],
): boolean {
  return members
    .filter((d) => candidates.isAskedTitle(d))
    .every((d) => d.file !== file.path && placeOfType(d) === undefined);
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}_$]+/u).filter(Boolean);

/** The words of a text, and what they stand for where an import gives it another name. */
const namesIn = (text: string, { imports }: FileSyntax): string[] =>
  wordsOf(text).flatMap((word) => [
    word,
    ...imports.flatMap(({ names = [] }) => names.flatMap(([name, alias]) => (alias === word ? [name] : []))),
  ]);
