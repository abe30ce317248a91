// What a name means behind a dot: that of a module, a namespace, or a value of some type.
import { type Language, typeKinds } from "../../languages/language.ts";
import { languageOf } from "../../languages/languages.ts";
import { aliasedType } from "../../syntax/declared-names.ts";
import { type Import, qualifiedName as nameOf } from "../../syntax/syntax.ts";
import { declaratorType } from "../declarators.ts";
import { isEnumerator, isMember, isNested, lastOwner, parentOf } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import { classOfFile } from "../full-names.ts";
import { type NamedType, namedIn } from "../named-type.ts";
import { localAt, type Occurrence } from "../occurrences.ts";
import { dotted } from "../other-names.ts";
import { isVariable, testedTypes } from "../place-in-code.ts";
import { receiverType } from "../receivers.ts";
import { typesAround } from "../types-around.ts";
import { bareName } from "./bare-names.ts";
import { blockReceivers } from "./block-receivers.ts";
import { type Candidates, inFamily, outermost } from "./candidates.ts";
import { unresolved } from "./imported-names.ts";
import { importBeforeDot, inSightOf, ofModulesAsValues, ofNamelessModules } from "./loaded-modules.ts";
import { memberOf } from "./members.ts";
import { memberOfNameless } from "./nameless-types.ts";
import { memberOfObject } from "./object-members.ts";
import type { FileContext, Question } from "./question.ts";
import { memberOfSuperInScript } from "./script-parents.ts";
import { isBehindSuper, memberOfSuper } from "./super-members.ts";
import type { Types } from "./types.ts";
import { other, possible, type Verdict } from "./verdict.ts";

