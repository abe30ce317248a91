// What a name means that stands without a type, module or value before it.
import { type Language, typeKinds } from "../../languages/language.ts";
import type { Import, Local } from "../../syntax/syntax.ts";
import { declares, importingOnly } from "../bindings.ts";
import {
  hasHeads,
  isEnumerator,
  isMember,
  isNested,
  lastOwner,
  parentOf,
  placeOfType,
  told,
} from "../declared.ts";
import type { Definition } from "../definitions.ts";
import { isInText, isShorthandAt, localAt, localsNamed, type Occurrence } from "../occurrences.ts";
import { dotted } from "../other-names.ts";
import { isDirectlyIn, isKeyOfPattern, isTypePlace } from "../place-in-code.ts";
import { typesAround } from "../types-around.ts";
import { isPrivate, namespaceOf } from "../visibility.ts";
import { blockReceivers, orOfBlock } from "./block-receivers.ts";
import { inFamily } from "./candidates.ts";
import { unresolved } from "./imported-names.ts";
import {
  importBoundTo,
  importTaking,
  ofModulesAsValues,
  ofNamelessModules,
  withImportsAt,
} from "./loaded-modules.ts";
import { memberInMacro, nameInMacro } from "./macro-arguments.ts";
import { keyOfField, memberOf } from "./members.ts";
import { memberOfNameless } from "./nameless-types.ts";
import type { FileContext, Question } from "./question.ts";
import { noSuchName, other, possible, type Verdict } from "./verdict.ts";

export async function bareName(
  question: Question,
  context: FileContext,
  name: string,
  { offset, key }: Pick<Occurrence, "offset" | "key">,
): Promise<Verdict> {
  const { asked } = question.candidates;
  const { file, language } = context;
  const isShorthand =
    language.shorthandKeys === true &&
    !isInText(file.syntax, offset) &&
    isShorthandAt(file.source, offset, name.length);
  const isValue = asked.some((d) => !isMember(d) && !typeKinds.has(d.declaration.kind));
  const taking = key ? importTaking(file.syntax, name, offset) : undefined;
  const taken = taking?.names?.find(([part]) => part === name)?.[1];
  if (taking && taken !== undefined) {
    const verdict = await partOfModule(question, context, taken, taking);
    if (verdict) return verdict;
  }
  const isKey = key && !(language.keysAreExpressions && isValue);
  if (isKey || (isShorthand && asked.some((d) => isMember(d) && !isNested(d)))) {
    const given = isShorthand ? await givenAt(question, context, name, offset) : undefined;
    const verdict = given ?? (await keyOfField(question, context, offset));
    const mayBeTaken = verdict.is === "other" && isKeyOfPattern(file, name, offset);
    return mayBeTaken ? takenOut(question, context, verdict) : verdict;
  }
  const bound = isShorthand && file.syntax.declarations.find((d) => d.nameStart === offset);
  if (bound) return takenOut(question, context, other(`${file.path}#${name}`));
  const ofMacro = await memberInMacro(question, context, name, offset);
  if (ofMacro) return ofMacro;
  const local = localMeant(context, name, offset);
  const declared = local || language.family !== "script" ? undefined : takenHere(question, context, name);
  if (declared && !question.candidates.isAsked(declared))
    return takenOut(question, context, other(`${file.path}#${name}`));
  const isTypeHere =
    asked.every((d) => typeKinds.has(d.declaration.kind)) &&
    language.isDeclarator?.(file.source.slice(offset + name.length, offset + name.length + 200));
  const isTypeOfFunction = file.syntax.declarations.some(
    (d) => d.nameStart === local?.[1] && typeKinds.has(d.kind),
  );
  if (local && (!isTypeHere || isTypeOfFunction)) return localName(question, context, name, offset, local);
  if (language.isCaseLabel?.(file.source.slice(Math.max(0, offset - 200), offset))) {
    const enumerators = inFamily(asked, language).filter((d) => parentOf(d)?.kind === "enum");
    if (enumerators.length > 0) return possible("a case label", enumerators);
  }
  const around = typesAround(file.syntax, offset);
  const isTag = language.isTypeAfter?.(file.source.slice(Math.max(0, offset - 20), offset)) ?? false;
  if (isTag && language.flatTypes) return taggedType(question, context, name, offset);
  const blocks = await blockReceivers(question, context, offset);
  for (const { type } of blocks) {
    const verdict = type && (await memberOf(question, context, type, { offset, implicit: true }));
    if (verdict) return verdict;
  }
  const verdict = await outsideOfBlocks(question, context, name, offset);
  return blocks.some(({ type }) => !type) ? orOfBlock(question, context, around, verdict) : verdict;
}

