import { posix } from "node:path";
import { type Language, typeKinds } from "../languages/language.ts";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { isAssignedField } from "../syntax/assignments.ts";
import { type Declaration, enclosing, type FileSyntax, type Local } from "../syntax/syntax.ts";
import { assignedType } from "./assigned-fields.ts";
import { isSetToOthers } from "./assigned-values.ts";
import { castBefore, declarationBefore, declaratorType, initialized, variableBefore } from "./declarators.ts";
import { holdersOf } from "./definitions.ts";
import { agreed, heldType, type NamedType, unwrapped } from "./named-type.ts";
import { localAt, type Occurrence } from "./occurrences.ts";
import { childrenOf, parentsOf } from "./parents.ts";
import { assignmentsIn, isNothing, valuesAt } from "./several-values.ts";

const isSelf = (word: string) => /^(?:this|self|cls|Self|super|parent|static|base)$/.test(word);

/** Whether a word before a dot is the value or type around: `parent` is a variable's name in most languages, and `$parent` in all. */
const isOwnWord = (word: string, { selfWords, sigil }: Language, scoped = false) =>
  /^(?:this|self|cls|Self|super)$/.test(word) ||
  (selfWords?.has(word) === true && (sigil === undefined || scoped));

/** The names of the types around an offset, innermost first. */
export function typesAround(syntax: FileSyntax, offset: number): string[] {
  const around = enclosing(syntax, offset);
  const type = around && (typeKinds.has(around.kind) ? around.name : fixtureOf(around));
  const path =
    around && type !== undefined
      ? [around.owner, type].filter(Boolean).join(".")
      : (around ?? ownedAround(syntax, offset))?.owner;
  return path?.split(".").toReversed() ?? [];
}

