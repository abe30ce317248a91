// What stands before a dot, and the type that it has.
import { type Language, typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { isAssignedField } from "../syntax/assignments.ts";
import type { Local } from "../syntax/syntax.ts";
import { assignedType } from "./assigned-fields.ts";
import { isSetToOthers } from "./assigned-values.ts";
import { isSelf, madeBefore, typeOfBinding, typeOfVariable } from "./bound-types.ts";
import { castBefore, declarationBefore, declaratorType, initialized, variableBefore } from "./declarators.ts";
import { escaped, isType, memberType, typeOfAll } from "./declared-types.ts";
import { heldType, type NamedType, namedIn, pathIn, unwrapped } from "./named-type.ts";
import { localAt, localsNamed, type Occurrence } from "./occurrences.ts";
import { assignmentsIn } from "./several-values.ts";
import { familyOf, relatedTypes } from "./type-family.ts";
import { selfType, typesAround } from "./types-around.ts";
import { vagueless } from "./written-types.ts";

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

/** Whether a word before a dot is the value or type around: `parent` is a variable's name in most languages, and `$parent` in all. */
const isOwnWord = (word: string, { selfWords, sigil }: Language, scoped = false) =>
  /^(?:this|self|cls|Self|super)$/.test(word) ||
  (selfWords?.has(word) === true && (sigil === undefined || scoped));

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
function heldBy(
  { name, rest, written = [] }: NamedType,
  language: Language | undefined,
): NamedType | undefined {
  if (!language?.tried?.has(name)) return undefined;
  const held = heldType.exec(rest);
  if (!held?.[1]) return undefined;
  const { path = pathIn(held, held[1]).path, ...type } = unwrapped(
    held[1],
    rest.slice(held[0].length),
    language,
  );
  const places = written.map(({ file }) => ({ file, path: path ?? type.name }));
  return vagueless({ ...type, ...(places.length > 0 && { written: places }) }, language);
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
  if (scoped && (await isType(project, receiver, language))) return pathBefore(file, receiver, receiverEnd);
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
    if (!(await isType(project, receiver, language)))
      return fieldOfVariable(project, file, {
        variable: chained,
        field: receiver,
        end: receiverEnd ?? offset,
      });
    const isOfPackage =
      language.packageIs === "folder" && syntax.imports.some(({ whole }) => whole === chained);
    const named = pathBefore(file, receiver, receiverEnd);
    return isOfPackage ? { ...named, space: chained, file: file.path } : named;
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
    const same = localsNamed(syntax, receiver).filter(([, , , end]) => end === bound[3]);
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
  // A bare name is no field of a type elsewhere.
  const own =
    declared.find((d) => around.includes(d.owner?.split(".").at(-1) ?? "")) ??
    declared.find(({ kind }) => kind !== "field");
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

/** `variable.field.name`, where the variable has a type that declares the field. */
async function fieldOfVariable(
  project: Project,
  file: ParsedFile,
  { variable, field, end }: { variable: string; field: string; end: number },
): Promise<NamedType | undefined> {
  const language = languageNamed(file.syntax.language);
  if (!language || language.fieldPrefix !== undefined) return undefined;
  const joined = new RegExp(
    `(?<![\\w$.)\\]?!>:])${escaped(variable)}\\s*\\??(?:\\.|->)\\s*${escaped(field)}$`,
  );
  const found = joined.exec(file.source.slice(Math.max(0, end - 200), end));
  const at = found && Math.max(0, end - 200) + found.index;
  if (at === null || !localAt(file.syntax, variable.replace(/^\$/, ""), at)) return undefined;
  const type = await writtenType(project, file, { receiver: variable, offset: at });
  if (!type) return undefined;
  const above = await relatedTypes(project, type.name, "up");
  return memberType(project, field, [...above], language);
}

/** A type before a dot, with the path before it: `p.a.Date`. */
function pathBefore({ path, source }: ParsedFile, name: string, end: number | undefined): NamedType {
  const before = end === undefined ? name : source.slice(Math.max(0, end - 200), end);
  const found = /(?:[\w$]*(?:\.|::))*[\w$]+$/.exec(before)?.[0] ?? "";
  return namedIn(path, { name, rest: "", ...(found.endsWith(name) && { path: found }) });
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
      : localsNamed(syntax, value).filter(([, , start, end]) => start <= at && at < end);
  const [only] = bindings;
  return only && bindings.length === 1 ? typeOfBinding(project, file, only[1], only[0], language) : undefined;
}