/** The local that a name means. `if let name {` means one around that has the name, if there is one, as it binds another. */
function localMeant(
  { file: { source, syntax }, language }: FileContext,
  name: string,
  offset: number,
): Local | undefined {
  const local = localAt(syntax, name, offset);
  if (local?.[1] !== offset || !language.bindsItself) return local;
  const before = source.slice(Math.max(0, offset - 40), offset);
  return language.bindsItself(before, source.slice(offset + name.length, offset + name.length + 40))
    ? localAt(syntax, name, offset - 1)
    : local;
}

/** What a bare name means that is no local and no member of what a block is called on. */
async function outsideOfBlocks(
  question: Question,
  context: FileContext,
  name: string,
  offset: number,
): Promise<Verdict> {
  const { asked } = question.candidates;
  const { file, language } = context;
  const around = typesAround(file.syntax, offset);
  const mayBeMember = language.implicitReceiver || (!language.membersBehindDot && isDirectlyIn(file, offset));
  if (mayBeMember && !isTypePlace(context, name, offset)) {
    const isMethod = language.innermostReceiver && asked.every((d) => d.declaration.kind === "method");
    const receivers = isMethod ? around.slice(0, 1) : around;
    const ofNameless = await memberOfNameless(question, context, offset, undefined);
    if (ofNameless) return ofNameless;
    for (const type of receivers) {
      const verdict = await memberOf(question, context, { name: type, rest: "" }, { offset, implicit: true });
      if (verdict) return typeToo(question, context, offset) ?? orOfOuter(question, verdict, receivers, type);
    }
  }
  const inFile =
    inOwnModule(question, context, name, offset) ?? (await nameInFile(question, context, name, offset));
  const verdict =
    inFile.is === "sure" && nearestWins(language)
      ? await inNearestScope(question, context, around, inFile.of)
      : inFile;
  const given = verdict.is === "other" ? ofImportedTypes(question, context, offset) : [];
  if (given.length > 0) return question.candidates.verdictOn(given);
  if (verdict.is === "other" && language.implicitReceiver && verdict.of === noSuchName) {
    const members = inFamily(asked.filter(isMember), language);
    if (members.length > 0 && (around.length > 0 || language.dynamic || language.blocksHaveReceivers))
      return possible("may be inherited", members);
  }
  // What a module holds may be made known to all files: `for name, f in pairs(module) do _G[name] = f end`.
  if (verdict.is === "other" && verdict.of === noSuchName && language.ownGlobals?.has(name) === false) {
    const given = await givenToOthers(question, context);
    if (given.length > 0) return possible("a name that nothing here declares", given);
  }
  return nameInMacro(question, context, name, offset, verdict);
}

/** `using static Lib.Base;` brings what the type has, `using enum Lib::Color;` its enumerators. */
function ofImportedTypes(
  { candidates }: Question,
  { file, language }: FileContext,
  offset: number,
): Definition[] {
  if (language.typesBeforePath && language.bareEnumerators) {
    const before = file.source.slice(0, offset).matchAll(/\busing\s+enum\s+(?:\w*::)*(\w+)\s*;/g);
    const enums = new Set(Array.from(before, ([, name]) => name));
    return inFamily(candidates.members, language).filter((d) => isEnumerator(d) && enums.has(lastOwner(d)));
  }
  if (language.scoping !== "namespaced") return [];
  const types = new Set(
    file.syntax.imports.filter(({ wildcard }) => wildcard).map(({ module }) => dotted(module)),
  );
  return types.size === 0
    ? []
    : inFamily(candidates.members, language).filter((d) => types.has(namespaceOf(d)));
}

/** `Color.Name`, where a property `Color` is of the type `Color`: what has the name tells which of the two is meant. */
function typeToo(
  { candidates }: Question,
  { file, language }: FileContext,
  offset: number,
): Verdict | undefined {
  const { name, members, tops } = candidates;
  const after = file.source.slice(offset + name.length, offset + name.length + 20);
  if (!language.isTypePlace || !/^\s*\.\s*\w/.test(after)) return undefined;
  const types = inFamily(tops, language).filter((d) => typeKinds.has(d.declaration.kind));
  const isLike = (d: Definition) => new RegExp(`\\b${name}\\??\\s+${name}\\b`).test(d.declaration.signature);
  const asked = [...types, ...members.filter(isLike)].filter((d) => candidates.isAsked(d));
  return types.length > 0 && asked.length > 0 && members.some(isLike)
    ? possible("a type and a member have the name", asked)
    : undefined;
}