export async function qualifiedName(
  question: Question,
  context: FileContext,
  written: Occurrence,
): Promise<Verdict> {
  const { candidates, types } = question;
  const { file, language } = context;
  const occurrence = await withNamespace(question, context, written);
  const { receiver = "", offset, scoped, chained } = occurrence;
  const [block] =
    receiver === "this" && chained === undefined ? await blockReceivers(question, context, offset) : [];
  if (block)
    return (
      (block.type && (await memberOf(question, context, block.type, { offset }))) ??
      possible("the receiver of a block may have it", [...candidates.asked])
    );
  const isOfParent = isBehindSuper(file.source, occurrence, language);
  const isOfThis = isOfParent || (receiver === "this" && chained === undefined);
  const ofNameless = isOfThis
    ? await memberOfNameless(question, context, offset, isOfParent ? "super" : "this")
    : undefined;
  if (ofNameless) return ofNameless;
  const memberAbove = language.family === "script" ? memberOfSuperInScript : memberOfSuper;
  const ofSuper = isOfParent ? await memberAbove(question, context, offset) : undefined;
  if (ofSuper) return ofSuper;
  // `::name` is a name of no namespace; `<T as X>::name` is not.
  const isGlobal =
    receiver === "" && scoped && !/[>)\]]/.test(file.source[(occurrence.receiverEnd ?? 0) - 1] ?? "");
  if (isGlobal) return bareName(question, context, candidates.name, { offset });
  const loaded = receiver === "" ? importBeforeDot(file, occurrence.receiverEnd ?? 0) : undefined;
  if (loaded) return nameInLoaded(question, context, loaded);
  const isPath = scoped === true && language.separator === "::";
  const isLocal = receiver !== "" && chained === undefined && !isPath && isVariable(file, receiver, offset);
  // `Store::open`, where `Store` has such a member, is none without a namespace.
  const hasOwn = candidates.members.some((d) => lastOwner(d) === receiver);
  const spaceless = scoped && receiver !== "std" && !hasOwn ? withoutNamespace(candidates, language) : [];
  // `self.name` is no name of a module where `::` leads into those.
  const mayBeModule = scoped === true || language.modules === undefined;
  if (receiver !== "" && !isLocal && mayBeModule) {
    const verdict = await nameInModule(question, context, occurrence);
    if (verdict && (verdict.is !== "other" || spaceless.length === 0)) return verdict;
    // `using Store::Store;`: a class knows itself by its name.
    const isItself = language.typesStandOutOfLine && scoped && receiver === candidates.name && !chained;
    if (isItself && candidates.asked.some((d) => typeKinds.has(d.declaration.kind)))
      return bareName(question, context, candidates.name, { offset });
    const inSpace = scoped && spaceless.length === 0 ? await passedOnBy(question, context, receiver) : [];
    const maybe = [...spaceless, ...inSpace];
    if (maybe.length > 0) return possible(`may be in ${receiver}`, maybe);
  }
  const ofObject = isLocal ? undefined : await memberOfObject(question, context, occurrence);
  if (ofObject?.is === "sure") return ofObject;
  const type =
    (await typeOfReceiver(question, context, occurrence)) ??
    (scoped ? await outsideType(question, receiver, language) : undefined);
  // `value.Type.name`, where a type of any package is embedded under its own name.
  const isEmbedded = language.embedsTypes && chained !== undefined && type?.file === undefined;
  const isQualified = isEmbedded || (scoped === true && chained !== undefined && chained !== "");
  const verdict = type && (await memberOf(question, context, type, { offset, isQualified }));
  // Where types are only tables, what one of them is made from is not known.
  const isTable =
    type &&
    language.dynamic &&
    typesAround(file.syntax, offset).includes(type.name) &&
    !(await types.named(type.name, language));
  if (verdict?.is === "other" && chained === undefined) {
    const tested = await ofTestedType(question, context, occurrence);
    if (tested) return tested;
  }
  // `impl NameKind { … Self::name }`, where a macro makes `NameKind` from a type that has the name.
  const isMadeHere =
    type !== undefined &&
    receiver === "Self" &&
    language.prelude?.has(type.name) === false &&
    !file.syntax.imports.some((clause) => clause.names?.some(([, alias]) => alias === type.name)) &&
    !(await types.named(type.name, language));
  const isUnproved = verdict?.is === "other" && (isTable || isMadeHere);
  if (verdict && !isUnproved) return verdict;
  if (ofObject && !type) return ofObject;
  const own = chained === undefined ? ofTable(question, context, receiver) : [];
  if (own.length > 0) return candidates.verdictOn(own);
  // A type parameter stands for any type, and so does that of a macro: `$type::name`.
  const isParameter =
    isPath && (receiver.startsWith("$") || localAt(file.syntax, receiver, offset) !== undefined);
  const isValue = language.capitalPaths === true && !/^\p{Lu}/u.test(receiver);
  const isMade =
    language.prelude?.has(receiver) === false && chained === undefined && /^\p{Lu}/u.test(receiver);
  const isOutside = scoped && !isLocal && !isParameter && !isValue && !isMade && receiver !== "" && !type;
  if (isOutside && !(await types.named(receiver, language)))
    return other(`${receiver}${language.separator}${candidates.name}`);
  const members = inFamily(candidates.members, language);
  const tops = inFamily(candidates.tops, language);
  const perhaps = [
    ...members,
    ...(language.dynamic ? tops : ofNamelessModules(file, tops, question.resolver.bindings)),
    ...(language.shorthandKeys ? await heldOrHanded(question, context) : []),
  ];
  if (perhaps.some((d) => candidates.isAsked(d))) return possible("unknown receiver", perhaps);
  // A package may be known by another name: `import org.{tools => t}`, then `t.Type`.
  const isSpace = receiver !== "" && !isLocal && !type && !isDeclared(context, receiver);
  const inPackages = language.packageIs === "declared" ? tops : [];
  return isSpace && inPackages.some((d) => candidates.isAsked(d))
    ? possible("unknown qualifier", inPackages)
    : other("a member of something else");
}

/** Functions asked for that an object holds, or a module that is used as a value. */
async function heldOrHanded(
  { candidates, held, resolver: { bindings } }: Question,
  { file, language }: FileContext,
): Promise<Definition[]> {
  const asked = inFamily(candidates.asked, language).filter((d) => !isMember(d));
  const { name } = candidates;
  return [...(await held.all()), ...(await ofModulesAsValues(file, { name, asked }, bindings))];
}

