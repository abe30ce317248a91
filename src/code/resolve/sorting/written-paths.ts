// Which of several types with one name is meant, by how the code writes it: `p.a.Date`, `import a.Date as Other`.
import type { Language } from "../../languages/language.ts";
import { languageNamed } from "../../languages/languages.ts";
import type { FileSyntax } from "../../syntax/syntax.ts";
import type { Bindings } from "../bindings.ts";
import { areSeveral, placeOfType } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import type { Target } from "../full-names.ts";
import type { NamedType, WrittenName } from "../named-type.ts";
import { dotted } from "../other-names.ts";
import { namespaceOf } from "../visibility.ts";
import type { FileContext, Resolver } from "./question.ts";

interface Scope {
  path: string;
  syntax: FileSyntax;
}

export interface Meant {
  meant: Definition[];
  /** Nothing tells which of several. */
  unsure: boolean;
}

/**
 * The members of the type that is written so, of those of several types with its name. Undefined where it is written by its
 * bare name in this file, and where nothing is known of how.
 */
export async function ofWrittenType(
  { project, bindings }: Resolver,
  { file, language }: FileContext,
  { name, written }: NamedType,
  direct: readonly Definition[],
): Promise<Meant | undefined> {
  if (!written || !areSeveral(direct)) return undefined;
  const isBare = (one: WrittenName) => one.file === file.path && one.path === name;
  const places = [...new Map(written.map((one) => [JSON.stringify(one), one])).values()];
  if (!tellsTypesApart(language) || places.every(isBare)) return undefined;
  const nothing: Meant = { meant: [...direct], unsure: true };
  if (places.length > mostPlaces) return nothing;
  const found = new Set<Definition>();
  for (const place of places) {
    const there = project.words.file(place.file);
    const syntax = there && (await project.syntax(there));
    const members = syntax ? await membersAt(bindings, { path: place.file, syntax }, place.path, direct) : [];
    if (members.length === 0) return nothing;
    for (const d of members) found.add(d);
  }
  // What stands in a file without its type may be of any type with the name.
  const stray = direct.filter((d) => placeOfType(d) === undefined);
  const meant = [...found.union(new Set(stray))];
  return { meant, unsure: stray.length > 0 || areSeveral(meant) };
}

const mostPlaces = 20;

const tellsTypesApart = (language: Language) =>
  (language.scoping === "imported" && language.packageIs !== "folder") || hasNamespaces(language);

const hasNamespaces = ({ scoping, namespaceSeparator }: Language) =>
  scoping === "namespaced" && namespaceSeparator === undefined;

/** The members of the one type that a path leads to from a file; none where that is not known. */
async function membersAt(
  bindings: Bindings,
  scope: Scope,
  path: string,
  direct: readonly Definition[],
): Promise<Definition[]> {
  const language = languageNamed(scope.syntax.language);
  const isIn = (d: Definition) => `.${d.declaration.owner}`.endsWith(`.${path.replaceAll("::", ".")}`);
  const own = direct.filter((d) => d.file === scope.path && placeOfType(d) !== undefined && isIn(d));
  if (own.length > 0) return own;
  if (language && hasNamespaces(language)) return inNamespace(scope, path, direct);
  const targets = await targetsOf(bindings, scope, path);
  if (targets.length > 0) return direct.filter((d) => targets.some((target) => isOf(d, target)));
  if (language?.packageIs !== "declared" || !path.includes(".")) return [];
  // `Outer.Inner`
  const outers = await bindings.targets(scope, path.slice(0, path.indexOf(".")));
  return direct.filter((d) => isIn(d) && outers.some(({ file }) => file === d.file));
}

const isOf = ({ file, declaration }: Definition, target: Target) =>
  file === target.file &&
  (target.owner === undefined || declaration.owner === `${target.owner}.${target.name}`);

/** What a path leads to, as a file writes it. */
async function targetsOf(bindings: Bindings, scope: Scope, path: string): Promise<Target[]> {
  const [, before, name = path] = /^(.*?)(?:\.|::)(\w+)$/.exec(path) ?? [];
  if (before === undefined) return bindings.targets(scope, path);
  // `import("./a").Date`
  if (before === "") return [];
  const full = await bindings.fullyNamed(scope, path, name);
  if (full.length > 0 || languageNamed(scope.syntax.language)?.packageIs === "declared") return full;
  const ofModule = await bindings.memberTargets(scope, before, name);
  return path.includes("::") ? [...ofModule, ...(await bindings.pathTargets(scope, before, name))] : ofModule;
}

/** By the whole name, which another name of the file may stand for: `using Other = P.A.Date;`. */
function inNamespace({ syntax }: Scope, path: string, direct: readonly Definition[]): Definition[] {
  const clause = syntax.imports.find(({ whole }) => whole === path);
  const full = clause ? dotted(clause.module) : path;
  const ends = direct.filter((d) => `.${namespaceOf(d)}`.endsWith(`.${full}`));
  // A name in part may be that of several namespaces.
  return full.includes(".") && ends.every((d) => namespaceOf(d) === full) ? ends : [];
}