/** What a type inherits is told by names alone: it is not sure where a type further outside declares the name itself. */
function orOfOuter(
  { candidates }: Question,
  verdict: Verdict,
  around: readonly string[],
  type: string,
): Verdict {
  if (verdict.is !== "sure" || verdict.of.some((d) => lastOwner(d) === type)) return verdict;
  const outer = around.slice(around.indexOf(type) + 1);
  const rival = candidates.members.find((d) => outer.includes(lastOwner(d)) && !verdict.of.includes(d));
  return rival ? possible(`${lastOwner(rival)} has the name, too`, verdict.of) : verdict;
}

/** Of what is in sight, what stands in the nearest class or namespace around: a bare name reaches into no other. */
async function inNearestScope(
  { candidates, types }: Question,
  { file, language }: FileContext,
  around: readonly string[],
  found: Definition[],
): Promise<Verdict> {
  const scopes = new Set(found.map(scopeOf));
  if (scopes.size < 2) return candidates.verdictOn(found);
  const path = [...(file.syntax.package?.split(".") ?? []), ...around.toReversed()];
  for (let depth = path.length; depth >= 0; depth--) {
    const scope = path.slice(0, depth).join(".");
    const here = found.filter((d) => scopeOf(d) === scope);
    if (here.length > 0) return candidates.verdictOn(here);
    const type = await types.named(path[depth - 1] ?? "", language);
    if (!type || !typeKinds.has(type.declaration.kind)) continue;
    const { up } = await types.family(type.declaration.name);
    const inherited = found.filter((d) => up.has(scopeOf(d).split(".").at(-1) ?? ""));
    if (inherited.length > 0) return candidates.verdictOn(inherited);
  }
  return possible("several classes or namespaces have the name", found);
}

/** Whether a bare name means what stands in the nearest type or namespace around, of several that are in sight. */
const nearestWins = ({ typesStandOutOfLine, typesStandInExtensions, scoping, globalFunctions }: Language) =>
  typesStandOutOfLine || typesStandInExtensions || (scoping === "namespaced" && !globalFunctions);

/** The class or namespace in which a name is known; that of an enum, where the names of its members are known beside it. */
function scopeOf(d: Definition): string {
  const owner = namespaceOf(d);
  const isBeside = isEnumerator(d) && !isMember(d) && parentOf(d)?.kind === "enum";
  return isBeside ? owner.split(".").slice(0, -1).join(".") : owner;
}

/** Where modules of one file declare the name, too: the one of the innermost module around. */
function inOwnModule(
  { candidates }: Question,
  { file: { path, syntax } }: FileContext,
  name: string,
  offset: number,
): Verdict | undefined {
  const own = candidates.tops.filter((d) => d.file === path && d.declaration.name === name);
  if (new Set(own.map((d) => d.declaration.parent)).size < 2) return undefined;
  const around = syntax.declarations.flatMap(({ kind, start, end }, index) =>
    kind === "module" && start <= offset && offset < end ? [index] : [],
  );
  for (const module of [...around.reverse(), -1]) {
    const meant = own.filter((d) => d.declaration.parent === module);
    if (meant.length > 0) return candidates.verdictOn(meant);
  }
  return undefined;
}

/** What is asked for and not kept in its file. */
async function givenToOthers(
  { candidates, resolver: { project } }: Question,
  { language }: FileContext,
): Promise<Definition[]> {
  const given: Definition[] = [];
  for (const d of inFamily(candidates.asked, language)) {
    const source = isPrivate(d) ? await project.source(d.file).catch(() => "") : undefined;
    if (source === undefined || language.isPassedOn?.(source, candidates.name)) given.push(d);
  }
  return given;
}

