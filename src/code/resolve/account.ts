import { typeKinds } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { qualifiedName } from "../syntax/syntax.ts";
import { closing, openBefore } from "./brackets.ts";
import { occurrencesOf } from "./occurrences.ts";

/** How often a name stands in code, so that an answer can say what it did not count, and why nothing is missing. */
export interface Account {
  name: string;
  /** Places in code that hold the name, declarations included. */
  occurrences: number;
  /** Keys of that name in objects which are no part of the answer. */
  keys: { file: string; line: number; tie?: string | undefined }[];
  /** Members of that name which other types declare, and functions of that name. */
  ofOtherTypes: number;
  /** Those types, where they have names. */
  otherTypes: string[];
  /** Places that use the name. */
  uses: number;
}

/** Beyond so many files a name is too common for its places to be told. */
const mostFiles = 300;

/** All places of a name in the code that may be read; nothing where there are too many of them. */
export async function accountFor(
  project: Project,
  name: string,
  known: readonly { file: string; line: number }[],
  mayRead: (path: string) => boolean,
): Promise<Account | undefined> {
  const files = project.words.withWord(name).filter(({ file }) => file.language && mayRead(file.path));
  if (files.length > mostFiles) return undefined;
  const counted = new Set(known.map(({ file, line }) => `${file}:${line}`));
  const account: Account = { name, occurrences: 0, keys: [], ofOtherTypes: 0, otherTypes: [], uses: 0 };
  const types = new Set<string>();
  for (const { file } of files) {
    const parsed = await project.parsed(file.path);
    if (parsed) countIn(parsed, (line) => !counted.has(`${file.path}:${line}`), account, types);
  }
  return { ...account, otherTypes: [...types] };
}

/** Adds the places of one file; `isOther` says which lines are no part of the answer. */
function countIn(
  parsed: ParsedFile,
  isOther: (line: number) => boolean,
  account: Account,
  types: Set<string>,
): void {
  const { path, source, syntax } = parsed;
  const places = occurrencesOf(account.name, source, syntax).filter(({ longer }) => longer === undefined);
  const declared = syntax.declarations.filter((one) => one.name === account.name);
  const used = new Set(places.map(({ offset }) => offset));
  account.occurrences += places.length + declared.filter((one) => !used.has(one.nameStart)).length;
  // Where methods may stand apart from their type, it need not be in this file.
  const isApart = languageNamed(syntax.language)?.methodsStandIn !== undefined;
  const isType = (name: string) =>
    isApart || syntax.declarations.some((one) => qualifiedName(one) === name && typeKinds.has(one.kind));
  const others = declared.filter(({ line }) => isOther(line));
  const ofObjects = others.filter(({ owner }) => owner !== undefined && !isType(owner));
  account.ofOtherTypes += others.length - ofObjects.length;
  for (const one of others)
    if (!ofObjects.includes(one)) types.add(one.owner?.split(".").at(-1) ?? "a function");
  const lineOf = lineFinder(source);
  const keys = places.filter(({ key }) => key).map(({ offset }) => offset);
  const lines = new Map(
    [...ofObjects.map(({ nameStart }) => nameStart), ...keys].map((at) => [lineOf(at), at]),
  );
  for (const [line, at] of lines) {
    if (!isOther(line)) continue;
    const tie = tieOf(parsed, at);
    account.keys.push({ file: path, line, ...(tie !== undefined && { tie }) });
  }
  account.uses += places.filter(({ key, offset }) => !key && isOther(lineOf(offset))).length;
}

/** How the object literal around a key is tied to a type: `as unknown as T`, `: T`. */
function tieOf(file: ParsedFile, offset: number): string | undefined {
  const from = openBefore(file, offset - 1);
  const to = from === undefined || file.source[from] !== "{" ? undefined : closing(file, from);
  if (from === undefined || to === undefined) return undefined;
  const after = file.source.slice(to + 1, to + 120);
  const cast = /^\s*\)?\s*((?:as|satisfies)\s+[\w.]+(?:\s+as\s+[\w.]+)?)(<)?/.exec(after);
  if (cast?.[1]) return `${cast[1].replace(/\s+/g, " ")}${cast[2] ? "<…>" : ""}`;
  const annotated = /:\s*([\w.]+(?:<[^=]{0,60}>)?)\s*=\s*$/.exec(
    file.source.slice(Math.max(0, from - 120), from),
  );
  return annotated?.[1] && `: ${annotated[1]}`;
}
