import { type Language, typeKinds } from "../languages/language.ts";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { type Declaration, enclosing, type FileSyntax, type Local } from "../syntax/syntax.ts";
import { isSetToOthers } from "./assigned-values.ts";
import { holdersOf } from "./definitions.ts";
import { localAt, type Occurrence } from "./occurrences.ts";
import { childrenOf, parentsOf } from "./parents.ts";

/** A type as a binding names it. */
export interface NamedType {
  name: string;
  /** What is written behind it: type arguments, the rest of a union. */
  rest: string;
}

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
  const written = await writtenType(project, file, occurrence);
  // `let one = Self { … }`
  const type = written?.name === "Self" ? selfType(typesAround(file.syntax, occurrence.offset)) : written;
  // `input: I` says what the type parameter stands for, which is anything.
  const isParameter =
    type && type.name !== occurrence.receiver && localAt(file.syntax, type.name, occurrence.offset);
  return isParameter ? undefined : type;
}

async function writtenType(
  project: Project,
  { source, syntax }: ParsedFile,
  { receiver, receiverEnd, offset, chained, scoped }: Occurrence,
): Promise<NamedType | undefined> {
  const language = languageNamed(syntax.language);
  if (receiver === undefined || !language) return undefined;
  const around = typesAround(syntax, offset);
  if (receiver === "") {
    const made = await madeBefore(project, source, receiverEnd ?? offset, language);
    return made && isSelf(made.name) ? selfType(around) : made;
  }
  if (chained === undefined && isOwnWord(receiver, language, scoped)) return selfType(around);
  if (scoped && (await isType(project, receiver, language))) return { name: receiver, rest: "" };
  if (chained !== undefined) {
    // `a->b->name`: b is no variable, but what its type declares.
    if (language.typeHints.declarators) return fieldType(project, receiver);
    if (isOwnWord(chained, language)) return memberType(project, receiver, around, language);
    return (await isType(project, receiver, language)) ? { name: receiver, rest: "" } : undefined;
  }
  // `name::` leads into a type or module, whatever variable or constructor has the name.
  const isPath = scoped === true && language.separator === "::";
  const bound = isPath ? undefined : localAt(syntax, receiver, offset);
  // A type that a function declares.
  const isOwnType = syntax.declarations.some((d) => d.nameStart === bound?.[1] && typeKinds.has(d.kind));
  if (isOwnType) return { name: receiver, rest: "" };
  if (bound) {
    const type = await typeOfBinding(project, source, bound[1], receiver, language);
    return type && isSetToOthers(source, bound, type, language) ? undefined : type;
  }
  const declared = syntax.declarations.filter(
    (d) =>
      d.name === receiver &&
      d.kind !== "macro" &&
      !d.owner?.includes("(") &&
      // `$name` is no `$this->name`.
      !(language.sigil && d.kind === "field"),
  );
  if (declared.some((d) => typeKinds.has(d.kind))) return { name: receiver, rest: "" };
  const own = declared.find((d) => around.includes(d.owner?.split(".").at(-1) ?? "")) ?? declared[0];
  if (own && !isPath) {
    const type = await typeOfBinding(project, source, own.nameStart, receiver, language);
    const everywhere: Local = [receiver, own.nameStart, 0, source.length];
    return type && isSetToOthers(source, everywhere, type, language) ? undefined : type;
  }
  if (language.implicitReceiver && !isPath) {
    const member = await memberType(project, receiver, around, language);
    if (member) return member;
  }
  const imported = syntax.imports.some((clause) => clause.names?.some(([, alias]) => alias === receiver));
  const capital = /^\p{Lu}/u.test(receiver);
  if (capital && (imported || (await isType(project, receiver, language))))
    return { name: receiver, rest: "" };
  return undefined;
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

async function declarationsNamed(project: Project, name: string, language: Language): Promise<Declaration[]> {
  const found: Declaration[] = [];
  const family = familyOfLanguage(language.name);
  for (const file of project.declaring(name)) {
    if (familyOfLanguage(file.language) !== family) continue;
    for (const d of (await project.syntax(file))?.declarations ?? []) if (d.name === name) found.push(d);
  }
  return found;
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
  const types = own.map(({ signature }) => {
    const sign = language.sigil ? `(?<=\\${language.sigil})` : "(?<![\\w$])";
    const at = signature.search(new RegExp(`${sign}${escaped(name)}(?![\\w$])`));
    return at < 0 ? undefined : typeInText(signature, at, name, language);
  });
  return agreed(types);
}

/** The type of a field, where all fields of that name have the same. */
async function fieldType(project: Project, name: string): Promise<NamedType | undefined> {
  const types: (NamedType | undefined)[] = [];
  for (const file of project.declaring(name)) {
    for (const d of (await project.syntax(file))?.declarations ?? []) {
      if (d.name === name && d.kind === "field")
        types.push(declaratorType(d.signature.split(/\W*\b\w+\W*$/)[0] ?? "", undefined));
    }
  }
  return agreed(types);
}

function agreed(types: readonly (NamedType | undefined)[]): NamedType | undefined {
  const [first] = types;
  return first && types.every((type) => type?.name === first.name) ? first : undefined;
}

/** What is written around a binding; else what the function that makes the value returns. */
async function typeOfBinding(
  project: Project,
  source: string,
  at: number,
  name: string,
  language: Language,
): Promise<NamedType | undefined> {
  const written = typeInText(source, at, name, language);
  if (written) return written;
  const after = source.slice(at + name.length, at + name.length + 200);
  const call =
    /^(?:\s*,\s*[\w$]+)*\s*:?=\s*(?:await\s+|try[?!]?\s+|\*|&)?(?:([\w$]+)(?:\.|::|->|:))?([\w$]+)\s*(?:::)?(?:<[^<>()]*>)?\(/.exec(
      after,
    );
  const isFirst = !/,\s*$/.test(source.slice(Math.max(0, at - 20), at));
  if (!call?.[2] || !isFirst || goesOn(source, at + name.length + call[0].length)) return undefined;
  return returned(project, call[2], call[1], language);
}

/** Whether what a call gives is asked for something further, behind its arguments: `make().part`, `read()?`. */
function goesOn(source: string, from: number): boolean {
  let depth = 1;
  for (let at = from; at < Math.min(source.length, from + 2_000); at++) {
    const sign = source[at];
    if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0)
      return /^(?:\s*(?:\??\.(?!\.)|->|::)|[?[])/.test(source.slice(at + 1, at + 200));
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
  source: string,
  end: number,
  language: Language,
): Promise<NamedType | undefined> {
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
  const call = /(?:([\w$]+)(?:\.|::|->|:))?([\w$]+)\s*(?:::)?(?:<[^<>()]*>)?$/.exec(head);
  if (!call?.[2] || call[2] === "new") return undefined;
  if (/^\p{Lu}/u.test(call[2]) && (await isType(project, call[2], language)))
    return { name: call[2], rest: "" };
  return returned(project, call[2], call[1], language);
}

/** The type that all functions of this name say they return. */
async function returned(
  project: Project,
  name: string,
  on: string | undefined,
  language: Language,
): Promise<NamedType | undefined> {
  const { returns } = language.typeHints;
  if (!returns) return undefined;
  // `reset(list)` is no method where a receiver cannot be left out.
  const mayBeMethod = on !== undefined || language.implicitReceiver === true;
  const declared = await declarationsNamed(project, name, language);
  // What a macro stands for is not read.
  if (declared.some((d) => d.kind === "macro")) return undefined;
  const functions = declared.filter((d) => d.kind === "func" || (d.kind === "method" && mayBeMethod));
  const owned = functions.filter((d) => on !== undefined && d.owner?.split(".").at(-1) === on);
  const meant = owned.length > 0 ? owned : functions;
  return agreed(
    meant.map(({ signature, owner }) => {
      const found = returns.exec(signature);
      if (!found?.[1] || isVague(found[1])) return undefined;
      const rest = signature.slice(found.index + found[0].length);
      // The name itself may be cut there.
      if (rest === "…") return undefined;
      const type = vagueless(unwrapped(found[1], rest, language), language);
      if (!type || !isSelf(type.name)) return type;
      const own = owner?.split(".").at(-1);
      return own === undefined ? undefined : { ...type, name: own };
    }),
  );
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
  if (!hints.notAfter?.test(before)) {
    for (const pattern of hints.after) {
      const found = pattern.exec(after);
      if (found && isAskedFurther(text, at + name.length + found[0].length)) return undefined;
      if (found?.[1]) return vagueless(unwrapped(found[1], after.slice(found[0].length), language), language);
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

/** What a type that only holds another stands for. */
function unwrapped(name: string, rest: string, language: Language): NamedType {
  const end = rest.search(/[;={\n]|\)\s*[{=-]|,\s*[\w$]+\s*[:?]/);
  const shown = end < 0 ? rest.slice(0, 120) : rest.slice(0, Math.min(end, 120));
  if (!language.wrappers?.has(name)) return { name, rest: shown };
  const held = /^\s*[<[]\s*(?:const\s+|&|mut\s+|dyn\s+|'\w+\s*,?\s*)*(?:\w+(?:::|\.))*(\w+)/.exec(rest);
  return held?.[1] ? unwrapped(held[1], rest.slice(held[0].length), language) : { name, rest: shown };
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

/** The type at the end of what stands before a name in C: `const struct list *`. */
function declaratorType(before: string, language: Language | undefined): NamedType | undefined {
  const found = /([A-Za-z_]\w*)\s*(<.*>)?[\s*&]*$/s.exec(before);
  const type = found?.[1];
  if (
    !type ||
    /^(?:return|else|goto|case|sizeof|typedef|const|static|extern|auto|if|while|do|in|and|or|not|new|delete|throw|class|struct|union|enum|typename|friend|using|namespace|public|private|protected)$/.test(
      type,
    )
  )
    return undefined;
  return language ? unwrapped(type, found?.[2] ?? "", language) : { name: type, rest: "" };
}

/** The declaration up to a name in C, without the names declared before it: `int a, *`. */
function declarationBefore(source: string, at: number): string {
  const from = source.lastIndexOf("\n", Math.max(0, at - 200)) + 1;
  const text = source.slice(from, at).replace(/\/\/.*|\/\*[^*]*\*\//g, " ");
  const start = Math.max(
    text.lastIndexOf(";"),
    text.lastIndexOf("{"),
    text.lastIndexOf("}"),
    text.lastIndexOf("("),
  );
  const statement = text.slice(start + 1);
  // In a parameter list a comma parts declarations; in a statement, names of one type.
  const flat = statement.replace(/<[^<>;{}]*>/g, (args) => args.replaceAll(",", " "));
  return text[start] === "("
    ? statement.slice(flat.lastIndexOf(",") + 1)
    : (statement.slice(0, flat.search(/[=,]|$/)) ?? "").replace(/\b\w+\s*(?:\[[^\]]*\]\s*)?$/, (name) =>
        flat.includes(",") || flat.includes("=") ? "" : name,
      );
}

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