/** Bound in a function: by a declaration that is asked for, by another one, by what a module gives, or by a variable. */
async function localName(
  question: Question,
  context: FileContext,
  name: string,
  offset: number,
  local: Local,
): Promise<Verdict> {
  const { candidates } = question;
  const { file, language } = context;
  const sameScope = new Set(
    localsNamed(file.syntax, name)
      .filter(([, , start, end]) => start === local[2] && end === local[3])
      .map(([, at]) => at),
  );
  const nested = candidates.all.filter((d) => d.file === file.path && sameScope.has(d.declaration.nameStart));
  if (nested.some((d) => candidates.isAsked(d))) return { is: "sure", of: nested };
  if (nested[0]) return other(`${told(nested[0])} in line ${nested[0].declaration.line}`);
  const clause = importBoundTo(file.syntax, name, local);
  const part = clause && (await partOfModule(question, context, name, clause));
  if (part) return part;
  const tops = inFamily(candidates.asked, language).filter((d) => !isMember(d));
  const isBinding = local[1] === offset;
  const mayBeOfModule = isBinding && language.isAwaitedPart?.(file.source.slice(offset, offset + 400));
  // What a pattern of a script takes is used under that name.
  const isTaking = isBinding || language.family === "script";
  const isPart = isTaking && isShorthandAt(file.source, local[1], name.length);
  const variable = other("a local variable");
  if (mayBeOfModule && tops.length > 0) return possible("taken out of an object", tops);
  return isPart ? takenOut(question, context, variable) : variable;
}

/** `const { name } = value;` at the top of this file. */
const takenHere = ({ candidates }: Question, { file }: FileContext, name: string) =>
  candidates.all.find(
    (d) =>
      d.file === file.path &&
      parentOf(d) === undefined &&
      d.declaration.name === name &&
      isShorthandAt(file.source, d.declaration.nameStart, name.length),
  );

/** What a pattern takes may be of a module that has no name here, or what an object holds. */
async function takenOut(
  { candidates, held, resolver }: Question,
  { file, language }: FileContext,
  orElse: Verdict,
): Promise<Verdict> {
  const tops = inFamily(candidates.asked, language).filter((d) => !isMember(d));
  const taken = [
    ...ofNamelessModules(file, tops, resolver.bindings),
    ...(language.shorthandKeys ? await held.all() : []),
    ...(language.shorthandKeys
      ? await ofModulesAsValues(file, { name: candidates.name, asked: tops }, resolver.bindings)
      : []),
  ];
  return taken.length > 0 ? possible("taken out of an object", taken) : orElse;
}

/** `const { name } = require("./x")`: what the module gives. */
async function givenAt(
  question: Question,
  context: FileContext,
  name: string,
  offset: number,
): Promise<Verdict | undefined> {
  const clause = importBoundTo(context.file.syntax, name, [name, offset, 0, 0]);
  return clause && partOfModule(question, context, name, clause);
}

/** What a name stands for that one import brings. */
async function partOfModule(
  { candidates, resolver }: Question,
  { file }: FileContext,
  name: string,
  clause: Import,
): Promise<Verdict | undefined> {
  const led = candidates.at(await resolver.bindings.targets(importingOnly(file, clause), name));
  return led.length > 0 ? candidates.verdictOn(led) : undefined;
}

/** `struct name`: of what has the name, only the types. */
async function taggedType(
  question: Question,
  context: FileContext,
  name: string,
  offset: number,
): Promise<Verdict> {
  const { candidates, resolver } = question;
  const types = inFamily(candidates.tops, context.language).filter((d) => typeKinds.has(d.declaration.kind));
  const seen: Definition[] = [];
  for (const d of types) if ((await resolver.visibility.sight(context.file, d)) === "sure") seen.push(d);
  return seen.length > 0 ? candidates.verdictOn(seen) : nameInFile(question, context, name, offset);
}

/** What a name means in a file outside of its functions and types. */
function nameInFile(
  question: Question,
  context: FileContext,
  name: string,
  offset: number,
): Promise<Verdict> {
  const isImported = context.language.scoping === "imported";
  const file = isImported ? withImportsAt(context.file, name, offset) : context.file;
  if (file !== context.file) return importedName(question, { ...context, file }, name);
  let meaning = context.bareNames.get(name);
  if (!meaning) {
    meaning = isImported ? importedName(question, context, name) : visibleName(question, context, name);
    context.bareNames.set(name, meaning);
  }
  return meaning;
}

