import type { Language } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import { isAdding } from "../syntax/assignments.ts";
import { type Declaration, type FileSyntax, isQuiet, type Local, quietStart } from "../syntax/syntax.ts";
import { infixReceiver } from "./infix-calls.ts";
import { attributeAround, isAttribute } from "./tags.ts";

/** One place where a name stands in code. */
export interface Occurrence {
  offset: number;
  /** What stands before a `.`, `->` or `::` in front of it; empty when that is no plain name. */
  receiver?: string;
  /** The receiver is itself a member: what stands before its dot, empty when that is no plain name. */
  chained?: string;
  /** The receiver is joined by `::`. */
  scoped?: boolean;
  /** Where the receiver's text ends. */
  receiverEnd?: number;
  /** Followed by arguments, or preceded by `new`, `<` (JSX) or `@`. */
  called: boolean;
  /** `{ name: … }`, `f(name=…)`. */
  key?: boolean;
  /** It is a text that names a method: `[$this, 'name']`. */
  methodText?: boolean;
  /** A jump label. */
  label?: boolean;
  /** A word of the language here: `get size() {}`. */
  keyword?: boolean;
  /** The whole name of which it is only a part: `#name`, `<p aria-name>`. */
  longer?: string;
}

/** What stands further before a name in its line says nothing of it. */
const longestLine = 2_000;

/** Every place in code where the name stands, except where it is being declared for the first time. */
export function occurrencesOf(name: string, source: string, syntax: FileSyntax): Occurrence[] {
  const language = languageNamed(syntax.language);
  const declaredAt = new Set(
    syntax.declarations
      .filter(
        (d) =>
          d.name === name &&
          !isGivenToModule(d, source, syntax) &&
          !(language?.assignsOuter && isAdding(d)) &&
          !(language?.shorthandKeys && isUseToo(d, source, syntax)),
      )
      .map((d) => lastNameStart(source, d.nameStart, language)),
  );
  const found: Occurrence[] = [];
  for (const at of placesOf(name, source, language)) {
    if (declaredAt.has(at) || isQuiet(syntax, at)) continue;
    const longer = longerName(source, at, name, language);
    if (longer !== undefined) {
      found.push({ offset: at, called: false, longer });
      continue;
    }
    const end = at + name.length;
    const after = source.slice(end, end + 200);
    // A line may be as long as the file.
    const near = source.slice(Math.max(0, at - longestLine), at);
    const before = near.slice(near.lastIndexOf("\n") + 1);
    const isKey =
      (language?.isKey?.(codeBefore(source, syntax, at), after) ?? false) ||
      (language?.hasTags === true && isAttribute(source, at, name.length));
    const key = isKey && !isInText(syntax, at);
    const label = language?.isLabel?.(before, after) ?? false;
    const start = at - signBefore(source, at, language).length;
    const receiver = receiverOfText(source, at, language) ?? receiverBefore(source, start, syntax, language);
    const infix = receiver ? undefined : infixReceiver(source, at, end, syntax, language);
    found.push({
      offset: at,
      ...(receiver ?? infix),
      called: infix !== undefined || isCall(source, at, after, language),
      ...(key && { key }),
      ...(label && { label }),
      ...(language?.isKeyword?.(name, before, after) && { keyword: true }),
    });
  }
  return found;
}

/** The sign of a variable, or of a word that is a name here: `$name`, `r#name`. */
function signBefore(source: string, at: number, language: Language | undefined): string {
  const signs = [language?.sigil, language?.rawSign];
  return signs.find((sign) => sign !== undefined && source.startsWith(sign, at - sign.length)) ?? "";
}

/** A name alone in a text that is formatted: `"{name:?}"`. */
export const isInText = (syntax: FileSyntax, at: number) => isQuiet(syntax, at - 1);

