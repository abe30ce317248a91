import { type FileSyntax, isQuiet } from "../syntax/syntax.ts";

/** One place where a name stands in code. */
export interface Occurrence {
  offset: number;
  /** What stands before a `.`, `->` or `::` in front of it; empty when that is no plain name. */
  receiver?: string;
  /** The receiver is itself a member of something: `a.receiver.name`. */
  chained?: boolean;
  /** The receiver is joined by `::`. */
  scoped?: boolean;
  /** Followed by arguments, or preceded by `new`, `<` (JSX) or `@`. */
  called: boolean;
}

/** A place that is a use of what was asked for; not certain where only the name agrees. */
export interface Judged extends Occurrence {
  certain: boolean;
}

/** Tells the uses in one file from namesakes. */
export type Judge = (file: { path: string; source: string; syntax: FileSyntax }) => Promise<Judged[]>;

/** Every place in code where the name stands, except where it is being declared. */
export function occurrencesOf(name: string, source: string, syntax: FileSyntax): Occurrence[] {
  const found: Occurrence[] = [];
  const declaredAt = new Set(
    syntax.declarations.filter((d) => d.name === name).map((d) => lastNameStart(source, d.nameStart)),
  );
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + name.length)) {
    const end = at + name.length;
    // PHP: `$name` is a variable, and no use of what is called so; `Type::$name` is a member.
    const start = syntax.language === "PHP" && source.slice(at - 3, at) === "::$" ? at - 1 : at;
    if (isPart(source.charCodeAt(start - 1)) && isPart(name.charCodeAt(0))) continue;
    if (isPart(source.charCodeAt(end)) && isPart(name.charCodeAt(name.length - 1))) continue;
    if (declaredAt.has(at) || isQuiet(syntax, at) || isKey(source, at, end, syntax.language)) continue;
    found.push({
      offset: at,
      ...receiverBefore(source, start, syntax.language),
      called: isCall(source, at, end, syntax.language),
    });
  }
  return found;
}

/** `A::B::name` is declared where its last part stands. */
function lastNameStart(source: string, start: number): number {
  const qualifier = /^(?:[\w~]+(?:<[^<>()]*>)?::)+/.exec(source.slice(start, start + 200));
  return start + (qualifier?.[0].length ?? 0);
}

/** Whether a name at this offset is a local there, and not what is declared outside. */
export function isShadowed(syntax: FileSyntax, name: string, offset: number): boolean {
  return syntax.locals.some(
    ([local, at, start, end]) => local === name && (at === offset || (start <= offset && offset < end)),
  );
}

function isPart(code: number): boolean {
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
function receiverBefore(
  source: string,
  at: number,
  language: string,
): Pick<Occurrence, "receiver" | "chained" | "scoped"> | undefined {
  let i = at - 1;
  while (i >= 0 && /\s/.test(source[i] ?? "")) i--;
  const two = source.slice(i - 1, i + 1);
  const scoped = two === "::";
  if (source[i] === "." && two !== "..") i -= source[i - 1] === "?" || source[i - 1] === "!" ? 2 : 1;
  else if (two === "->" || scoped) i -= source.slice(i - 2, i + 1) === "?->" ? 3 : 2;
  else return undefined;
  while (i >= 0 && /\s/.test(source[i] ?? "")) i--;
  if (source[i] === ">" && scoped) i = source.lastIndexOf("<", i) - 1;
  // An element of an array is declared by the array's name.
  if (source[i] === "]" && /^C(?:\+\+)?$/.test(language)) i = source.lastIndexOf("[", i) - 1;
  const end = i + 1;
  while (i >= 0 && isPart(source.charCodeAt(i))) i--;
  const written = source.slice(i + 1, end);
  const receiver = language === "PHP" ? written.replace(/^\$/, "") : written;
  const chained =
    receiver !== "" && (source[i] === "." || /->|::/.test(source.slice(Math.max(0, i - 1), i + 1)));
  return { receiver, ...(chained && { chained }), ...(scoped && { scoped }) };
}

/** `{ name: … }`, `f(name=…)`: a key or a label, not a reference. */
function isKey(source: string, at: number, end: number, language: string): boolean {
  const next = /\S/.exec(source.slice(end, end + 40));
  if (!next) return false;
  const after = source.slice(end + next.index, end + next.index + 2);
  const previous = /(\S)\s*$/.exec(source.slice(Math.max(0, at - 200), at))?.[1] ?? "";
  if (language === "Python") return after[0] === "=" && after !== "==" && /[(,]/.test(previous);
  if (/^C(?:\+\+)?$/.test(language)) return isLabel(source, at, end);
  if (!/^(?:TypeScript|TSX|JavaScript)$/.test(language)) return false;
  return (after[0] === ":" || after === "?:") && /[{,;]/.test(previous);
}

/** `goto name;` and `name:` alone on its line, in C. */
function isLabel(source: string, at: number, end: number): boolean {
  const line = source.slice(source.lastIndexOf("\n", at - 1) + 1, at);
  return (
    /\bgoto\s+$/.test(line) || (line.trim() === "" && /^:\s*(?:\n|\/[*/])/.test(source.slice(end, end + 80)))
  );
}

function isCall(source: string, at: number, end: number, language: string): boolean {
  const after = source.slice(end, end + 200);
  if (
    /^\s*\(/.test(after) ||
    /^\s*(?:::)?<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>\s*\(/.test(after) ||
    after.startsWith("`") ||
    /^!\s*[([{]/.test(after)
  )
    return true;
  const before = source.slice(Math.max(0, at - 12), at);
  if (/\bnew\s+$|@$/.test(before) || (/(?:TSX|JavaScript)/.test(language) && /<$/.test(before))) return true;
  // Languages where a call needs no parentheses.
  return (
    /^(?:Ruby|Bash|Lua|Kotlin|Scala|Swift)$/.test(language) &&
    (language === "Bash" || /^\s*[{"'[]|^ [\w:@"']/.test(after))
  );
}