/** `module.other`, where other modules pass on what is asked for under another name. */
export async function givenByModule(
  { candidates, resolver: { bindings } }: Question,
  { file: whole }: FileContext,
  name: string,
  { receiver = "", receiverEnd = 0, chained, offset }: Occurrence,
): Promise<Verdict> {
  const loaded = receiver === "" ? importBeforeDot(whole, receiverEnd) : undefined;
  const file = inSightOf(whole, chained ?? receiver, offset);
  const led = loaded
    ? await bindings.pathTargets(file, loaded.module, name)
    : await bindings.memberTargets(file, receiver, name, chained);
  return candidates.verdictOn(candidates.at(led));
}

/** `require("./x").name`: what the module gives under the name. */
async function nameInLoaded(
  { candidates, resolver: { bindings } }: Question,
  { file, language }: FileContext,
  clause: Import,
): Promise<Verdict> {
  const { module } = clause;
  const led = candidates.at(await bindings.pathTargets(file, module, candidates.name));
  if (led.length > 0) return candidates.verdictOn(led);
  const inFiles = language.dynamic ? ofModules(candidates, bindings.files(file, clause)) : [];
  if (inFiles.length > 0) return candidates.verdictOn(inFiles);
  return bindings.isHere(file, { module }) ? other(module) : unresolved(candidates, file, module);
}

/** What is asked for in a module, where nothing else has the module's name and no other part of it the member's. */
async function ofOnlyModule(
  { candidates, types }: Question,
  language: Language,
  receiver: string,
): Promise<Definition[]> {
  const members = inFamily(candidates.members, language);
  const own = members.filter((d) => lastOwner(d) === receiver);
  const isAsked = own.every((d) => candidates.isAskedTitle(d) && parentOf(d)?.kind === "module");
  if (own.length === 0 || !isAsked) return [];
  const named = (await types.declared(receiver)).map(({ declaration }) => declaration);
  const spaces = named.filter(({ kind }) => kind === "module" || typeKinds.has(kind)).map(nameOf);
  const { up } = await types.family(receiver);
  const isOnly = new Set(spaces).size === 1 && !members.some((d) => up.has(lastOwner(d)));
  return isOnly ? own : [];
}

/** `namespace other = space;`, `using Other = Type;`: `other::name` is that of the space or type. */
async function withNamespace(
  { types }: Question,
  { language }: FileContext,
  occurrence: Occurrence,
): Promise<Occurrence> {
  const { receiver, scoped } = occurrence;
  if (!scoped || !receiver || !language.typesStandOutOfLine) return occurrence;
  const space = (await types.named(receiver, language))?.declaration;
  const meant = /^namespace \w+ ?= ?(?:[\w:]*::)?(\w+)/.exec(space?.signature ?? "")?.[1];
  if (meant !== undefined) return { ...occurrence, receiver: meant };
  const type = await behindAliases(types, language, { name: receiver, rest: "" });
  return type && type.holder === undefined ? { ...occurrence, receiver: type.name } : occurrence;
}

/** A value that the function around tests for a type, `value instanceof Type`, may be of it. */
async function ofTestedType(
  { candidates, types }: Question,
  { file, language }: FileContext,
  { receiver = "", offset }: Occurrence,
): Promise<Verdict | undefined> {
  const tested = testedTypes(file, receiver, offset);
  if (tested.length === 0) return undefined;
  for (const d of inFamily(candidates.members, language)) {
    if (!candidates.isAsked(d)) continue;
    const { up, down } = await types.family(lastOwner(d));
    const type = tested.find((one) => up.has(one) || down.has(one));
    if (type !== undefined) return possible(`tested for ${type}`, [d]);
  }
  return undefined;
}

/** `M.name`, where this file gives its table `M` a function of that name. */
function ofTable({ candidates }: Question, { file, language }: FileContext, receiver: string): Definition[] {
  if (!language.dynamic || language.scoping !== "everything") return [];
  return candidates.members.filter((d) => d.file === file.path && d.declaration.owner === receiver);
}

const isDeclared = ({ file }: FileContext, name: string) =>
  file.syntax.declarations.some((d) => d.name === name);

/** A macro may open the namespace that something is in. */
function withoutNamespace({ asked }: Candidates, language: Language): Definition[] {
  if (language.scoping !== "included") return [];
  return inFamily(asked, language).filter((d) => !isMember(d) && d.declaration.owner === undefined);
}