/** `TEST_F(Fixture, name) {` in C++: its body is one of a method of the fixture. */
const fixtureOf = ({ name, signature }: Declaration) =>
  /^[A-Z][A-Z0-9_]+$/.test(name) ? /^[A-Z0-9_]+\(\s*([A-Za-z_]\w*)\s*,/.exec(signature)?.[1] : undefined;

/** A property whose type is declared elsewhere: one of an extension. */
const ownedAround = ({ declarations }: FileSyntax, offset: number) =>
  declarations.findLast((d) => d.owner !== undefined && d.start <= offset && offset < d.end);

/**
 * The type that a receiver is said to have: the type around it for `this`, the name itself for a type, and what the
 * binding of a variable or the function that made it says. Undefined when that is not to be seen; never a guess.
 */
export async function receiverType(
  project: Project,
  file: ParsedFile,
  occurrence: Occurrence,
): Promise<NamedType | undefined> {
  const found = await writtenType(project, file, occurrence);
  const language = languageNamed(file.syntax.language);
  const written = found && isTried(file, occurrence) ? heldBy(found, language) : found;
  // `let one = Self { … }`, `$one = new static()`
  const isOwn = written !== undefined && language !== undefined && isOwnWord(written.name, language, true);
  const type = isOwn ? selfType(typesAround(file.syntax, occurrence.offset)) : written;
  // `input: I` says what the type parameter stands for, which is anything.
  const isParameter =
    type && type.name !== occurrence.receiver && localAt(file.syntax, type.name, occurrence.offset);
  if (isParameter) return undefined;
  return type?.holder !== undefined && isOfHolder(file, occurrence) ? { name: type.holder, rest: "" } : type;
}

/** `pointer.reset()` is a member of the pointer, `pointer->save()` one of what it points to. */
function isOfHolder({ source, syntax }: ParsedFile, { offset, receiverEnd = 0 }: Occurrence): boolean {
  const language = languageNamed(syntax.language);
  const isHeld = source[receiverEnd - 1] === "]" || variableBefore(source, receiverEnd) !== undefined;
  return (
    language?.memberOperators?.includes("->") === true &&
    !isHeld &&
    /[^.]\.\s*$/.test(source.slice(Math.max(0, offset - 20), offset))
  );
}

/** `read()?.name` */
const isTried = ({ source, syntax }: ParsedFile, { receiverEnd = 0 }: Occurrence) =>
  languageNamed(syntax.language)?.tried !== undefined && source[receiverEnd] === "?";

/** What a question mark takes out of a value. */
function heldBy({ name, rest }: NamedType, language: Language | undefined): NamedType | undefined {
  if (!language?.tried?.has(name)) return undefined;
  const held = heldType.exec(rest);
  const type = held?.[1] && unwrapped(held[1], rest.slice(held[0].length), language);
  return type ? vagueless(type, language) : undefined;
}

async function writtenType(
  project: Project,
  file: ParsedFile,
  {
    receiver,
    receiverEnd,
    offset,
    chained,
    scoped,
  }: Pick<Occurrence, "receiver" | "receiverEnd" | "offset" | "chained" | "scoped">,
): Promise<NamedType | undefined> {
  const { syntax } = file;
  const language = languageNamed(syntax.language);
  if (receiver === undefined || !language) return undefined;
  const around = typesAround(syntax, offset);
  if (receiver === "") {
    const made = await madeBefore(project, file, receiverEnd ?? offset, language);
    if (made) return isSelf(made.name) ? selfType(around) : made;
    return language.typeHints.declarators
      ? bracketedType(project, file, { receiverEnd: receiverEnd ?? offset, offset })
      : undefined;
  }
  if (chained === undefined && isOwnWord(receiver, language, scoped)) return selfType(around);
  if (scoped && (await isType(project, receiver, language))) return { name: receiver, rest: "" };
  // `Outer.this.name`; `Type.Companion.name`, where what a companion has is the type's.
  if (chained && receiver === "this" && around.includes(chained)) return { name: chained, rest: "" };
  if (chained && receiver === "Companion" && (await isType(project, chained, language)))
    return { name: chained, rest: "" };
  if (chained !== undefined) {
    // `a->b->name`: b is no variable, but what its type declares.
    if (language.typeHints.declarators) return typeOfAll(project, receiver, "field", language);
    if (receiver === "new" && language.newMakesValues)
      return (await isType(project, chained, language)) ? { name: chained, rest: "" } : undefined;
    if (isOwnWord(chained, language))
      return language.fieldPrefix === undefined
        ? memberType(project, receiver, around, language)
        : fieldOfSelf(project, file, receiver, around);
    if (!(await isType(project, receiver, language))) return undefined;
    const isOfPackage =
      language.packageIs === "folder" && syntax.imports.some(({ whole }) => whole === chained);
    return { name: receiver, rest: "", ...(isOfPackage && { space: chained, file: file.path }) };
  }
  if (language.fieldPrefix === "@" && file.source[(receiverEnd ?? 0) - receiver.length - 1] === "@")
    return fieldOfSelf(project, file, receiver, around);
  // `name::` leads into a type or module, whatever variable or constructor has the name.
  const isPath = scoped === true && language.separator === "::";
  const bound = isPath ? undefined : localAt(syntax, receiver, offset);
  // A type that a function declares.
  const isOwnType = syntax.declarations.some((d) => d.nameStart === bound?.[1] && typeKinds.has(d.kind));
  if (isOwnType) return { name: receiver, rest: "" };
  if (bound) {
    const same = syntax.locals.filter(([name, , , end]) => name === receiver && end === bound[3]);
    const places = same.map(([, at]) => at);
    if (language.typesAreTables) places.push(...assignmentsIn(file.source, receiver, bound[1], bound[3]));
    const type = await typeOfVariable(project, file, { name: receiver, offset, places, bound: bound[1] });
    if (type) return isSetToOthers(file.source, bound, type, language) ? undefined : type;
    return language.bindsItself && boundType(project, file, bound, language);
  }
  const declared = syntax.declarations.filter(
    (d) =>
      d.name === receiver &&
      d.kind !== "macro" &&
      !d.owner?.includes("(") &&
      // `$name` is no `$this->name`.
      !((language.sigil || language.membersBehindDot) && d.kind === "field") &&
      // `name` is no `self.name`.
      !isAssignedField(d),
  );
  if (declared.some((d) => typeKinds.has(d.kind))) return { name: receiver, rest: "" };
  const own = declared.find((d) => around.includes(d.owner?.split(".").at(-1) ?? "")) ?? declared[0];
  if (own && !isPath) {
    const same = declared.filter((d) => d.kind === own.kind && d.parent === own.parent);
    const places = same.map(({ nameStart }) => nameStart);
    const variable = { name: receiver, offset, places, bound: own.nameStart };
    const type = await typeOfVariable(project, file, variable);
    const everywhere: Local = [receiver, own.nameStart, 0, file.source.length];
    return type && isSetToOthers(file.source, everywhere, type, language) ? undefined : type;
  }
  if (language.implicitReceiver && !isPath) {
    const member = await memberType(project, receiver, around, language);
    if (member) return member;
  }
  if (language.typeHints.declarators && !isPath) {
    const variable = await typeOfAll(project, receiver, "var", language);
    if (variable) return variable;
  }
  const imported = syntax.imports.some((clause) => clause.names?.some(([, alias]) => alias === receiver));
  const capital = /^\p{Lu}/u.test(receiver);
  if (capital && (imported || (await isType(project, receiver, language))))
    return { name: receiver, rest: "" };
  return undefined;
}

/** What a name is bound to that is another name: `if let store = self.store`, `guard let store else`. */
async function boundType(
  project: Project,
  file: ParsedFile,
  [name, at]: Local,
  language: Language,
): Promise<NamedType | undefined> {
  const after = file.source.slice(at + name.length, at + name.length + 120);
  const before = file.source.slice(Math.max(0, at - 40), at);
  const [, self, value = language.bindsItself?.(before, after) ? name : undefined] =
    /^[ \t]*=[ \t]*(self[?!]?\.)?([A-Za-z_]\w*)(?=[ \t]*(?:[{,;)]|else\b|\n\s*(?![.?\s])))/.exec(after) ?? [];
  if (value === undefined) return undefined;
  return self
    ? memberType(project, value, typesAround(file.syntax, at), language)
    : writtenType(project, file, { receiver: value, offset: at - 1 });
}

/** `(*p).name`, `((T *) p)->name`, `T value = { .name = 1 }`. */
async function bracketedType(
  project: Project,
  file: ParsedFile,
  { receiverEnd, offset }: { receiverEnd: number; offset: number },
): Promise<NamedType | undefined> {
  const language = languageNamed(file.syntax.language);
  if (!language) return undefined;
  const { source } = file;
  const variable = variableBefore(source, receiverEnd);
  if (variable) return writtenType(project, file, { receiver: variable, receiverEnd, offset });
  const cast = castBefore(source, receiverEnd);
  if (cast) return { name: cast, rest: "" };
  const dot = source.lastIndexOf(".", offset);
  const braces = /^\.\s*$/.test(source.slice(dot, offset)) ? initialized(source, dot) : undefined;
  if (braces?.field) return typeOfAll(project, braces.field, "field", language);
  if (braces?.type) return { name: braces.type, rest: "" };
  if (!braces?.variable) return undefined;
  const { name, at } = braces.variable;
  const declared = declaratorType(declarationBefore(source, at), language);
  if (declared) return declared;
  return (await isType(project, name, language)) ? { name, rest: "" } : undefined;
}

/** The type that `this` has between these types. */
function selfType(around: readonly string[]): NamedType | undefined {
  const own = around.find((name) => /^\p{Lu}/u.test(name)) ?? around[0];
  return own === undefined ? undefined : { name: own, rest: "" };
}

async function isType(project: Project, name: string, language: Language): Promise<boolean> {
  const declarations = await declarationsNamed(project, name, language);
  return declarations.some((d) => typeKinds.has(d.kind));
}

type Declared = Declaration & { file: string; package: string | undefined };

async function declarationsNamed(project: Project, name: string, language: Language): Promise<Declared[]> {
  const found: Declared[] = [];
  const family = familyOfLanguage(language.name);
  for (const file of project.declaring(name)) {
    if (familyOfLanguage(file.language) !== family) continue;
    const syntax = await project.syntax(file);
    for (const d of syntax?.declarations ?? [])
      if (d.name === name) found.push({ ...d, file: file.path, package: syntax?.package });
  }
  return found;
}

/** What the type around assigns to a field of its own. */
async function fieldOfSelf(
  project: Project,
  file: ParsedFile,
  field: string,
  around: readonly string[],
): Promise<NamedType | undefined> {
  const own = selfType(around)?.name;
  const language = languageNamed(file.syntax.language);
  if (own === undefined || !language) return undefined;
  return assignedType(project, file, field, { own, family: () => familyOf(project, own) }, (...place) =>
    typeOfValue(project, language, ...place),
  );
}

/** The type of what a field gets: as it is written there, or that of the variable it is given. */
async function typeOfValue(
  project: Project,
  language: Language,
  file: ParsedFile,
  at: number,
  name: string,
): Promise<NamedType | undefined> {
  const { source, syntax } = file;
  const written = await typeOfBinding(project, file, at, name, language);
  if (written) return written;
  const value = /^\s*=\s*(\w+)\s*(?:[\n;#]|$)/.exec(
    source.slice(at + name.length, at + name.length + 100),
  )?.[1];
  const bindings =
    value === undefined
      ? []
      : syntax.locals.filter(([known, , start, end]) => known === value && start <= at && at < end);
  const [only] = bindings;
  return only && bindings.length === 1 ? typeOfBinding(project, file, only[1], only[0], language) : undefined;
}

/** What a field of the types around is declared as. */
async function memberType(
  project: Project,
  name: string,
  around: readonly string[],
  language: Language,
): Promise<NamedType | undefined> {
  const own = (await declarationsNamed(project, name, language)).filter((d) =>
    around.includes(d.owner?.split(".").at(-1) ?? ""),
  );
  const types = own.map(({ signature, file }) => {
    const sign = language.sigil ? `(?<=\\${language.sigil})` : "(?<![\\w$])";
    const at = signature.search(new RegExp(`${sign}${escaped(name)}(?![\\w$])`));
    const type = at < 0 ? undefined : typeInText(signature, at, name, language);
    return type && language.packageIs === "folder" ? { ...type, file } : type;
  });
  return agreed(types);
}

/** The type of a field or of a variable of all files, where all declarations of that name say the same. */
async function typeOfAll(
  project: Project,
  name: string,
  kind: "field" | "var",
  language: Language,
): Promise<NamedType | undefined> {
  const all = await declarationsNamed(project, name, language);
  const meant = all.filter((d) => d.kind === kind);
  // A bare name may be a field that is inherited.
  if (kind === "var" && meant.length < all.length) return undefined;
  return agreed(
    meant.map(({ signature }) => {
      // Not in a length, a value or type arguments: `Item items[items_max]`.
      const flat = signature.replace(/\[[^[\]]*\]|<[^<>]*>|(?:[=(]|(?<!:):(?!:)).*$/g, (part) =>
        " ".repeat(part.length),
      );
      const at = flat.search(new RegExp(`\\b${escaped(name)}\\b(?!.*\\b${escaped(name)}\\b)`));
      return at < 0 ? undefined : declaratorType(declarationBefore(signature, at), language);
    }),
  );
}

/** The type of the values that a variable may have at a place, where they have the same. */
async function typeOfVariable(
  project: Project,
  file: ParsedFile,
  { name, offset, places, bound }: { name: string; offset: number; places: readonly number[]; bound: number },
): Promise<NamedType | undefined> {
  const { source, syntax } = file;
  const language = languageNamed(syntax.language);
  if (!language) return undefined;
  const typeAt = (at: number) => typeOfBinding(project, file, at, name, language);
  if (!language.dynamic || places.length < 2) return typeAt(bound);
  const sorted = [...new Set(places)].sort((a, b) => a - b);
  const isOutside = enclosing(syntax, bound) !== enclosing(syntax, offset);
  const values = (isOutside ? sorted : valuesAt(source, sorted, offset)).filter(
    (at) => !isNothing(source.slice(at + name.length, at + name.length + 40)),
  );
  const types: (NamedType | undefined)[] = [];
  for (const at of values) types.push(await typeAt(at));
  return agreed(types);
}

/** What is written around a binding; else what the function that makes the value returns. */
async function typeOfBinding(
  project: Project,
  file: ParsedFile,
  at: number,
  name: string,
  language: Language,
): Promise<NamedType | undefined> {
  const { source } = file;
  const written = typeInText(source, at, name, language);
  if (written) return language.packageIs === "folder" ? { ...written, file: file.path } : written;
  const after = source.slice(at + name.length, at + name.length + 200);
  const call =
    /^(?:\s*,\s*[\w$]+)*\s*:?=\s*(?:await\s+|try[?!]?\s+|\*|&)?(?:([\w$]+)(\.|::|->|:))?([\w$]+)\s*(?:::)?(?:<[^<>()]*>)?\(/.exec(
      after,
    );
  const isFirst = !/,\s*$/.test(source.slice(Math.max(0, at - 20), at));
  if (!call?.[3] || !isFirst || goesOn(source, at + name.length + call[0].length)) return undefined;
  // `auto copy = Store();`
  const isMade = language.typeHints.declarators && /^\p{Lu}/u.test(call[3]);
  if (isMade && (await isType(project, call[3], language))) return { name: call[3], rest: "" };
  return returned(project, file, { name: call[3], on: call[1], operator: call[2] }, language);
}

/** Whether what a call gives is asked for something further, behind its arguments: `make().part`, `read()?`. */
function goesOn(source: string, from: number): boolean {
  let depth = 1;
  for (let at = from; at < Math.min(source.length, from + 2_000); at++) {
    const sign = source[at];
    if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0)
      return /^(?:\s*(?:\??\.(?!\.)|->|::)|[?[]|\s+if\b[^\n]*\belse\b)/.test(source.slice(at + 1, at + 200));
  }
  return true;
}

/** `T(…).part`, `T::new(…).part`: what is bound is not the `T` whose name ends here, or whose arguments begin here. */
function isAskedFurther(source: string, end: number): boolean {
  if (source[end - 1] === "(") return goesOn(source, end);
  if (source[end] === "(") return goesOn(source, end + 1);
  return /^\.(?!\.)/.test(source.slice(end, end + 2));
}

/** `new T(…).name`, `(new T(…)).name`, `T(…).name`, `make(…).name`. */
async function madeBefore(
  project: Project,
  file: ParsedFile,
  end: number,
  language: Language,
): Promise<NamedType | undefined> {
  const { source } = file;
  if (source[end - 1] !== ")") return undefined;
  let depth = 0;
  let at = end - 1;
  for (const least = Math.max(0, end - 400); at >= least; at--) {
    if (source[at] === ")") depth++;
    else if (source[at] === "(" && --depth === 0) break;
  }
  if (depth !== 0) return undefined;
  const head = source.slice(Math.max(0, at - 80), at);
  const inside = /^\s*new\s+(?:\w+\.|\w*\\)*(\w+)\s*(?:\((?:[^()]|\([^()]*\))*\))?\s*$/.exec(
    source.slice(at + 1, end - 1),
  )?.[1];
  if (inside && !/[\w$>]$/.test(head)) return { name: inside, rest: "" };
  const made = /\bnew\s+(?:\w+\.)*(\w+)\s*(?:<[^<>]*>)?$/.exec(head)?.[1];
  if (made) return { name: made, rest: "" };
  const call = /(?:([\w$]+)?(\.|::|->|:))?([\w$]+)\s*(?:::)?(?:<[^<>()]*>)?$/.exec(head);
  if (call?.[3] === "new" && call[1] && language.newMakesValues && (await isType(project, call[1], language)))
    return { name: call[1], rest: "" };
  if (!call?.[3] || call[3] === "new") return undefined;
  if (/^\p{Lu}/u.test(call[3]) && (await isType(project, call[3], language)))
    return { name: call[3], rest: "" };
  return returned(project, file, { name: call[3], on: call[1], operator: call[2] }, language);
}

/** The type that all functions of this name say they return, of those that can be called on this. */
async function returned(
  project: Project,
  from: ParsedFile,
  { name, on, operator }: { name: string; on: string | undefined; operator: string | undefined },
  language: Language,
): Promise<NamedType | undefined> {
  const { returns } = language.typeHints;
  if (!returns) return undefined;
  // `reset(list)` is no method where a receiver cannot be left out.
  const mayBeMethod = on !== undefined || language.implicitReceiver === true;
  const named = await declarationsNamed(project, name, language);
  const isNear = (d: Declared) => language.packageIs !== "folder" || isOfPackage(d, on, from);
  const declared = named.filter((d) => d.kind !== "func" || isNear(d));
  // What a macro stands for is not read.
  if (declared.some((d) => d.kind === "macro")) return undefined;
  const isOfValue = language.typeHints.declarators === true && (operator === "." || operator === "->");
  const functions = declared.filter(
    (d) => (d.kind === "func" && !isOfValue) || (d.kind === "method" && (mayBeMethod || isOfValue)),
  );
  const owned = functions.filter((d) => on !== undefined && d.owner?.split(".").at(-1) === on);
  // `std::move` is no `move` of anything else.
  const isPath = language.typeHints.declarators === true && operator === "::";
  const meant = owned.length > 0 || isPath ? owned : functions;
  return agreed(
    meant.map(({ signature, owner, file }) => {
      const found = returns.exec(signature);
      if (!found?.[1] || isVague(found[1])) return undefined;
      const rest = signature.slice(found.index + found[0].length);
      // The name itself may be cut there.
      if (rest === "…") return undefined;
      const type = vagueless(unwrapped(found[1], rest, language), language);
      if (type && language.packageIs === "folder") return { ...type, ...spaceIn(found, language), file };
      if (!type || !isSelf(type.name)) return type;
      const own = owner?.split(".").at(-1);
      return own === undefined ? undefined : { ...type, name: own };
    }),
  );
}

/** Whether a function is the one that a file calls by its bare name, or behind the name of an imported package. */
function isOfPackage(
  { file, package: name = "" }: Declared,
  on: string | undefined,
  { path, syntax }: ParsedFile,
): boolean {
  if (on === undefined)
    return posix.dirname(file) === posix.dirname(path) || syntax.imports.some(({ wildcard }) => wildcard);
  const clause = syntax.imports.find(({ whole }) => whole === on);
  return clause !== undefined && (name === on || clause.module.split("/").includes(name));
}

/** The name of a package before a type that a pattern found. */
function spaceIn(found: RegExpExecArray, language: Language): Pick<NamedType, "space"> {
  if (language.packageIs !== "folder" || !found[1]) return {};
  const space = /(\w+)\.$/.exec(found[0].slice(0, found[0].lastIndexOf(found[1])))?.[1];
  return space === undefined ? {} : { space };
}

function typeInText(text: string, at: number, name: string, language: Language): NamedType | undefined {
  const hints = language.typeHints;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(Math.max(lineStart, at - 200), at);
  if (hints.declarators) {
    const type = declaratorType(declarationBefore(text, at), language);
    if (type) return type;
  }
  const after = text.slice(at + name.length, at + name.length + 200);
  if (!hints.notAfter?.test(before) && !hints.isOneOfSeveral?.(before)) {
    for (const pattern of hints.after) {
      const found = pattern.exec(after);
      if (found && isAskedFurther(text, at + name.length + found[0].length)) return undefined;
      if (!found?.[1]) continue;
      const type = vagueless(unwrapped(found[1], after.slice(found[0].length), language), language);
      return type && { ...type, ...spaceIn(found, language) };
    }
  }
  for (const pattern of hints.before ?? []) {
    const found = pattern.exec(before);
    if (!found?.[1]) continue;
    const written = found[1].split(/\.|::|\\/).at(-1) ?? found[1];
    const rest = found[0].slice(found[0].indexOf(found[1]) + found[1].length);
    return vagueless(unwrapped(written, rest, language), language);
  }
  return undefined;
}

const isVague = (type: string) =>
  /^(?:any|Any|AnyObject|unknown|object|Object|auto|var|val|let|dynamic|id|mixed|None|null|undefined|nil|const|mut|impl|dyn|T|U|K|V|range|func|map|chan|struct|interface|return|new|typeof|keyof|constructor|void|never)$/.test(
    type,
  );

/** A type that says something; a wrapper does not when what it holds is not written. */
const vagueless = (type: NamedType, language: Language) =>
  isVague(type.name) || language.wrappers?.has(type.name) || language.typeHints.computed?.has(type.name)
    ? undefined
    : type;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A type with everything above and everything below it: a member of one may be called on any of them. */
export async function familyOf(project: Project, type: string): Promise<Set<string>> {
  return (await relatedTypes(project, type, "up")).union(await relatedTypes(project, type, "down"));
}

export async function relatedTypes(
  project: Project,
  type: string,
  direction: "up" | "down",
): Promise<Set<string>> {
  const found = new Set([type]);
  for (const name of found) {
    if (found.size > 2_000) break;
    for (const file of holdersOf(project, name)) await project.syntax(file);
    for (const other of direction === "up" ? await parentsOf(project, name) : await childrenOf(project, name))
      if (!tooGeneral.has(other)) found.add(other);
  }
  return found;
}

/** Parents that relate nothing to each other. */
const tooGeneral = new Set("object Object Error Exception ABC Protocol Generic Enum Component".split(" "));
