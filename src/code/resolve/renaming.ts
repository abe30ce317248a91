import { Failure } from "../../failure/failure.ts";
import { type Kind, typeKinds } from "../languages/language.ts";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { qualifiedName } from "../syntax/syntax.ts";
import { isMember, keyOf, lastOwner } from "./declared.ts";
import { type Definition, findExact, targetOf } from "./definitions.ts";
import type { ModuleFiles } from "./module-files.ts";
import { isInText, isShorthandAt } from "./occurrences.ts";
import { markName } from "./other-names.ts";
import type { Reference } from "./reference.ts";
import { findReferences } from "./references.ts";
import { chooseTarget } from "./target.ts";
import { mayBeOfTrait, traitOf } from "./trait-impls.ts";
import { relatedTypes } from "./type-family.ts";

/** One place that gets a new text. */
export interface Replacement {
  offset: number;
  length: number;
  text: string;
}

export interface Renaming {
  /** What is renamed: the symbol with the members it overrides or that override it. */
  definitions: Definition[];
  /** The old name. */
  name: string;
  /** By file, in order of their place. */
  replacements: Map<string, Replacement[]>;
  /** Places that may mean it, too: for somebody to decide. */
  possible: Reference[];
  /** Files that hold the name and could not be parsed, and files that are no code. */
  unparsed: string[];
  noCode: string[];
}

/** Which places get a new name when a symbol does: all that surely mean it. Nothing is changed here. */
export async function planRenaming(
  project: Project,
  modules: ModuleFiles,
  { symbol, to, kind }: { symbol: string; to: string; kind?: Kind | undefined },
  mayRead: (path: string) => boolean,
): Promise<Renaming> {
  const chosen = await chooseTarget(project, symbol, { operation: "usages", kind }, mayRead);
  if (!chosen)
    throw new Failure(
      "FILE_NOT_FOUND",
      `Nothing here is called "${symbol}". Use definition to find similar names.`,
    );
  if ("candidates" in chosen) {
    const list = chosen.candidates.slice(0, 10).map((d) => `${targetOf(d)} (${d.declaration.kind})`);
    throw new Failure(
      "INVALID_INPUT",
      `"${symbol}" is not one thing. Ask again with one of these as symbol, and its kind where they are alike: ${list.join(", ")}.`,
    );
  }
  const definitions = await withRelatives(project, chosen.all);
  if (chosen.target.declaration.name === to)
    throw new Failure("INVALID_INPUT", `It is called ${to} already.`);
  await refuseClash(project, definitions, to);
  const found = await findReferences(project, modules, definitions, { mayRead });
  const [name, text] = withoutSetterSign(chosen.target, to);
  const replacements = new Map<string, Replacement[]>();
  const put = (file: string, place: Replacement) =>
    replacements.set(file, [...(replacements.get(file) ?? []), place]);
  for (const { file, declaration } of definitions) {
    const source = await project.source(file);
    const at = source.indexOf(name, declaration.nameStart);
    put(file, { offset: at, length: name.length, text });
  }
  for (const reference of found.references) {
    if (!reference.certain) continue;
    const source = await project.source(reference.file);
    const mark = markAt(source, reference, definitions);
    if (mark)
      put(reference.file, { offset: mark.offset, length: mark.length, text: markOf(text, mark.suffix) });
    // Under another name that an import gave it, it keeps that one.
    if (reference.length !== name.length) continue;
    if (source.slice(reference.offset, reference.offset + name.length) !== name) continue;
    put(reference.file, {
      offset: reference.offset,
      length: name.length,
      text: (await isKeptKey(source, reference, project, definitions)) ? `${name}: ${text}` : text,
    });
  }
  for (const [file, places] of replacements) {
    const once = [...new Map(places.map((place) => [place.offset, place])).values()];
    replacements.set(
      file,
      once.sort((a, b) => a.offset - b.offset),
    );
  }
  const possible = found.references.filter((r) => !r.certain);
  return { definitions, name, replacements, possible, unparsed: found.unparsed, noCode: found.noCode };
}

/** `name=` is written `name` where it is called: the sign stays as it is. */
function withoutSetterSign({ declaration: { name }, syntax }: Definition, to: string): [string, string] {
  const isSetter = languageNamed(syntax.language)?.setters === true && /\w=$/.test(name);
  return isSetter ? [name.slice(0, -1), to.replace(/=$/, "")] : [name, to];
}

/** `[Mark]` for a type `MarkAttribute`: the short name there. */
function markAt(
  source: string,
  { offset, length }: Reference,
  definitions: readonly Definition[],
): { offset: number; length: number; suffix: string } | undefined {
  const name = markName(definitions);
  const suffix = name === undefined ? undefined : definitions[0]?.declaration.name.slice(name.length);
  return suffix && source.slice(offset, offset + length) === name ? { offset, length, suffix } : undefined;
}

const markOf = (name: string, suffix: string) =>
  name.endsWith(suffix) && name !== suffix ? name.slice(0, -suffix.length) : name;

/** `{ name }` in an object keeps its key when a variable is renamed. */
async function isKeptKey(
  source: string,
  { offset, length, file, kind }: Reference,
  project: Project,
  definitions: readonly Definition[],
): Promise<boolean> {
  const language = languageNamed(project.words.file(file)?.language ?? "");
  if (kind === "import" || !language?.shorthandKeys || definitions.some(isMember)) return false;
  if (!isShorthandAt(source, offset, length)) return false;
  const parsed = await project.parsed(file);
  if (parsed && isInText(parsed.syntax, offset)) return false;
  const head = source.slice(0, offset).split("\n").slice(-40).join("\n");
  return !/(?:\bexport\s*|\bexports\s*=\s*|\bimport\s+(?:type\s+)?(?:\w+\s*,\s*)?|\b(?:const|let|var)\s*)\{[^{}]*$/.test(
    head,
  );
}

/** A member is renamed with those of its name in the types above and below. */
async function withRelatives(project: Project, all: readonly Definition[]): Promise<Definition[]> {
  const [first] = all;
  // A method that only a type has itself is none of a trait's.
  if (!first || !isMember(first) || (await traitOf(project, first)) === "") return [...all];
  const owner = lastOwner(first);
  const up = await relatedTypes(project, owner, "up");
  const family = new Set(up);
  for (const type of up) for (const below of await relatedTypes(project, type, "down")) family.add(below);
  const language = familyOfLanguage(first.syntax.language);
  const same = (await findExact(project, first.declaration.name)).filter(
    (d) =>
      isMember(d) &&
      family.has(lastOwner(d)) &&
      familyOfLanguage(d.syntax.language) === language &&
      !typeKinds.has(d.declaration.kind),
  );
  const known = new Set(all.map(keyOf));
  const found = [...all];
  for (const d of same)
    if (!known.has(keyOf(d)) && (await mayBeOfTrait(project, d, (trait) => family.has(trait)))) found.push(d);
  return found;
}

/** The new name must not be taken beside the old one. */
async function refuseClash(project: Project, definitions: readonly Definition[], to: string): Promise<void> {
  const taken = await findExact(project, to);
  const clash = taken.find((d) =>
    definitions.some(
      (old) => old.file === d.file && (old.declaration.owner ?? "") === (d.declaration.owner ?? ""),
    ),
  );
  if (clash)
    throw new Failure(
      "CONFLICT",
      `${qualifiedName(clash.declaration)} is already declared at ${clash.file}:${clash.declaration.line}. Choose another name.`,
    );
}
