import { typeKinds } from "../languages/language.ts";
import type { Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { qualifiedName } from "../syntax/syntax.ts";
import { occurrencesOf } from "./occurrences.ts";

/** How often a name stands in code, so that an answer can say what it did not count, and why nothing is missing. */
export interface Account {
  name: string;
  /** Places in code that hold the name, declarations included. */
  occurrences: number;
  /** Keys of that name in objects which are no part of the answer. */
  keys: { file: string; line: number }[];
  /** Members of that name which other types declare. */
  ofOtherTypes: number;
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
  const keys: Account["keys"] = [];
  let occurrences = 0;
  let ofOtherTypes = 0;
  for (const { file } of files) {
    const parsed = await project.parsed(file.path);
    if (!parsed) continue;
    const { source, syntax } = parsed;
    const isOther = (line: number) => !counted.has(`${file.path}:${line}`);
    const places = occurrencesOf(name, source, syntax);
    const declared = syntax.declarations.filter((one) => one.name === name);
    occurrences += places.length + declared.length;
    const isType = (name: string) =>
      syntax.declarations.some((one) => qualifiedName(one) === name && typeKinds.has(one.kind));
    const others = declared.filter(({ owner, line }) => owner !== undefined && isOther(line));
    const ofObjects = others.filter(({ owner }) => !isType(owner ?? ""));
    ofOtherTypes += others.length - ofObjects.length;
    const lineOf = lineFinder(source);
    const lines = [
      ...ofObjects.map(({ line }) => line),
      ...places.filter(({ key }) => key).map(({ offset }) => lineOf(offset)),
    ];
    for (const line of new Set(lines)) if (isOther(line)) keys.push({ file: file.path, line });
  }
  return { name, occurrences, keys, ofOtherTypes };
}
