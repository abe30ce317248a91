import { type ImportClause, type Kind, type Language, typeKinds } from "../../languages/language.ts";
import { languageNamed } from "../../languages/languages.ts";
import type { ParsedFile } from "../../project/project.ts";
import { type Import, isDoubtful } from "../../syntax/syntax.ts";
import { isEnumerator, parentOf } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import { localAt, type Occurrence, occurrencesOf } from "../occurrences.ts";
import { aliasesForAll, aliasesIn, markName } from "../other-names.ts";
import { type PassedOn, passedOn } from "../passed-on.ts";
import { importAt, isElement, isTypePlace, qualifierBefore } from "../place-in-code.ts";
import { namespaceOf } from "../visibility.ts";
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
    for (const mark of this.#marksIn(context)) {
      const verdict = await verdictOn(this.#question, context, own, mark);
      if (verdict.is !== "other") found.push({ ...mark, verdict, isImport: false });
    }
    return found.sort((a, b) => a.offset - b.offset);
  }

  /** Names that one file gives it for all others, too. */
  async namesForAll(isLate = () => false): Promise<string[]> {
    const { candidates, resolver } = this.#question;
    this.#forAll ??= aliasesForAll(resolver.project, candidates.asked);
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
  const resolved = typeOrFunction(meant, question.candidates, occurrence, language);
  const mayBeText = resolved.is === "sure" && isDoubtful(file.syntax, occurrence.offset);
  const verdict = mayBeText ? possible("may be in a text", resolved.of) : resolved;
  if (constructors.length === 0 || verdict.is === "other") return verdict;
  if (language.destructorSign && file.source[occurrence.offset - 1] === language.destructorSign)
    return other("the destructor");
  const of = [...constructors];
  if (occurrence.called) return { ...verdict, of };
  // `Store store;`, `Store store(1)`, `Store{1}`.
  return language.typeHints.declarators ? possible("may construct", of) : other(`the type ${name}`);
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
  if (name !== candidates.name && occurrence.receiver !== undefined && language.scoping === "imported")
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
  { offset, called }: Occurrence,
): Verdict | undefined {
  const isAll = (is: (kind: Kind) => boolean) => asked.every(({ declaration: { kind } }) => is(kind));
  const after = file.source.slice(offset + name.length, offset + name.length + 20);
  const isMember = isAll((kind) => !typeKinds.has(kind));
  if (isMember && isTypePlace({ file, language }, name, offset)) return other("a type");
  // `: value.Type` begins with a value.
  const isWhole = !/^\s*[.#]/.test(after);
  if (isWhole && language.isTypeAfter?.(file.source.slice(Math.max(0, offset - 20), offset)))
    return asked.some((d) => mayBeType(d, language)) ? undefined : other("a type");
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