/** `using core::Store;` in a namespace, and inline namespaces, make what is in another one known there. */
async function passedOnBy(
  { candidates, types }: Question,
  { language }: FileContext,
  receiver: string,
): Promise<Definition[]> {
  if (language.scoping !== "included") return [];
  const space = await types.named(receiver, language);
  return space?.declaration.kind === "module"
    ? inFamily(candidates.tops, language).filter((d) => candidates.isAsked(d))
    : [];
}

/** What scripts give: a module is the table that its file returns, not what else the file holds. */
function ofModules({ all }: Candidates, files: readonly string[]): Definition[] {
  const inFiles = all.filter((d) => files.includes(d.file) && !isNested(d));
  const returned = inFiles.filter((d) => d.declaration.owner === d.syntax.default);
  return returned.length > 0 ? returned : inFiles;
}

async function nameInModule(
  question: Question,
  context: FileContext,
  { receiver = "", chained, offset }: Occurrence,
): Promise<Verdict | undefined> {
  const { candidates, types, resolver } = question;
  const { bindings, visibility } = resolver;
  const { file: whole, language } = context;
  const file = inSightOf(whole, receiver, offset);
  const ofClass = await inClassOfFile(question, context, receiver, dotsBefore(whole.source, offset));
  if (ofClass.length > 0) return candidates.verdictOn(ofClass);
  if (language.scoping === "imported" || language.dynamic) {
    // `one.space.name` is of no module that this file knows as `space`.
    const outer = language.importStyle === "path" ? chained : undefined;
    const led = candidates.at(await bindings.memberTargets(file, receiver, candidates.name, outer));
    if (led.length > 0) return candidates.verdictOn(led);
    const whole = chained === undefined && file.syntax.imports.find((clause) => clause.whole === receiver);
    const required = whole ? bindings.files(file, whole) : [];
    if (whole && required.length === 0) return unresolved(candidates, file, whole.module);
    // What a script passes on is not known from its text.
    if (whole && !language.dynamic)
      return required.every((path) => languageOf(path)?.dynamic)
        ? unresolved(candidates, file, whole.module)
        : other(whole.module);
    const inFiles = ofModules(candidates, required);
    if (inFiles.length > 0) return candidates.verdictOn(inFiles);
  }
  const path = language.modules ? pathBefore(file.source, offset) : undefined;
  const led = path ? candidates.at(await bindings.pathTargets(file, path, candidates.name)) : [];
  if (led.length > 0) return candidates.verdictOn(led);
  const dotted = language.packageIs === "declared" ? dotsBefore(file.source, offset) : undefined;
  const tops = inFamily(candidates.tops, language);
  const ofFiles = language.modules ? outermost(tops) : tops;
  const spaced = tops.filter(
    (d) =>
      lastOwner(d) === receiver ||
      (isEnumerator(d) && d.declaration.owner?.split(".").at(-2) === receiver) ||
      (language.modules?.isFileOf(receiver, d.file) && ofFiles.includes(d)) ||
      (d.syntax.package?.split(/[.\\]/).at(-1) === receiver &&
        parentOf(d)?.kind !== "module" &&
        mayBePackage(d.syntax.package, dotted)),
  );
  if (language.mixins) spaced.push(...(await ofOnlyModule(question, language, receiver)));
  if (spaced.length === 0 && language.bareEnumerators && language.typesBeforePath) {
    const { up } = await types.family(receiver);
    // `Derived::VALUE`, of an enum in a parent.
    spaced.push(
      ...tops.filter((d) => isEnumerator(d) && up.has(d.declaration.owner?.split(".").at(-2) ?? "")),
    );
  }
  const reachable: Definition[] = [];
  for (const d of spaced) {
    const isSeen =
      language.scoping === "imported" ||
      language.scoping === "namespaced" ||
      (await visibility.sight(file, d)) !== "no";
    if (isSeen) reachable.push(d);
  }
  const overloaded = candidates.overloaded(reachable, language);
  if (overloaded) return overloaded;
  // Modules of one name in several folders: the name before tells which, if anything does.
  const inFolder = reachable.filter(({ file: home }) => chained && home.includes(`${chained}/${receiver}`));
  const isRooted =
    chained === "" &&
    /(?:^|[^\w>)\]])::\s*\w+\s*::\s*$/.test(file.source.slice(Math.max(0, offset - 200), offset));
  const around = isRooted ? "" : typesAround(file.syntax, offset).toReversed().join(".");
  const hasSpaces = language.typesStandOutOfLine || language.mixins;
  const inherited = new Set<string>();
  for (const type of hasSpaces ? typesAround(file.syntax, offset) : [])
    for (const parent of (await types.family(type)).up) inherited.add(parent);
  const inScope = hasSpaces ? inNearestSpace(reachable, receiver, chained, around, inherited) : [];
  const meant = [inFolder, inScope, reachable].find((some) => some.length > 0) ?? [];
  const asked = meant.filter((d) => candidates.isAsked(d));
  const isOneOfMany =
    language.modules && meant.some((d) => d.file !== asked[0]?.file && !d.declaration.bodiless);
  // `Space.name` is that of a space of its own before that of a `Space` in another one.
  const isNamedWhole = (d: Definition) => d.declaration.owner === receiver;
  const isInner = asked.length > 0 && !asked.some(isNamedWhole) && meant.some(isNamedWhole);
  if (isInner && chained === undefined) return possible(`several are called ${receiver}`, asked);
  const isOfSeveral = hasSpaces && new Set(meant.map(({ declaration: { owner } }) => owner)).size > 1;
  if (asked.length > 0 && isOfSeveral) return possible(`several are called ${receiver}`, asked);
  if (asked.length > 0 && isOneOfMany) return possible(`several modules are called ${receiver}`, asked);
  // `declare global { namespace Space { interface Name {} } }` in several programs of one repository.
  const isHere = (d: Definition) => d.file === file.path;
  const isElsewhere = asked.length > 0 && !asked.some(isHere) && meant.some(isHere);
  if (isElsewhere && language.scoping === "imported")
    return possible(`${receiver} of ${file.path} has the name, too`, asked);
  if (meant.length > 0) return candidates.verdictOn(meant);
  const askedTops = tops.filter((d) => candidates.isAsked(d));
  return path && askedTops.length > 0 && bindings.files(file, { module: path }).length > 0
    ? possible(`may be passed on by ${path}`, askedTops)
    : undefined;
}

