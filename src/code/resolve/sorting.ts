import { type Language, typeKinds } from "../languages/language.ts";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import type { Local } from "../syntax/syntax.ts";
import { qualifiedName } from "../syntax/syntax.ts";
import { type Bindings, declares, type Target } from "./bindings.ts";
import {
  hasHeads,
  isConstructor,
  isEnumerator,
  isMember,
  isModuleFile,
  isNested,
  keyOf,
  lastOwner,
  parentOf,
  placeOfType,
  titleKey,
  told,
} from "./declared.ts";
import type { Definition } from "./definitions.ts";
import { literalType } from "./literal-type.ts";
import { isShorthandAt, localAt, type Occurrence, occurrencesOf } from "./occurrences.ts";
import { importAt, isDirectlyIn, isElement, isVariable, qualifierBefore } from "./place-in-code.ts";
import { type NamedType, receiverType, relatedTypes, typesAround } from "./receivers.ts";
import { namespaceOf, type Visibility } from "./visibility.ts";

/**
 * What is known about one place where a name stands: surely one of these; possibly, since nothing proves or excludes it
 * (why, in a few words); or something else, which is named.
 */
export type Verdict =
  | { is: "sure"; of: Definition[] }
  | { is: "possible"; of: Definition[]; why: string }
  | { is: "other"; of: string };

export type Sorted = Occurrence & { verdict: Verdict };

/** What leads a name to its declaration. */
export interface Resolver {
  project: Project;
  bindings: Bindings;
  visibility: Visibility;
}

const possible = (why: string, of: Definition[]): Verdict => ({ is: "possible", of, why });
const other = (of: string): Verdict => ({ is: "other", of });

/**
 * Sorts every place where a name stands into uses of the definitions asked for, possible uses, and uses of something
 * else. `all` is everything declared under the name, so that the something else can be told.
 */
export class Sorter {
  readonly #resolver: Resolver;
  readonly #name: string;
  readonly #asked: ReadonlySet<string>;
  /** For constructors, their types: how those are used tells where they are called. */
  readonly #askedFor: readonly Definition[];
  readonly #constructors: readonly Definition[];
  readonly #members: readonly Definition[];
  readonly #tops: readonly Definition[];
  readonly #all: readonly Definition[];
  readonly #families = new Map<string, Promise<{ up: Set<string>; down: Set<string> }>>();

  constructor(resolver: Resolver, name: string, asked: readonly Definition[], all: readonly Definition[]) {
    this.#resolver = resolver;
    this.#name = name;
    this.#constructors = asked.every(isConstructor) ? asked : [];
    const types = all.filter(
      (d) =>
        typeKinds.has(d.declaration.kind) &&
        this.#constructors.some((made) => made.declaration.owner === qualifiedName(d.declaration)),
    );
    this.#askedFor = types.length > 0 ? types : asked;
    this.#asked = new Set(this.#askedFor.flatMap((d) => [keyOf(d), titleKey(d)]));
    this.#all = all;
    // Where a type is asked for, its constructor of the same name is the type.
    const isOfType = this.#askedFor.some((d) => typeKinds.has(d.declaration.kind));
    const seen = all.filter((d) => !isNested(d) && !(isOfType && isConstructor(d)));
    // `void space::f() {}` is a function of a namespace when something in that namespace declares it.
    const inSpaces = new Set(
      seen.filter((d) => !isMember(d)).map(({ declaration }) => qualifiedName(declaration)),
    );
    const isTop = (d: Definition) =>
      !isMember(d) ||
      (d.declaration.owner !== undefined &&
        parentOf(d) === undefined &&
        inSpaces.has(qualifiedName(d.declaration)));
    this.#members = seen.filter((d) => !isTop(d));
    this.#tops = seen.filter(isTop);
  }

