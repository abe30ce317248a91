import { type ImportClause, type Kind, type Language, typeKinds } from "../../languages/language.ts";
import { languageNamed } from "../../languages/languages.ts";
import type { ParsedFile } from "../../project/project.ts";
import { type Import, isDoubtful } from "../../syntax/syntax.ts";
import { isEnumerator, parentOf } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import { elsewhereNames, isUsedSo, type KnownElsewhere } from "../elsewhere-names.ts";
import { localAt, type Occurrence, occurrencesOf } from "../occurrences.ts";
import { aliasesForAll, aliasesIn, markName } from "../other-names.ts";
import { type PassedOn, passedOn } from "../passed-on.ts";
import { passedOnNames } from "../passed-on-names.ts";
import { importAt, isElement, isTypePlace, qualifierBefore } from "../place-in-code.ts";
import { isPrivate, namespaceOf } from "../visibility.ts";
import { bareName } from "./bare-names.ts";
import { Candidates, inFamily } from "./candidates.ts";
import { HeldFunctions } from "./held-functions.ts";
import { isImportOpen, nameInImport } from "./imported-names.ts";
import { givenByModule, qualifiedName } from "./qualified-names.ts";
import type { FileContext, Question, Resolver } from "./question.ts";
import { Types } from "./types.ts";
import { other, possible, type Verdict } from "./verdict.ts";

export type Sorted = Occurrence & {
  verdict: Verdict;
  /** It stands in an import, and not in code that makes the path of one. */
  isImport: boolean;
};

/**
 * Sorts every occurrence of a name into uses of the definitions asked for, possible uses, and uses of something else.
 * `all` is everything declared under the name, so that the something else can be named.
 */
export class Sorter {
  readonly #question: Question;
  #forAll: Promise<string[]> | undefined;
  #elsewhere: Promise<KnownElsewhere[]> | undefined;
  #passedOn: Promise<PassedOn> | undefined;