/** Where names are imported one by one, or come with their package. */
async function importedName(question: Question, context: FileContext, name: string): Promise<Verdict> {
  const { candidates } = question;
  const { bindings } = question.resolver;
  const { file, language } = context;
  const targets = await bindings.targets(file, name);
  const led = candidates.at(targets);
  const variants = enumeratorsInSight(question, context);
  const isOneEnumerator =
    led.every(isEnumerator) && new Set([...led, ...variants].map(placeOfType)).size === 1;
  if (led.length > 0 && variants.length > 0 && !isOneEnumerator)
    return possible("an enumerator has the name, too", inFamily(candidates.asked, language));
  if (led.length > 0) return candidates.verdictOn(led);
  const tops = inFamily(candidates.tops, language);
  const isHidden = (d: Definition) =>
    language.privateIsOfFile === true && isPrivate(d) && d.file !== file.path;
  const near =
    name === candidates.name
      ? tops.filter((d) => bindings.sharesPackage(file, d.file, d.syntax) && !isHidden(d))
      : [];
  if (near.length > 0) return candidates.verdictOn(near);
  const clause = file.syntax.imports.find(
    (one) => one.whole === name || one.names?.some(([, alias]) => alias === name),
  );
  const elsewhere = language.importStyle === "path" && targets.find((one) => one.name !== candidates.name);
  if (elsewhere) return other(`${elsewhere.file}#${elsewhere.name}`);
  if (clause) return unresolved(candidates, file, clause.module, bindings.isHere(file, clause));
  if (declares(file.syntax, name)) return other(file.path);
  if (language.packageIs === "folder") return other(noSuchName);
  const unseen = tops.filter((d) => candidates.isAsked(d));
  const constants = candidates.asked.filter((d) => isMember(d) && d.declaration.kind === "const");
  const maybe = [...unseen, ...inFamily(constants, language)];
  return maybe.length > 0 ? possible("no import of it seen", maybe) : other(noSuchName);
}

/** `use Kind::*` brings enumerators into sight, beside a type of the same name. */
function enumeratorsInSight({ candidates }: Question, { file, language }: FileContext): Definition[] {
  const owners = new Set(
    file.syntax.imports.filter(({ wildcard }) => wildcard).map(({ module }) => module.split(/\.|::/).at(-1)),
  );
  return inFamily(candidates.members, language).filter((d) => isEnumerator(d) && owners.has(lastOwner(d)));
}

/** Where whole files, namespaces or everything is in sight. */
async function visibleName(
  { candidates, resolver }: Question,
  { file, language }: FileContext,
  name: string,
): Promise<Verdict> {
  const tops = inFamily(candidates.tops, language);
  const whole = file.syntax.imports.find((clause) => clause.whole === name);
  const required = whole ? resolver.bindings.files(file, whole) : [];
  // What a whole module is: the value that its file gives.
  const given = tops.filter((d) => d.syntax.default === d.declaration.name && required.includes(d.file));
  if (given.length > 0) return candidates.verdictOn(given);
  if (name !== candidates.name) return candidates.verdictOn(tops);
  const sure: Definition[] = [];
  const maybe: Definition[] = [];
  // What is asked for first: how the many others of a common name are seen matters only when that is not sure.
  for (const d of tops.toSorted((x, y) => Number(candidates.isAsked(y)) - Number(candidates.isAsked(x)))) {
    const isDecided = sure.some((one) => !one.declaration.bodiless) && !nearestWins(language);
    const mayHide = d.declaration.kind === "macro";
    if (isDecided && !candidates.isAsked(d) && d.file !== file.path && !mayHide) continue;
    const sight = await resolver.visibility.sight(file, d);
    if (sight === "sure") sure.push(d);
    else if (sight === "by name") maybe.push(d);
  }
  // What only a prototype declares may be defined anywhere.
  if (sure.every((d) => d.declaration.bodiless) && maybe.some((d) => candidates.isAsked(d)))
    return possible("only the name agrees", maybe);
  const macro = sure.find((d) => d.declaration.kind === "macro");
  const hidden = sure.filter((d) => candidates.isAsked(d) && d.declaration.kind !== "macro");
  if (macro && hidden.length > 0) return possible(`a macro in ${macro.file} has the name, too`, hidden);
  const overloaded = candidates.overloaded(sure, language);
  if (overloaded) return overloaded;
  const own = sure.filter((d) => d.file === file.path);
  if (sure.length > 0) return candidates.verdictOn(own.length > 0 && !hasHeads(own) ? own : sure);
  if (maybe.some((d) => candidates.isAsked(d))) return possible("only the name agrees", maybe);
  return other(maybe[0] ? told(maybe[0]) : noSuchName);
}