/** `StoreKt.name` in Java: what stands at the top of a file in another language, behind the class that the file is there. */
async function inClassOfFile(
  { candidates, resolver: { project } }: Question,
  { file: { syntax }, language }: FileContext,
  receiver: string,
  written: string | undefined,
): Promise<Definition[]> {
  const found: Definition[] = [];
  for (const d of inFamily([...candidates.tops, ...candidates.members], language)) {
    if (d.declaration.parent !== -1 || d.syntax.language === language.name) continue;
    if ((await classOfFile(project, d.file, d.syntax.language)) !== receiver) continue;
    const space = d.syntax.package ?? "";
    const full = [space, receiver].filter(Boolean).join(".");
    const isImported = syntax.imports.some(({ module, wildcard }) => module === (wildcard ? space : full));
    if (written === full || (written === receiver && (isImported || space === (syntax.package ?? ""))))
      found.push(d);
  }
  return found;
}

/** `testing::Test` is of the `testing` in the nearest namespace around or in a parent type, not of one elsewhere. */
function inNearestSpace(
  found: readonly Definition[],
  receiver: string,
  chained: string | undefined,
  around: string,
  inherited: ReadonlySet<string>,
): Definition[] {
  const spaceOf = ({ declaration: { owner = "" } }: Definition) => {
    const written = [chained, receiver].filter(Boolean).join(".");
    const end = `.${owner}.`.lastIndexOf(`.${written}.`);
    return end < 0 ? undefined : owner.slice(0, end);
  };
  const spaces = found.map(spaceOf).filter((space) => space !== undefined && `${around}.`.startsWith(space));
  const nearest = spaces.sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0))[0];
  const ofParents = found.filter((d) => inherited.has(spaceOf(d)?.split(".").at(-2) ?? ""));
  if (ofParents.length > 0 && nearest !== `${around}.`) return ofParents;
  return found.filter((d) => (nearest === undefined ? spaceOf(d) !== undefined : spaceOf(d) === nearest));
}