  constructor(resolver: Resolver, name: string, asked: readonly Definition[], all: readonly Definition[]) {
    const candidates = new Candidates(name, asked, all);
    this.#question = {
      candidates,
      resolver,
      types: new Types(resolver.project),
      held: new HeldFunctions(resolver, candidates),
    };
  }

  /** Every occurrence in a file, under the name itself or one that an import gives it; undefined when it gets late. */
  async sort(file: ParsedFile, isLate = () => false): Promise<Sorted[] | undefined> {
    const { candidates, resolver } = this.#question;
    const { name: own, asked } = candidates;
    const context = contextOf(file);
    const found: Sorted[] = [];
    if (!context) return found;
    const known = [own, ...(await this.namesForAll())];
    const defaults = await this.defaults();
    const isDefault = (clause: ImportClause) =>
      (defaults.size > 0 || asked.some((d) => d.syntax.default === own)) &&
      mayLeadTo(defaults, resolver.bindings.files(file, clause));
    const aliases = new Set([
      ...aliasesIn(file, context.language, known, { asked, isDefault }),
      ...known,
    ]).difference(new Set([own]));
    const askedHere = new Set(asked.filter((d) => d.file === file.path).map((d) => d.declaration.nameStart));
    for (const name of [own, ...aliases]) {
      for (const occurrence of occurrencesOf(name, file.source, file.syntax)) {
        if (isLate()) return undefined;
        if (askedHere.has(occurrence.offset)) continue;
        const verdict = await verdictOn(this.#question, context, name, occurrence);
        // Under another name, only what is proved counts, or what its import leaves open.
        const clause = importAt(file, occurrence.offset);
        const isImport = clause !== undefined && !isCodeIn(clause, context, name, occurrence.offset);
        const counts = verdict.is === "sure" || (isImportOpen(verdict) && !isImport);
        if (name !== own && !counts) continue;
        found.push({ ...occurrence, ...(isImport && { called: false }), verdict, isImport });
      }
    }
    found.push(...(await this.#elsewhereIn(context)));
    for (const mark of this.#marksIn(context)) {
      const verdict = await verdictOn(this.#question, context, own, mark);
      if (verdict.is !== "other") found.push({ ...mark, verdict, isImport: false });
    }
    return found.sort((a, b) => a.offset - b.offset);
  }

  /** Names that other files give it for all, or for those that import it from them. */
  async namesForAll(isLate = () => false): Promise<string[]> {
    const { candidates, resolver } = this.#question;
    const { project, bindings } = resolver;
    this.#forAll ??= Promise.all([
      aliasesForAll(project, candidates.asked),
      passedOnNames(project, bindings, candidates.asked),
    ]).then((names) => names.flat());
    return [...(await this.#forAll), ...(await this.#given(isLate)).names];
  }

  /** Files that give it as a whole. */
  async defaults(): Promise<ReadonlySet<string>> {
    return (await this.#given()).defaults;
  }

  #given(isLate?: () => boolean): Promise<PassedOn> {
    const { candidates, resolver } = this.#question;
    this.#passedOn ??= passedOn(resolver.project, resolver.bindings, candidates.asked, isLate);
    return this.#passedOn;
  }

  /** Names under which other languages know it. */
  elsewhere(): Promise<KnownElsewhere[]> {
    const { candidates, resolver } = this.#question;
    this.#elsewhere ??= elsewhereNames(resolver.project, candidates.asked);
    return this.#elsewhere;
  }

  /** What is known by another name in this file's language: possible, as a renaming would have to write yet another one. */
  async #elsewhereIn(context: FileContext): Promise<Sorted[]> {
    const { file, language } = context;
    const found: Sorted[] = [];
    for (const { name, languages, candidates, only } of await this.elsewhere()) {
      if (!languages.has(language.name)) continue;
      const question = { ...this.#question, candidates };
      for (const occurrence of occurrencesOf(name, file.source, file.syntax)) {
        const after = file.source.slice(
          occurrence.offset + name.length,
          occurrence.offset + name.length + 40,
        );
        if (importAt(file, occurrence.offset) || occurrence.key || !isUsedSo(only, after)) continue;
        const verdict = await verdictOn(question, { ...context, bareNames: new Map() }, name, occurrence);
        if (verdict.is === "other" || (verdict.is === "possible" && occurrence.receiver === undefined))
          continue;
        const why = verdict.is === "sure" ? `${language.name}'s name for it` : verdict.why;
        const asked = [...this.#question.candidates.asked];
        found.push({ ...occurrence, called: true, verdict: possible(why, asked), isImport: false });
      }
    }
    return found;
  }

  /** `[Mark]` for a type `MarkAttribute`, which it makes one of. */
  #marksIn({ file, language }: FileContext): Occurrence[] {
    const name = language.marks && markName(this.#question.candidates.asked);
    if (!name) return [];
    return occurrencesOf(name, file.source, file.syntax)
      .filter(({ offset }) => language.marks?.isAt(file.source, offset))
      .map((occurrence) => ({ ...occurrence, called: true }));
  }

  /** What one occurrence means. */
  async verdict(file: ParsedFile, occurrence: Occurrence): Promise<Verdict> {
    const { candidates } = this.#question;
    const context = contextOf(file);
    return context
      ? verdictOn(this.#question, context, candidates.name, occurrence)
      : possible("unknown language", [...candidates.asked]);
  }
}

/** Whether an import of these files may be one of the wanted ones: scripts pass on more than is known. */
const mayLeadTo = (wanted: ReadonlySet<string>, files: readonly string[]) =>
  wanted.size === 0 || files.length === 0 || files.some((path) => wanted.has(path));

function contextOf(file: ParsedFile): FileContext | undefined {
  const language = languageNamed(file.syntax.language);
  return language && { file, language, bareNames: new Map() };
}

/** What an occurrence means; a use of a type also tells whether its constructor is called. */
async function verdictOn(
  question: Question,
  context: FileContext,
  name: string,
  occurrence: Occurrence,
): Promise<Verdict> {
  const { constructors } = question.candidates;
  const { file, language } = context;
  const meant = await meaning(question, context, name, occurrence);
  const accessed = orOfAccessor(typeOrFunction(meant, question.candidates, occurrence, language), language);
  const verdict = accessed.is === "sure" ? orDoubtful(context, name, occurrence.offset, accessed) : accessed;
  if (constructors.length === 0 || verdict.is === "other") return verdict;
  if (language.destructorSign && file.source[occurrence.offset - 1] === language.destructorSign)
    return other("the destructor");
  const of = [...constructors];
  if (occurrence.called) return { ...verdict, of };
  // `Store store;`, `Store store(1)`, `Store{1}`.
  return language.typeHints.declarators ? possible("may construct", of) : other(`the type ${name}`);
}

/** What the text around a name leaves open, although the name leads to a declaration. */
function orDoubtful(
  { file: { source, syntax }, language }: FileContext,
  name: string,
  offset: number,
  verdict: Verdict & { is: "sure" },
): Verdict {
  if (isDoubtful(syntax, offset)) return possible("may be in a text", verdict.of);
  if (!language.whyDoubtful) return verdict;
  const end = offset + name.length;
  const why = language.whyDoubtful(
    source.slice(Math.max(0, offset - 200), offset),
    source.slice(end, end + 100),
  );
  return why === undefined ? verdict : possible(why, verdict.of);
}

/** A private field of another language is read and written there through its methods. */
function orOfAccessor(verdict: Verdict, { name }: Language): Verdict {
  const isHidden = (d: Definition) =>
    d.syntax.language !== name && isPrivate(d) && languageNamed(d.syntax.language)?.elsewhere !== undefined;
  return verdict.is === "sure" && verdict.of.every(isHidden)
    ? possible("private there: its methods have the name, too", verdict.of)
    : verdict;
}

async function meaning(
  question: Question,
  context: FileContext,
  name: string,
  occurrence: Occurrence,
): Promise<Verdict> {
  const { candidates } = question;
  const { file, language } = context;
  const { offset } = occurrence;
  if (!inFamily(candidates.asked, language).length) return other(`${language.name} code`);
  if (occurrence.label) return other("a label");
  if (occurrence.longer !== undefined) return other(occurrence.longer);
  const isMark = language.marks?.isAt(file.source, offset) ?? false;
  if (isMark && !candidates.asked.some(({ declaration }) => typeKinds.has(declaration.kind)))
    return other("a mark of a declaration");
  if (language.hasTags && isElement(file.source, offset)) return other("an element");
  if (occurrence.keyword) return other("a keyword");
  const clause = importAt(file, offset);
  // `export { name, a as b }`: only what gets another name is an import.
  const isOwn = clause?.module === "" && !clause.names?.some((pair) => pair.includes(name));
  const isCode = clause !== undefined && isCodeIn(clause, context, name, offset);
  if (clause && !isOwn && !isCode) return nameInImport(question, context, name, offset);
  // `export { remove as delete }`
  const isWord = name !== candidates.name && reserved.test(name);
  if (isWord && occurrence.receiver === undefined) return other("a keyword");
  if (language.privateSign && name.startsWith(language.privateSign))
    return privateName(candidates, file, offset);
  const place = placeOfOtherKind(candidates, context, name, occurrence);
  if (place) return place;
  const before = file.source.slice(Math.max(0, offset - 200), offset);
  const after = file.source.slice(offset + name.length, offset + name.length + 40);
  if (isSetter(candidates, context, occurrence, { before, after })) return other(`${name}=`);
  const ofAny = occurrence.key ? undefined : language.ofAnyReceiver?.(before);
  const members = inFamily(candidates.members, language).filter((d) => candidates.isAsked(d));
  if (ofAny !== undefined && members.length > 0) return possible(ofAny, members);
  const kind = language.kindBetween?.(before, after);
  const isLocal = occurrence.receiver === undefined && localAt(file.syntax, name, offset) !== undefined;
  const ofOtherKind =
    kind !== "variable" && !isLocal ? rivalOfOtherKind(candidates, occurrence, language) : undefined;
  if (ofOtherKind) return ofOtherKind;
  const written = writtenAs(candidates, kind);
  if (written) return written;
  const qualifier = occurrence.methodText ? undefined : qualifierBefore(file, language, offset);
  if (qualifier === "") {
    const globals = inFamily(candidates.tops, language).filter((d) => namespaceOf(d) === "");
    return globals.length > 0
      ? candidates.verdictOn(globals)
      : other(`${language.namespaceSeparator}${name}`);
  }
  // Behind a dot, another name is that of what a module passes on.
  const isPassedOn = language.scoping === "imported" && language.packageIs === undefined;
  if (name !== candidates.name && occurrence.receiver !== undefined && isPassedOn)
    return givenByModule(question, context, name, occurrence);
  if (qualifier !== undefined)
    return qualifiedName(question, context, { ...occurrence, receiver: qualifier, scoped: true });
  // `value.Type::name`: the type that the member is of.
  const isOfMember = language.typesBeforePath && !occurrence.scoped && isBeforePath(after);
  return occurrence.receiver === undefined || isOfMember
    ? bareName(question, context, name, occurrence)
    : qualifiedName(question, context, occurrence);
}

/** Words that scripts give to others as names, and that are none where they stand alone. */
const reserved =
  /^(?:break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with)$/;

/** `#name` is of the innermost class around that declares it. */
function privateName(candidates: Candidates, { path }: ParsedFile, offset: number): Verdict {
  const own = candidates.all.filter((d) => d.file === path);
  const around = (d: Definition) => {
    const type = parentOf(d);
    return type && type.start <= offset && offset < type.end ? type.start : -1;
  };
  const nearest = Math.max(-1, ...own.map(around));
  const meant = own.filter((d) => around(d) === nearest);
  if (nearest >= 0) return candidates.verdictOn(meant);
  // A class without a name is no declaration.
  const asked = meant.filter((d) => candidates.isAsked(d) && !typeKinds.has(parentOf(d)?.kind ?? "func"));
  return asked.length > 0 ? possible("a class without a name", asked) : other("another class");
}

/** Whether a place in an import is code that makes its path: `. "$(find_library)"`, not `. lib/name.sh`; `require "orm/#{NAME}"`. */
function isCodeIn(
  { whole, names, start }: Import,
  { file, language }: FileContext,
  name: string,
  offset: number,
): boolean {
  if (whole === name || names) return false;
  if (language.scoping === "sourced") return isExpanded(file.source.slice(start, offset));
  return language.scoping === "everything" || language.hasUnknownImports === true;
}

/** `$name`, `${name`, `$(name`, `` `name ``. */
const isExpanded = (before: string) =>
  /\$\{?[#!]?$|\$\((?:[^()]|\([^()]*\))*$/.test(before) || before.split("`").length % 2 === 0;

/** Some places only hold types, namespaces or functions: `struct name`, `name::`, `space::name()`. */
function placeOfOtherKind(
  { asked, all }: Candidates,
  { file, language }: FileContext,
  name: string,
  { offset, called, receiver, scoped }: Occurrence,
): Verdict | undefined {
  const isAll = (is: (kind: Kind) => boolean) => asked.every(({ declaration: { kind } }) => is(kind));
  const after = file.source.slice(offset + name.length, offset + name.length + 20);
  const isMember = isAll((kind) => !typeKinds.has(kind));
  if (isMember && isTypePlace({ file, language }, name, offset)) return other("a type");
  // `value.kind()` is never the type `kind` of the value's class; `value.Base::kind()` begins with a type.
  const isOfValue = language.typeHints.declarators && receiver !== undefined && !scoped;
  if (isOfValue && !isBeforePath(after) && isAll((kind) => typeKinds.has(kind))) return other("a member");
  // `: value.Type` begins with a value.
  const isWhole = !/^\s*[.#]/.test(after);
  if (isWhole && language.isTypeAfter?.(file.source.slice(Math.max(0, offset - 20), offset)))
    return asked.some((d) => mayBeType(d, language)) ? undefined : other("a type");
  const hidden =
    language.typesBeforePath && isWhole
      ? typeBehindName(asked, all, language, file.source, offset)
      : undefined;
  if (hidden) return hidden;
  // `struct name` and `name()` may stand in one file.
  const isFunctionToo = all.some(({ declaration: { kind } }) => kind === "func" || kind === "macro");
  if (language.flatTypes && isAll((kind) => typeKinds.has(kind))) {
    if (called && isFunctionToo) return other("a function");
    // `struct name name;`: the bare name is the variable, unless it declares something as a type does.
    const isTag = asked.every(({ declaration: { signature } }) => !/^typedef\b/.test(signature));
    const isVariableToo = all.some(({ declaration: { kind } }) => kind === "var");
    if (isTag && isVariableToo && !language.isDeclarator?.(after)) return other("a variable");
  }
  if (!language.typesBeforePath) return undefined;
  if (language.nameAsText?.test(after)) return undefined;
  if (isBeforePath(after) && isAll((kind) => kind === "func" || kind === "method"))
    return other("a type or namespace");
  return called && isAll((kind) => kind === "module") ? other("a function") : undefined;
}

/** `enum type` and `type()` in one class: the name alone is that of the function, the word before it makes it the type. */
function typeBehindName(
  asked: readonly Definition[],
  all: readonly Definition[],
  language: Language,
  source: string,
  offset: number,
): Verdict | undefined {
  const isType = ({ declaration: { kind } }: Definition) => typeKinds.has(kind);
  const isMemberNamed = ({ declaration: { kind, signature } }: Definition) =>
    (kind === "method" || kind === "field") &&
    !/^(?:friend|typedef|class|struct|union|enum)\b/.test(signature);
  const rivals = asked.map((d) =>
    all.find(
      (one) =>
        (isType(d) ? isMemberNamed(one) : isType(one)) &&
        one.declaration.owner !== undefined &&
        one.declaration.owner === d.declaration.owner &&
        one.file === d.file,
    ),
  );
  const [rival] = rivals;
  if (!rival || rivals.includes(undefined)) return undefined;
  const before = source.slice(Math.max(0, offset - 120), offset).replace(/(?:\w+\s*::\s*)+$/, "");
  const isTypeHere = language.isTypeAfter?.(before) ?? false;
  if (asked.every(isType)) return isTypeHere ? undefined : other(`a ${rival.declaration.kind}`);
  return isTypeHere && !asked.some(isType) ? other("a type") : undefined;
}

/** An enumerator with values of its own is a type in some languages: `case Leaf(size: Int)`. */
const mayBeType = (d: Definition, { bareEnumerators }: Language) =>
  typeKinds.has(d.declaration.kind) || (!bareEnumerators && isEnumerator(d));

/** `name::`, but not `name::<T>()`. */
const isBeforePath = (after: string) => /^\s*::(?!\s*<)/.test(after);

/** A type may have a field and a method of one name: whether it is called tells which is meant. */
function rivalOfOtherKind(
  { asked, all }: Candidates,
  { called, receiver, scoped, key, methodText }: Occurrence,
  language: Language,
): Verdict | undefined {
  const [first] = asked;
  const kind = first?.declaration.kind;
  if (!first || key || (kind !== "field" && kind !== "method")) return undefined;
  // A method of Java is read like a field in Kotlin.
  if (first.syntax.language !== language.name) return undefined;
  // What is assigned takes the place of a method, and a call need not look like one.
  if (language.fieldPrefix !== undefined) return undefined;
  if (receiver === undefined && !language.implicitReceiver) return undefined;
  if (methodText ? kind === "method" : called === (kind === "method") || (scoped && kind === "method"))
    return undefined;
  const rival = kind === "field" ? "method" : "field";
  const isRival = ({ declaration }: Definition) => declaration.kind === rival;
  if (asked.some(isRival)) return undefined;
  const rivals = inFamily(all, language).filter(
    (d) => isRival(d) && d.declaration.owner === first.declaration.owner,
  );
  if (rivals.some((d) => d.file === first.file)) return other(`a ${rival}`);
  // Of another file, it may be of another type with the name.
  return rivals.length > 0 && language.methodsStandIn === "any file"
    ? possible(`a ${rival} has the name, too`, [...asked])
    : undefined;
}

/** `value.name = 1` and `:name=` mean `name=`, and no method that is declared as `name`; `def name=` declares it. */
function isSetter(
  { asked, name }: Candidates,
  { language }: FileContext,
  { receiver }: Occurrence,
  { before, after }: { before: string; after: string },
): boolean {
  if (!language.setters || !/\w$/.test(name) || !/^\s*=(?![=~>])/.test(after)) return false;
  if (after.startsWith("=") && /\bdef\s+(?:self\.)?$/.test(before)) return true;
  const isSymbol = after.startsWith("=") && /(?<!:):["']?$/.test(before);
  return (
    (isSymbol || receiver !== undefined) && asked.every(({ declaration }) => declaration.kind === "method")
  );
}

/** `$name` is no function; a bare word is a variable's name only where a command takes one. */
function writtenAs(
  { asked }: Candidates,
  kind: "variable" | "function or text" | undefined,
): Verdict | undefined {
  const isFunction = asked.every(({ declaration: { kind } }) => kind === "func" || kind === "method");
  if (kind === "variable" && isFunction) return other("a variable");
  return kind === "function or text" && !isFunction ? possible("a bare word", [...asked]) : undefined;
}

/** Where a function has the name of a type: only a call can mean the function, and it can mean either. */
function typeOrFunction(
  verdict: Verdict,
  candidates: Candidates,
  { called }: Occurrence,
  { callsMakeValues }: Language,
): Verdict {
  const mayBeBoth = (d: Definition) => languageNamed(d.syntax.language)?.callsMakeValues;
  if (verdict.is !== "sure" || !verdict.of.some(mayBeBoth)) return verdict;
  const types = verdict.of.filter(({ declaration }) => typeKinds.has(declaration.kind));
  const isBoth = types.length > 0 && verdict.of.some(({ declaration }) => declaration.kind === "func");
  if (!isBoth) return verdict;
  return called && callsMakeValues
    ? possible("a type and a function have the name", verdict.of)
    : candidates.verdictOn(types);
}
