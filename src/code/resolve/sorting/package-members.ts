// Members of types that are told apart by their package, which is a folder: in Go.
import { posix } from "node:path";
import { type Language, typeKinds } from "../../languages/language.ts";
import { languageNamed } from "../../languages/languages.ts";
import { lastOwner, parentOf } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import type { NamedType } from "../named-type.ts";
import { inFamily } from "./candidates.ts";
import type { FileContext, Question } from "./question.ts";
import { other, possible, type Verdict } from "./verdict.ts";

/** A type of a folder, or `package.Type` of a package that is not here. */
type Place = { folder: string; name: string } | { outside: string };

/**
 * What a member of a type means, what the type embeds included: that of the least depth. Undefined where a package, or
 * what a type embeds, is not known.
 */
export async function memberOfPackage(
  question: Question,
  { language }: FileContext,
  type: NamedType,
): Promise<Verdict | undefined> {
  const start = language.packageIs === "folder" ? await placeOf(question, type) : undefined;
  const known = new Set<string>();
  let level = start ? [start] : [];
  while (level.length > 0) {
    const next: Place[] = [];
    const found = level.flatMap((place) => membersIn(question, language, place));
    if (found.length > 0) return orThroughInterface(question, found);
    for (const place of level) {
      const key = JSON.stringify(place);
      if (known.has(key)) continue;
      known.add(key);
      const verdict = "outside" in place ? memberOfOutside(question, language, place.outside) : undefined;
      if (verdict) return verdict;
      for (const one of await embeddedIn(question, place)) {
        const inner = await placeOf(question, one);
        if (!inner) return undefined;
        next.push(inner);
      }
    }
    level = next;
  }
  return start && "outside" in start ? other(`${start.outside}.${question.candidates.name}`) : undefined;
}

const membersIn = ({ candidates }: Question, language: Language, place: Place) =>
  "outside" in place
    ? []
    : inFamily(candidates.members, language).filter(
        (d) => lastOwner(d) === place.name && posix.dirname(d.file) === place.folder,
      );

/** A method of an interface may be that of any type: which of them have the interface is not known here. */
function orThroughInterface({ candidates }: Question, found: Definition[]): Verdict {
  const ofInterface = found.find((d) => parentOf(d)?.kind === "interface");
  const mayImplement = ({ declaration, syntax }: Definition) =>
    declaration.kind === "method" &&
    languageNamed(syntax.language)?.sameSignature?.(
      declaration.signature,
      ofInterface?.declaration.signature ?? "",
    ) !== "no";
  const methods = candidates.asked.filter(mayImplement);
  const isAsked = found.some((d) => candidates.isAskedTitle(d));
  return !isAsked && ofInterface && methods.length > 0
    ? possible(`through ${lastOwner(ofInterface)}`, methods)
    : candidates.verdictOn(found);
}

/** A method of a type that is not here; nothing where it is known to have none of the name. */
function memberOfOutside(
  { candidates }: Question,
  { knownMethods, knownInterfaces }: Language,
  type: string,
): Verdict | undefined {
  const own = knownMethods?.get(type);
  if (own && !own.includes(candidates.name)) return undefined;
  const methods = candidates.asked.filter(({ declaration }) => declaration.kind === "method");
  const mayBeInterface = own === undefined || knownInterfaces?.has(type);
  if (methods.length > 0 && mayBeInterface) return possible(`through ${type}`, methods);
  return own ? other(`${type}.${candidates.name}`) : undefined;
}

/** Where a type is declared that a file names; undefined where that is not known. */
async function placeOf(
  { resolver: { bindings, project } }: Question,
  { name, space, file: path }: NamedType,
): Promise<Place | undefined> {
  const file = path === undefined ? undefined : project.words.file(path);
  const syntax = file && (await project.syntax(file));
  if (!syntax || path === undefined) return undefined;
  const scope = { path, syntax };
  const here = { folder: posix.dirname(path), name };
  if (space === undefined) {
    if (await isDeclared(project, here)) return here;
    return syntax.imports.some(({ wildcard }) => wildcard) ? undefined : { outside: name };
  }
  const clause = syntax.imports.find(({ whole }) => whole === space);
  if (!clause) return undefined;
  const [target] = bindings.files(scope, clause);
  if (target !== undefined) {
    const there = { folder: posix.dirname(target), name };
    return (await isDeclared(project, there)) ? there : undefined;
  }
  return bindings.isHere(scope, clause)
    ? undefined
    : { outside: `${clause.module.split("/").at(-1)}.${name}` };
}

async function isDeclared(
  project: Question["resolver"]["project"],
  { folder, name }: { folder: string; name: string },
): Promise<boolean> {
  for (const file of project.declaring(name)) {
    if (posix.dirname(file.path) !== folder) continue;
    const syntax = await project.syntax(file);
    if (syntax?.declarations.some((d) => d.name === name && typeKinds.has(d.kind))) return true;
  }
  return false;
}

/** The types that a type embeds, as its file names them. */
async function embeddedIn({ resolver: { project } }: Question, place: Place): Promise<NamedType[]> {
  if ("outside" in place) return [];
  const found: NamedType[] = [];
  for (const file of project.declaring(place.name)) {
    if (posix.dirname(file.path) !== place.folder) continue;
    for (const { child, parent, space } of (await project.syntax(file))?.inherits ?? [])
      if (child === place.name)
        found.push({ name: parent, rest: "", file: file.path, ...(space !== undefined && { space }) });
  }
  return found;
}