  /** Every occurrence in a file, under the name itself or one that an import gives it; undefined when it gets late. */
  async sort(file: ParsedFile, isLate = () => false): Promise<Sorted[] | undefined> {
    const language = languageNamed(file.syntax.language);
    const bare = new Map<string, Promise<Verdict>>();
    const found: Sorted[] = [];
    if (!language) return found;
    for (const name of [this.#name, ...this.#aliases(file, language)]) {
      for (const occurrence of occurrencesOf(name, file.source, file.syntax)) {
        if (isLate()) return undefined;
        const verdict = await this.#verdict(file, language, name, occurrence, bare);
        // Under another name, only what is proved counts.
        if (name !== this.#name && verdict.is !== "sure") continue;
        const inImport = importAt(file, occurrence.offset) !== undefined;
        found.push({ ...occurrence, ...(inImport && { called: false }), verdict });
      }
    }
    return found.sort((a, b) => a.offset - b.offset);
  }

  /** What one occurrence means. */
  async verdict(file: ParsedFile, occurrence: Occurrence): Promise<Verdict> {
    const language = languageNamed(file.syntax.language);
    return language
      ? this.#verdict(file, language, this.#name, occurrence, new Map())
      : possible("unknown language", [...this.#askedFor]);
  }

  async #verdict(
    file: ParsedFile,
    language: Language,
    name: string,
    occurrence: Occurrence,
    bare: Map<string, Promise<Verdict>>,
  ): Promise<Verdict> {
    const verdict = await this.#meaning(file, language, name, occurrence, bare);
    if (this.#constructors.length === 0 || verdict.is === "other") return verdict;
    if (file.source[occurrence.offset - 1] === "~") return other("the destructor");
    const of = [...this.#constructors];
    if (occurrence.called) return { ...verdict, of };
    // `Store store;`, `Store store(1)`, `Store{1}`.
    return language.typeHints.declarators ? possible("may construct", of) : other(`the type ${name}`);
  }

  async #meaning(
    file: ParsedFile,
    language: Language,
    name: string,
    occurrence: Occurrence,
    bare: Map<string, Promise<Verdict>>,
  ): Promise<Verdict> {
    if (!this.#inFamily(this.#askedFor, language).length) return other(`${language.name} code`);
    if (occurrence.label) return other("a label");
    if (language.hasTags && isElement(file.source, occurrence.offset)) return other("an element");
    if (occurrence.keyword) return other("a keyword");
    if (importAt(file, occurrence.offset)) return this.#inImport(file, language, name, occurrence.offset);
    if (this.#isOfOtherKind(occurrence, language)) return other(occurrence.called ? "a method" : "a field");
    const qualifier = qualifierBefore(file, language, occurrence.offset);
    if (qualifier === "") {
      const globals = this.#inFamily(this.#tops, language).filter((d) => namespaceOf(d) === "");
      return globals.length > 0 ? this.#resolved(globals) : other(`${language.namespaceSeparator}${name}`);
    }
    if (occurrence.receiver === undefined && qualifier === undefined)
      return this.#bare(file, language, name, occurrence, bare);
    return this.#qualified(
      file,
      language,
      qualifier === undefined ? occurrence : { ...occurrence, receiver: qualifier, scoped: true },
      bare,
    );
  }

  /** A type may have a field and a method of one name: whether it is called tells which is meant. */
  #isOfOtherKind({ called, receiver, scoped, key }: Occurrence, language: Language): boolean {
    const [first] = this.#askedFor;
    const kind = first?.declaration.kind;
    if (!first || key || (kind !== "field" && kind !== "method")) return false;
    if (receiver === undefined && !language.implicitReceiver) return false;
    const rival = kind === "field" ? "method" : "field";
    const hasBoth = this.#all.some(
      (d) =>
        d.file === first.file &&
        d.declaration.owner === first.declaration.owner &&
        d.declaration.kind === rival,
    );
    return hasBoth && called !== (kind === "method") && !(scoped && kind === "method");
  }

  /** The names that a file may call it by, besides its own. */
  #aliases({ syntax }: ParsedFile, language: Language): string[] {
    const isDefault = this.#askedFor.some((d) => d.syntax.default === this.#name);
    const spaces = new Set(this.#askedFor.map((d) => `${namespaceOf(d)}.${this.#name}`));
    const found = new Set<string>();
    for (const { module, names, whole } of syntax.imports) {
      for (const [imported, alias] of names ?? [])
        if (imported === this.#name || (isDefault && imported === "default")) found.add(alias);
      if (whole && isDefault && /^[./]/.test(module)) found.add(whole);
      if (whole && language.scoping === "namespaced" && spaces.has(module.replaceAll("\\", ".")))
        found.add(whole);
    }
    found.delete(this.#name);
    return [...found];
  }

  async #inImport(file: ParsedFile, language: Language, name: string, offset: number): Promise<Verdict> {
    const clauses = file.syntax.imports.filter((clause) => clause.start <= offset && offset < clause.end);
    if (language.scoping !== "imported") {
      const sure: Definition[] = [];
      for (const d of this.#inFamily(this.#tops, language))
        if ((await this.#resolver.visibility.sight(file, d)) === "sure") sure.push(d);
      return sure.length > 0 && name === this.#name
        ? this.#resolved(sure)
        : this.#elsewhere(file, clauses[0]?.module);
    }
    const found: Target[] = [];
    for (const clause of clauses) {
      const pair = clause.names?.find(([imported, alias]) => imported === name || alias === name);
      if (!pair) continue;
      const passedOn = { path: file.path, syntax: { ...file.syntax, declarations: [], imports: [clause] } };
      found.push(...(await this.#resolver.bindings.targets(passedOn, pair[1])));
    }
    if (found.length > 0) return this.#resolved(this.#definitionsAt(found), clauses[0]?.module);
    // A part of the path: `import static a.Item.count`.
    const paths = clauses.flatMap((clause) => this.#resolver.bindings.files(file, clause));
    const onPath = this.#tops.filter((d) => paths.includes(d.file));
    if (onPath.length > 0 && name === this.#name) return this.#resolved(onPath);
    return this.#elsewhere(file, clauses[0]?.module);
  }

  /** Led by an import to nothing known: outside the workspace, unless its path could be that of what was asked for. */
  #elsewhere(file: ParsedFile, module = ""): Verdict {
    const last =
      module
        .split(/[./\\:]+/)
        .filter(Boolean)
        .at(-1) ?? "";
    const isRelative = /^[.]|^(?:crate|self|super)\b/.test(module);
    const near = this.#askedFor.filter(
      (d) =>
        isRelative ||
        d.file.split(/[./]/).includes(last) ||
        d.syntax.package?.split(/[.\\]/).includes(last) ||
        d.declaration.owner?.split(".").includes(last) ||
        last === this.#name,
    );
    const sameLanguage = near.filter(
      (d) => familyOfLanguage(d.syntax.language) === familyOfLanguage(file.syntax.language),
    );
    return sameLanguage.length > 0
      ? possible("import not resolved", sameLanguage)
      : other(module || "an import");
  }

  async #bare(
    file: ParsedFile,
    language: Language,
    name: string,
    occurrence: Occurrence,
    cache: Map<string, Promise<Verdict>>,
  ): Promise<Verdict> {
    const { offset, key } = occurrence;
    const isShorthand = language.shorthandKeys === true && isShorthandAt(file.source, offset, name.length);
    const isValue = this.#askedFor.some((d) => !isMember(d) && !typeKinds.has(d.declaration.kind));
    const isKey = key && !(language.keysAreExpressions && isValue);
    if (isKey || (isShorthand && this.#askedFor.some(isMember))) return this.#key(file, language, offset);
    const local = localAt(file.syntax, name, offset);
    const isTypeHere =
      language.typeHints.declarators &&
      this.#askedFor.every((d) => typeKinds.has(d.declaration.kind)) &&
      /^(?:\s*[*&])*\s*[A-Za-z_]\w*\s*[;=,)[(]/.test(
        file.source.slice(offset + name.length, offset + name.length + 200),
      );
    if (local && !isTypeHere) return this.#localName(file, language, name, offset, local);
    if (language.isCaseLabel?.(file.source.slice(Math.max(0, offset - 200), offset))) {
      const enumerators = this.#inFamily(this.#askedFor, language).filter(
        (d) => parentOf(d)?.kind === "enum",
      );
      if (enumerators.length > 0) return possible("a case label", enumerators);
    }
    const around = typesAround(file.syntax, offset);
    if (language.implicitReceiver || (!language.membersBehindDot && isDirectlyIn(file, offset))) {
      for (const type of around) {
        const verdict = await this.#ofType(file, language, { name: type, rest: "" }, { implicit: true });
        if (verdict) return verdict;
      }
    }
    let meaning = cache.get(name);
    if (!meaning) {
      meaning =
        language.scoping === "imported"
          ? this.#importedName(file, language, name)
          : this.#seenName(file, language, name);
      cache.set(name, meaning);
    }
    const verdict = await meaning;
    if (verdict.is === "other" && language.implicitReceiver && verdict.of === noSuchName) {
      const members = this.#inFamily(this.#askedFor.filter(isMember), language);
      if (members.length > 0 && (around.length > 0 || language.dynamic))
        return possible("may be inherited", members);
    }
    return verdict;
  }

  /** Bound in a function: by a declaration that was asked for, by another one, or by a variable. */
  #localName(file: ParsedFile, language: Language, name: string, offset: number, local: Local): Verdict {
    const sameScope = file.syntax.locals
      .filter(([known, , start, end]) => known === name && start === local[2] && end === local[3])
      .map(([, at]) => at);
    const nested = this.#all.filter(
      (d) => d.file === file.path && sameScope.includes(d.declaration.nameStart),
    );
    if (nested.some((d) => this.#asked.has(keyOf(d)))) return { is: "sure", of: nested };
    if (nested[0]) return other(`${told(nested[0])} in line ${nested[0].declaration.line}`);
    const tops = this.#inFamily(this.#askedFor, language).filter((d) => !isMember(d));
    const isTakenOut =
      language.shorthandKeys === true &&
      local[1] === offset &&
      /^[^{}]*\}\s*=\s*await\b/.test(file.source.slice(offset, offset + 400));
    // `const { name } = await load()`: of a module, perhaps.
    return isTakenOut && tops.length > 0
      ? possible("taken out of an object", tops)
      : other("a local variable");
  }

  /** Where names are imported one by one, or come with their package. */
  async #importedName(file: ParsedFile, language: Language, name: string): Promise<Verdict> {
    const { bindings } = this.#resolver;
    const targets = await bindings.targets(file, name);
    const led = this.#definitionsAt(targets);
    const variants = this.#spreadOut(file, language);
    if (led.length > 0 && variants.length > 0) return possible("an enumerator has the name, too", variants);
    if (led.length > 0) return this.#resolved(led);
    const tops = this.#inFamily(this.#tops, language);
    const near =
      name === this.#name ? tops.filter((d) => bindings.sharesPackage(file, d.file, d.syntax)) : [];
    if (near.length > 0) return this.#resolved(near);
    const clause = file.syntax.imports.find(
      (one) => one.whole === name || one.names?.some(([, alias]) => alias === name),
    );
    if (clause) return this.#elsewhere(file, clause.module);
    if (declares(file.syntax, name)) return other(file.path);
    if (language.packageIs === "folder") return other(noSuchName);
    const unseen = tops.filter((d) => this.#asked.has(keyOf(d)));
    const static_ = this.#askedFor.filter((d) => isMember(d) && d.declaration.kind === "const");
    const maybe = [...unseen, ...this.#inFamily(static_, language)];
    return maybe.length > 0 ? possible("no import of it seen", maybe) : other(noSuchName);
  }

  /** `use Kind::*` brings enumerators into sight, beside a type of the same name: what was asked for, if it may be either. */
  #spreadOut({ syntax }: ParsedFile, language: Language): Definition[] {
    const owners = new Set(
      syntax.imports.filter(({ wildcard }) => wildcard).map(({ module }) => module.split(/\.|::/).at(-1)),
    );
    const spread = this.#inFamily(this.#members, language).filter(
      (d) => isEnumerator(d) && owners.has(lastOwner(d)),
    );
    return spread.length > 0 ? this.#inFamily(this.#askedFor, language) : [];
  }

  /** Where whole files, namespaces or everything is in sight. */
  async #seenName(file: ParsedFile, language: Language, name: string): Promise<Verdict> {
    const tops = this.#inFamily(this.#tops, language);
    if (name !== this.#name) return this.#resolved(tops);
    const sure: Definition[] = [];
    const maybe: Definition[] = [];
    // What was asked for first: how the many others of a common name are seen matters only when that is not sure.
    for (const d of tops.toSorted(
      (x, y) => Number(this.#asked.has(keyOf(y))) - Number(this.#asked.has(keyOf(x))),
    )) {
      const isDecided = sure.some((one) => !one.declaration.bodiless) && !language.overloads;
      if (isDecided && !this.#asked.has(keyOf(d)) && d.file !== file.path) continue;
      const sight = await this.#resolver.visibility.sight(file, d);
      if (sight === "sure") sure.push(d);
      else if (sight === "by name") maybe.push(d);
    }
    // What only a head declares may be defined anywhere.
    if (sure.every((d) => d.declaration.bodiless) && maybe.some((d) => this.#asked.has(keyOf(d))))
      return possible("only the name agrees", maybe);
    const overloaded = this.#overloaded(sure, language);
    if (overloaded) return overloaded;
    const own = sure.filter((d) => d.file === file.path);
    if (sure.length > 0) return this.#resolved(own.length > 0 && !hasHeads(own) ? own : sure);
    if (maybe.some((d) => this.#asked.has(keyOf(d)))) return possible("only the name agrees", maybe);
    return other(maybe[0] ? told(maybe[0]) : noSuchName);
  }

  /** Seen are functions of several files, of which the arguments choose one. */
  #overloaded(seen: readonly Definition[], language: Language): Verdict | undefined {
    if (!language.overloads) return undefined;
    const functions = seen.filter((d) => d.declaration.kind === "func" && !d.declaration.bodiless);
    const asked = functions.filter((d) => this.#asked.has(keyOf(d)) || this.#asked.has(titleKey(d)));
    const rival = functions.find((d) => !asked.includes(d));
    return asked.length > 0 && rival ? possible(`overloaded in ${rival.file}`, asked) : undefined;
  }

  /** Behind a dot: of a module, a namespace, or a value of some type. */
  async #qualified(
    file: ParsedFile,
    language: Language,
    occurrence: Occurrence,
    cache: Map<string, Promise<Verdict>>,
  ): Promise<Verdict> {
    const { receiver = "", offset, scoped, chained } = occurrence;
    // `::name` is a name of no namespace; `<T as X>::name` is not.
    const isGlobal =
      receiver === "" && scoped && !/[>)\]]/.test(file.source[(occurrence.receiverEnd ?? 0) - 1] ?? "");
    if (isGlobal) return this.#bare(file, language, this.#name, { offset, called: occurrence.called }, cache);
    const isPath = scoped === true && language.separator === "::";
    const isLocal = receiver !== "" && chained === undefined && !isPath && isVariable(file, receiver, offset);
    const spaceless = scoped && receiver !== "std" ? this.#withoutNamespace(language) : [];
    if (receiver !== "" && !isLocal) {
      const module = await this.#inModule(file, language, receiver, chained);
      if (module && (module.is !== "other" || spaceless.length === 0)) return module;
      if (spaceless.length > 0) return possible(`may be in ${receiver}`, spaceless);
    }
    const type =
      (await this.#receiverType(file, language, occurrence)) ??
      (isPath ? await this.#outsideType(receiver, language) : undefined);
    const isQualified = scoped === true && chained !== undefined && chained !== "";
    const typed = type && (await this.#ofType(file, language, type, { isQualified }));
    // Where types are only tables, what one of them is made from is not known.
    const isTable =
      type &&
      language.dynamic &&
      typesAround(file.syntax, offset).includes(type.name) &&
      (await this.#typesNamed(type.name, language)).length === 0;
    if (typed && !(isTable && typed.is === "other")) return typed;
    // A type parameter stands for any type.
    const isParameter = isPath && localAt(file.syntax, receiver, offset) !== undefined;
    const isOutside = scoped && !isLocal && !isParameter && receiver !== "" && !type;
    if (isOutside && (await this.#typesNamed(receiver, language)).length === 0)
      return other(`${receiver}${language.separator}${this.#name}`);
    const held = this.#inFamily(this.#members, language);
    const candidates = language.dynamic ? [...held, ...this.#inFamily(this.#tops, language)] : held;
    const wanted = candidates.filter((d) => this.#asked.has(keyOf(d)));
    return wanted.length > 0 ? possible("unknown receiver", candidates) : other("a member of something else");
  }

  /** A type of elsewhere that is given a parent here: `impl Vector for u128`. */
  async #outsideType(name: string, language: Language): Promise<NamedType | undefined> {
    for (const d of this.#inFamily(this.#askedFor.filter(isMember), language))
      if ((await this.#family(lastOwner(d))).down.has(name)) return { name, rest: "" };
    return undefined;
  }

  /** A macro may open the namespace that something is in. */
  #withoutNamespace(language: Language): Definition[] {
    if (language.scoping !== "included") return [];
    return this.#inFamily(this.#askedFor, language).filter(
      (d) => !isMember(d) && d.declaration.owner === undefined,
    );
  }

  /** The receiver's type by its own name: `import { A as B }` and `const B = require("./a")` give it another one. */
  async #receiverType(
    file: ParsedFile,
    language: Language,
    occurrence: Occurrence,
  ): Promise<NamedType | undefined> {
    const type = await receiverType(this.#resolver.project, file, occurrence);
    if (!type || (await this.#typesNamed(type.name, language)).length > 0) return type;
    const { bindings } = this.#resolver;
    const [target] = await bindings.targets(file, type.name);
    if (target && target.name !== type.name) return { ...type, name: target.name };
    const clause = file.syntax.imports.find(
      (one) => one.whole === type.name || one.names?.some(([, alias]) => alias === type.name),
    );
    // A module of the workspace that does not say what it gives under this name.
    return clause && bindings.files(file, clause).length > 0 ? undefined : type;
  }

  async #inModule(
    file: ParsedFile,
    language: Language,
    receiver: string,
    chained: string | undefined,
  ): Promise<Verdict | undefined> {
    const { bindings, visibility } = this.#resolver;
    if (language.scoping === "imported" || language.dynamic) {
      const led = this.#definitionsAt(await bindings.memberTargets(file, receiver, this.#name));
      if (led.length > 0) return this.#resolved(led);
      const whole = chained === undefined && file.syntax.imports.find((clause) => clause.whole === receiver);
      if (whole && bindings.files(file, whole).length === 0) return this.#elsewhere(file, whole.module);
      if (whole && !language.dynamic) return other(whole.module);
      const required = whole ? bindings.files(file, whole) : [];
      const inFile = this.#all.filter((d) => required.includes(d.file));
      if (inFile.length > 0) return this.#resolved(inFile);
    }
    const isRoot = language.importStyle === "rust" && /^(?:crate|self|super)$/.test(receiver);
    if (isRoot && chained === undefined) {
      const led = this.#definitionsAt(await bindings.pathTargets(file, receiver, this.#name));
      if (led.length > 0) return this.#resolved(led);
    }
    const spaced = this.#inFamily(this.#tops, language).filter(
      (d) =>
        lastOwner(d) === receiver ||
        (isEnumerator(d) && d.declaration.owner?.split(".").at(-2) === receiver) ||
        isModuleFile(d, language, receiver) ||
        d.syntax.package?.split(/[.\\]/).at(-1) === receiver,
    );
    const reachable: Definition[] = [];
    for (const d of spaced) {
      const isSeen =
        language.scoping === "imported" ||
        language.scoping === "namespaced" ||
        (await visibility.sight(file, d)) !== "no";
      if (isSeen) reachable.push(d);
    }
    const overloaded = this.#overloaded(reachable, language);
    if (overloaded) return overloaded;
    // Modules of one name in several folders: the name before tells which, if anything does.
    const inFolder = reachable.filter(({ file: home }) => chained && home.includes(`${chained}/${receiver}`));
    const meant = inFolder.length > 0 ? inFolder : reachable;
    const asked = meant.filter((d) => this.#asked.has(keyOf(d)));
    const isOneOfMany =
      language.importStyle === "rust" &&
      meant.some((d) => d.file !== asked[0]?.file && !d.declaration.bodiless);
    if (asked.length > 0 && isOneOfMany) return possible(`several modules are called ${receiver}`, asked);
    return meant.length > 0 ? this.#resolved(meant) : undefined;
  }

  /** A member of a type that is known by name; undefined when the type has no such member that is known. */
  async #ofType(
    file: ParsedFile,
    language: Language,
    { name: type, rest }: NamedType,
    { implicit = false, isQualified = false },
  ): Promise<Verdict | undefined> {
    const members = this.#inFamily(this.#members, language);
    const direct = members.filter((d) => lastOwner(d) === type);
    let isAnotherType = false;
    if (direct.length > 0) {
      const { meant, unsure } = await this.#visible(file, type, direct, isQualified);
      const isAsked = meant.some((d) => this.#asked.has(keyOf(d)));
      if (isAsked && unsure && meant.some((d) => !this.#asked.has(keyOf(d)) && !this.#asked.has(titleKey(d))))
        return possible(`several types are called ${type}`, meant);
      if (isAsked) return this.#resolved(meant);
      isAnotherType = !unsure && language.scoping !== "included";
    }
    for (const d of members.filter((one) => this.#asked.has(keyOf(one)))) {
      if (isAnotherType && lastOwner(d) === type) continue;
      const { up, down } = await this.#family(lastOwner(d));
      if (down.has(type) && direct.length === 0) return { is: "sure", of: [d] };
      if (down.has(type)) return possible(`overridden in ${type}`, [d]);
      if (up.has(type)) return possible(`through ${type}`, [d]);
      if (lastOwner(d) !== "" && wordIn(rest, lastOwner(d))) return possible(`held by ${type}`, [d]);
    }
    if (implicit) return direct.length > 0 ? this.#resolved(direct) : undefined;
    const [named] = await this.#typesNamed(type, language);
    const isInterface = named?.declaration.kind === "interface";
    if (direct.length > 0)
      return language.structural && isInterface
        ? possible(`through ${type}`, [...this.#askedFor])
        : other(`${type}.${this.#name}`);
    if (named) {
      const { up } = await this.#family(type);
      const inherited = members.filter((d) => up.has(lastOwner(d)));
      if (inherited.length > 0) return this.#resolved(inherited);
    }
    const isAlias =
      named?.declaration.kind === "type" &&
      /^(?:export\s+)?(?:type|typedef|using|pub type)\b/.test(named.declaration.signature);
    if (isAlias || (named && this.#askedFor.some(isMember)))
      return possible(`${type} not followed`, [...this.#askedFor]);
    return other(`${type}.${this.#name}`);
  }

  /** `{ name: … }`, `f(name=…)`: a field, when what is made there is of its type. */
  async #key(file: ParsedFile, language: Language, offset: number): Promise<Verdict> {
    const fields = this.#inFamily(this.#members, language);
    const type = literalType(file.source, offset);
    if (type) {
      const own = fields.filter((d) => lastOwner(d) === type);
      const { meant, unsure } = await this.#visible(file, type, own);
      if (own.length > 0 && !unsure) return this.#resolved(meant);
    }
    const asked = fields.filter((d) => this.#asked.has(keyOf(d)));
    return asked.length > 0 ? possible("a key", asked) : other("a key or argument name");
  }

  /** Of several types with one name, those that the file sees. */
  async #visible(
    file: ParsedFile,
    type: string,
    direct: Definition[],
    isQualified = false,
  ): Promise<{ meant: Definition[]; unsure: boolean }> {
    if (new Set(direct.flatMap((d) => placeOfType(d) ?? [])).size < 2)
      return { meant: direct, unsure: false };
    // `other::Type` is none that the file sees by its bare name.
    if (isQualified) return { meant: direct, unsure: true };
    const own = direct.filter((d) => d.file === file.path && placeOfType(d) !== undefined);
    if (own.length > 0) return { meant: own, unsure: false };
    const targets = await this.#resolver.bindings.targets(file, type);
    const seen = direct.filter(
      (d) =>
        targets.some((target) => target.file === d.file) ||
        this.#resolver.bindings.sharesPackage(file, d.file, d.syntax),
    );
    return seen.length > 0 ? { meant: seen, unsure: false } : { meant: direct, unsure: true };
  }

  async #typesNamed(name: string, language: Language): Promise<Definition[]> {
    const { project } = this.#resolver;
    for (const file of project.declaring(name)) {
      if (familyOfLanguage(file.language) !== familyOfLanguage(language.name)) continue;
      const syntax = await project.syntax(file);
      const declaration = syntax?.declarations.find(
        (d) => d.name === name && (typeKinds.has(d.kind) || d.kind === "module"),
      );
      if (syntax && declaration) return [{ file: file.path, declaration, syntax, distance: 0 }];
    }
    return [];
  }

  #family(type: string): Promise<{ up: Set<string>; down: Set<string> }> {
    let family = this.#families.get(type);
    if (!family) {
      const { project } = this.#resolver;
      family = (async () => {
        const up = await relatedTypes(project, type, "up");
        const down = await relatedTypes(project, type, "down");
        up.delete(type);
        return { up, down };
      })();
      this.#families.set(type, family);
    }
    return family;
  }

  #definitionsAt(targets: readonly Target[]): Definition[] {
    const at = (list: readonly Definition[]) =>
      list.filter((d) => targets.some(({ file, name }) => d.file === file && d.declaration.name === name));
    const tops = at(this.#tops);
    return tops.length > 0 ? tops : at(this.#members);
  }

  #inFamily<T extends Definition>(list: readonly T[], language: Language): T[] {
    const family = familyOfLanguage(language.name);
    return list.filter((d) => familyOfLanguage(d.syntax.language) === family);
  }

  #resolved(found: Definition[], elsewhere?: string): Verdict {
    if (found.some((d) => this.#asked.has(keyOf(d)) || this.#asked.has(titleKey(d))))
      return { is: "sure", of: found };
    const [first] = found;
    return other(first ? told(first) : (elsewhere ?? noSuchName));
  }
}

const noSuchName = "a name from elsewhere";

const wordIn = (text: string, word: string) => text.split(/[^\p{L}\p{N}_$]+/u).includes(word);