/** `org.tools.inject` of `org.tools.inject.Injector`. */
const dotsBefore = (source: string, offset: number) =>
  /((?:\w+\.)+)$/.exec(source.slice(Math.max(0, offset - 200), offset))?.[1]?.slice(0, -1);

/** A package may be written from any of its parts on. */
const mayBePackage = (name: string, written: string | undefined) =>
  written === undefined || `.${name}`.endsWith(`.${written}`);

/** The path of a module before a name: `tools::store` of `tools::store::open`; modules are written small. */
const pathBefore = (source: string, offset: number) =>
  /((?:\w+::)*[a-z_]\w*)::$/.exec(source.slice(Math.max(0, offset - 120), offset))?.[1];

/** The receiver's type by its own name: `import { A as B }` and `const B = require("./a")` give it another one. */
async function typeOfReceiver(
  { resolver: { bindings, project }, types }: Question,
  { file, language }: FileContext,
  occurrence: Occurrence,
): Promise<NamedType | undefined> {
  const type = await behindAliases(types, language, await receiverType(project, file, occurrence));
  const { receiver = "", chained } = occurrence;
  const written = type?.name ?? (chained === undefined ? receiver : "");
  const renamed = written === "" ? undefined : await renamedType(types, { file, language }, written);
  const isValue = type === undefined && localAt(file.syntax, receiver, occurrence.offset) !== undefined;
  if (renamed !== undefined && !isValue)
    return { ...namedIn(file.path, { rest: "", name: written }), ...type, name: renamed };
  const isRenamed = file.syntax.imports.some(({ names }) =>
    names?.some(([name, alias]) => alias === type?.name && name !== alias),
  );
  if (!type || (!isRenamed && (await types.named(type.name, language)))) return type;
  const [target] = await bindings.targets(file, type.name);
  if (target && target.name !== type.name) return { ...namedIn(file.path, type), ...type, name: target.name };
  const clause = file.syntax.imports.find(
    (one) => one.whole === type.name || one.names?.some(([, alias]) => alias === type.name),
  );
  // A module of the workspace that does not say what it gives under this name.
  return clause && bindings.files(file, clause).length > 0 ? undefined : type;
}

/** What a type's name is another name for: `typedef Base Name`; where several say different things, the name itself. */
async function behindAliases(
  types: Types,
  language: Language,
  type: NamedType | undefined,
): Promise<NamedType | undefined> {
  let meant = type;
  for (let step = 0; meant && language.aliasesAreTypes && step < mostAliases; step++) {
    const { name } = meant;
    const declared = inFamily(await types.declared(name), language).filter((d) =>
      typeKinds.has(d.declaration.kind),
    );
    const [text, ...others] = new Set(declared.map(({ declaration }) => aliasedType(declaration)));
    const next = text === undefined || others.length > 0 ? undefined : declaratorType(text, language);
    if (!next || next.name === name) return meant;
    meant = next;
  }
  return meant;
}

const mostAliases = 5;

/** A type of elsewhere that is given a parent here: `impl Vector for u128`. */
async function outsideType(
  { candidates, types }: Question,
  name: string,
  language: Language,
): Promise<NamedType | undefined> {
  for (const d of inFamily(candidates.asked.filter(isMember), language))
    if ((await types.family(lastOwner(d))).down.has(name)) return { name, rest: "" };
  return undefined;
}

/** `using Old = Lib.Model.Base;`, in this file or for all: what the other name stands for. */
async function renamedType(
  types: Types,
  { file, language }: Pick<FileContext, "file" | "language">,
  name: string,
): Promise<string | undefined> {
  if (language.scoping !== "namespaced") return undefined;
  const own = file.syntax.imports.find(({ whole }) => whole === name);
  const imported = file.syntax.imports.flatMap(({ names = [] }) => names).find(([, alias]) => alias === name);
  if (!own && imported) return imported[0] === name ? undefined : imported[0];
  const path = own ? dotted(own.module) : await types.namedForAll(name, language);
  return path?.split(".").at(-1);
}