/** Where a text is just the name, as in `call([store, "save"])` and `store["save"]()`: no use that is known, but it may be one. */
export function textsThatAre(name: string, source: string, syntax: FileSyntax): number[] {
  return placesOf(name, source).filter((at) => {
    const quote = source[at - 1] ?? "";
    // In a comment, the comment begins before the quote.
    const isText = (quietStart(syntax, at) ?? -1) >= at - 1;
    return isText && /["'`]/.test(quote) && source[at + name.length] === quote;
  });
}

/** A name that goes on where a word does not. */
function longerName(
  source: string,
  at: number,
  name: string,
  language: Language | undefined,
): string | undefined {
  const sign = language?.privateSign;
  if (sign !== undefined && source[at - 1] === sign) return sign + name;
  return language?.hasTags ? attributeAround(source, at, name.length) : undefined;
}

/** `const { name } = value`, `const value: Type = { name: 1 }`: also a use of the member of what has it, or of the type. */
function isUseToo(
  { name, kind, nameStart, parent }: Declaration,
  source: string,
  syntax: FileSyntax,
): boolean {
  const around = syntax.declarations[parent]?.kind;
  if (kind === "field") return around === "const" || around === "field";
  return kind === "var" && isShorthandAt(source, nameStart, name.length);
}

/** `module.name = function () {}` gives an imported module another `name`: it is declared here, and used. */
function isGivenToModule(
  { owner, nameStart }: Declaration,
  source: string,
  { imports }: FileSyntax,
): boolean {
  // In a function the owner is that of the function and the module.
  const module = owner?.slice(owner.lastIndexOf(".") + 1);
  if (module === undefined || !imports.some(({ whole }) => whole === module)) return false;
  const before = source.slice(Math.max(0, nameStart - 100), nameStart);
  return new RegExp(`(?<![\\w$.:])${escaped(module)}\\s*[.:]\\s*$`).test(before);
}

/** Where the code before an offset ends: before space and comments. */
function endOfCode(source: string, syntax: FileSyntax, at: number): number {
  let end = at;
  for (;;) {
    while (end > 0 && /\s/.test(source[end - 1] ?? "")) end--;
    const start = quietStart(syntax, end - 1);
    if (start === undefined || !/^(?:\/[/*]|#|--)/.test(source.slice(start, start + 2))) return end;
    end = start;
  }
}

/** What stands before an offset, without a comment directly before it. */
function codeBefore(source: string, syntax: FileSyntax, at: number): string {
  const end = endOfCode(source, syntax, at);
  return (
    source.slice(Math.max(0, end - 200), end === at ? at : end) +
    (source.slice(end, at).includes("\n") ? "\n" : "")
  );
}

/** Where the text of a name stands as a whole word, code or not. */
export function placesOf(name: string, source: string, language?: Language): number[] {
  if (language?.setters && /\w=$/.test(name)) return placesOfSetter(name, source, language);
  const found: number[] = [];
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + name.length)) {
    const end = at + name.length;
    // `Type::$name` is a member; `$name` alone is a variable, and no use of what is called so.
    const isStatic = language?.sigil && source.slice(at - 3, at) === `::${language.sigil}`;
    const isValue = language?.valueSign !== undefined && source[at - 1] === language.valueSign;
    const start = isStatic ? at - 1 : at;
    if (!isValue && isPart(source.charCodeAt(start - 1)) && isPart(name.charCodeAt(0))) continue;
    // `$name$other`: another value begins.
    const sign = language?.valueSign ?? language?.widthSign;
    const isNextValue = sign !== undefined && source[end] === sign;
    if (!isNextValue && isPart(source.charCodeAt(end)) && isPart(name.charCodeAt(name.length - 1))) continue;
    if (language?.nameSigns?.test(source.slice(end, end + 2)) && isPart(name.charCodeAt(name.length - 1)))
      continue;
    found.push(at);
  }
  return found;
}

/** `def name=(value)`, `:name=`, `value.name = 1`, `value.name += 1`. */
function placesOfSetter(setter: string, source: string, language: Language): number[] {
  const name = setter.slice(0, -1);
  return placesOf(name, source, language).filter((at) => {
    const before = source.slice(Math.max(0, at - 60), at);
    const after = source.slice(at + name.length, at + name.length + 40);
    if (/\.\s*$/.test(before)) return isSetting.test(after);
    return /^=(?![=~>])/.test(after) && /[:"']$|\b(?:def|alias|alias\s+\S+)\s+$/.test(before);
  });
}

const isSetting = /^\s*(?:[-+*/%|&^]|\*\*|\|\||&&|<<|>>)?=(?![=~>])/;

/** `A::B::name` is declared where its last part stands; `:name` and `"name"` behind the sign. */
function lastNameStart(source: string, start: number, language: Language | undefined): number {
  if (language?.rawSign && source.startsWith(language.rawSign, start)) return start + language.rawSign.length;
  if (/^["'`:]/.test(source[start] ?? "")) return start + 1;
  const qualifier = /^(?:[\w~]+(?:<[^<>()]*>)?::)+/.exec(source.slice(start, start + 200));
  return start + (qualifier?.[0].length ?? 0);
}

/** The innermost local that a name at this offset means, when it means one: of several in one scope, the last one before it. */
export function localAt(syntax: FileSyntax, name: string, offset: number): Local | undefined {
  let best: Local | undefined;
  for (const local of localsNamed(syntax, name)) {
    const [, at, start, end] = local;
    if (at === offset) return local;
    if (start <= offset && offset < end && (!best || isNearer(local, best, offset))) best = local;
  }
  return best;
}

const localsOf = new WeakMap<FileSyntax, Map<string, Local[]>>();

/** The locals of a file with one name: a generated file may have ten thousands. */
export function localsNamed(syntax: FileSyntax, name: string): readonly Local[] {
  let byName = localsOf.get(syntax);
  if (!byName) {
    byName = Map.groupBy(syntax.locals, ([known]) => known);
    localsOf.set(syntax, byName);
  }
  return byName.get(name) ?? [];
}

function isNearer(
  [, at, start, end]: Local,
  [, otherAt, otherStart, otherEnd]: Local,
  offset: number,
): boolean {
  // What holds from behind its declaration on, to the end of the same function.
  if (end === otherEnd && at <= offset && otherAt <= offset) return at > otherAt;
  const [size, otherSize] = [end - start, otherEnd - otherStart];
  if (size !== otherSize) return size < otherSize;
  return at <= offset ? otherAt > offset || at > otherAt : otherAt > offset && at < otherAt;
}

export function isPart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code >= 128
  );
}

/** The plain name before `.name`, `?.name`, `->name` or `::name`; "" for any other expression; nothing without a dot. */
export function receiverBefore(
  source: string,
  at: number,
  syntax: FileSyntax,
  language: Language | undefined,
): Pick<Occurrence, "receiver" | "chained" | "scoped" | "receiverEnd"> | undefined {
  const operator = operatorBefore(source, at, language);
  // The full stop at the end of a comment joins nothing.
  if (!operator || isQuiet(syntax, operator.start)) return undefined;
  const scoped = operator.text === "::";
  let end = endOfCode(source, syntax, operator.start);
  // `return ::name`
  if (scoped && language?.typeHints.declarators && end < operator.start && source[at - 1] === ":")
    return { receiver: "", receiverEnd: operator.start, scoped };
  const receiverEnd = end;
  if (source[end - 1] === ">" && scoped) end = startOfArguments(source, end);
  // An element of an array is declared by the array's name.
  if (source[end - 1] === "]" && language?.typeHints.declarators)
    end = Math.max(0, source.lastIndexOf("[", end - 1));
  let start = end;
  while (start > 0 && isPart(source.charCodeAt(start - 1))) start--;
  const written = source.slice(start, end);
  const sigil = language?.sigil;
  const receiver = sigil && written.startsWith(sigil) ? written.slice(1) : written;
  const before = receiver === "" ? undefined : operatorBefore(source, start, language);
  return {
    receiver,
    receiverEnd,
    ...(before && {
      chained: isRoot(source, before.start, language) ? "" : wordBefore(source, before.start, sigil),
    }),
    ...(scoped && { scoped }),
  };
}

/** `public ::space::name`: the word before the space is no part of the path. */
const isRoot = (source: string, start: number, language: Language | undefined) =>
  language?.typeHints.declarators === true &&
  source.startsWith("::", start) &&
  /\s/.test(source[start - 1] ?? " ");

/** Where the `<…>` begins that ends at an offset; another one may stand in it. */
function startOfArguments(source: string, end: number): number {
  let depth = 0;
  for (let at = end - 1; at >= Math.max(0, end - 300); at--) {
    if (source[at] === ">" && source[at - 1] !== "-") depth++;
    else if (source[at] === "<" && --depth === 0) return at;
  }
  return Math.max(0, source.lastIndexOf("<", end - 1));
}

/** The value or type whose method a text names, as receivers are told otherwise. */
function receiverOfText(
  source: string,
  at: number,
  language: Language | undefined,
): Partial<Occurrence> | undefined {
  if (!language?.methodTexts || !/["']/.test(source[at - 1] ?? "")) return undefined;
  const found = language.methodTexts.exec(source.slice(Math.max(0, at - 200), at));
  if (!found) return undefined;
  const [, value, type] = found;
  return { receiver: value ?? type ?? "", ...(type !== undefined && { scoped: true }), methodText: true };
}

function operatorBefore(
  source: string,
  at: number,
  language: Language | undefined,
): { start: number; text: string } | undefined {
  let i = at;
  while (i > 0 && /\s/.test(source[i - 1] ?? "")) i--;
  const text = source.slice(Math.max(0, i - 3), i);
  const found = /(?:\?|!!|!|&)?\.$/.exec(text)?.[0];
  if (found && !/\.\.$/.test(text) && !language?.dotJoinsTexts)
    return { start: i - found.length, text: found };
  const own = language?.memberOperators?.find((operator) => text.endsWith(operator));
  const isResult =
    language?.resultArrow && own === "->" && i < at && /\s/.test(source[i - own.length - 1] ?? "");
  return own && !isResult ? { start: i - own.length, text: own } : undefined;
}

function wordBefore(source: string, at: number, sigil: string | undefined): string {
  let end = at;
  while (end > 0 && /\s/.test(source[end - 1] ?? "")) end--;
  let start = end;
  while (start > 0 && isPart(source.charCodeAt(start - 1))) start--;
  const word = source.slice(start, end);
  return sigil && word.startsWith(sigil) ? word.slice(1) : word;
}

function isCall(source: string, at: number, after: string, language: Language | undefined): boolean {
  if (
    /^\s*\(/.test(after) ||
    /^\s*(?:::)?<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>\s*\(/.test(after) ||
    after.startsWith("`") ||
    /^!\s*[([{]/.test(after)
  )
    return true;
  const before = source.slice(Math.max(0, at - 12), at);
  if (/\bnew\s+$|@$/.test(before) || (language?.hasTags && /<$/.test(before))) return true;
  return language?.bareCall?.test(after) ?? false;
}

/** `{ name }`, `{ a, name = 1 }`: a key that is its value, too. */
export function isShorthandAt(source: string, at: number, length: number): boolean {
  const before = source.slice(Math.max(0, at - 200), at);
  return (
    /[{,]\s*$/.test(before) &&
    !isInMarkup(source, at, before) &&
    /^\s*(?:[,}]|=[^=>])/.test(source.slice(at + length, at + length + 40)) &&
    openingBefore(source, at) === "{"
  );
}

/** `<Tag name={value}>{value}</Tag>`: braces of no object. */
function isInMarkup(source: string, at: number, before: string): boolean {
  const attribute = /([\w$-]+)=\{\s*$/.exec(before);
  const start = at - before.length + (attribute?.index ?? 0);
  return attribute ? isAttribute(source, start, attribute[1]?.length ?? 0) : /[^=\s]>\{\s*$/.test(before);
}

/** The bracket that is open at an offset. */
function openingBefore(source: string, at: number): string | undefined {
  let depth = 0;
  for (let i = at - 1; i >= Math.max(0, at - 2_000); i--) {
    const c = source[i];
    if (c === ")" || c === "]" || c === "}") depth++;
    else if (c === "(" || c === "[" || c === "{") {
      if (depth === 0) return c;
      depth--;
    }
  }
  return undefined;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
