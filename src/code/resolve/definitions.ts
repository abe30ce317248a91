import { pathKind } from "../files/path-kind.ts";
import { type Kind, typeKinds } from "../languages/language.ts";
import { languageNamed, languages } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { isAdding } from "../syntax/assignments.ts";
import { isWithin, parseSymbol, type SymbolName } from "../syntax/symbol-name.ts";
import { type Declaration, type FileSyntax, qualifiedName } from "../syntax/syntax.ts";
import { lowerBytes } from "../word-index/grams.ts";
import type { IndexedFile } from "../word-index/segment.ts";
import { parentsOf } from "./parents.ts";

/** A declaration with the file it stands in. */
export interface Definition {
  file: string;
  declaration: Declaration;
  syntax: FileSyntax;
  /** 0: the very name; 1: in another case; 2: the name is part of it. */
  distance: 0 | 1 | 2;
}

/** Below this many unparsed bytes, all of them are simply parsed. */
const fewBytes = 3_000_000;

/** `type` stands for every kind of type. */
export function isOfKind(declaration: Declaration, kind: Kind | undefined): boolean {
  if (kind === undefined || declaration.kind === kind) return true;
  return kind === "type" && typeKinds.has(declaration.kind);
}

/** Everything declared under a name, best first: the very name, then other cases, then names that hold it. */
export async function findDefinitions(project: Project, symbol: string, kind?: Kind): Promise<Definition[]> {
  const written = await asWritten(project, symbol, kind);
  if (written.length > 0) return rank(written);
  const wanted = parseSymbol(symbol);
  await parseLikely(project, wanted.name, { kind });
  const own = await declarationsOf(project, [wanted.name], wanted, kind);
  const exact = own.length > 0 ? own : await inheritedMembers(project, wanted, kind);
  const names =
    wanted.name.length > 1 ? project.namesWith(wanted.name).filter((name) => name !== wanted.name) : [];
  const near = names.sort((a, b) => a.length - b.length).slice(0, 400);
  const partial =
    wanted.qualifiers.length > 0 && exact.length > 0 ? [] : await declarationsOf(project, near, wanted, kind);
  return rank([...exact, ...partial]);
}

/** Without the heads (prototypes, overloads) of what is also defined with a body. */
export function withoutHeads(found: Definition[]): Definition[] {
  const bodies = new Set(found.filter((d) => !d.declaration.bodiless).map(titleOf));
  return found.filter((d) => !d.declaration.bodiless || !bodies.has(titleOf(d)));
}

/** Only what is declared under exactly this name. */
export async function findExact(project: Project, symbol: string, kind?: Kind): Promise<Definition[]> {
  const written = await asWritten(project, symbol, kind);
  if (written.length > 0) return rank(written);
  const wanted = parseSymbol(symbol);
  await parseLikely(project, wanted.name, { mayBePart: !isWord.test(wanted.name) });
  const found = await declarationsOf(project, [wanted.name], wanted, kind);
  if (found.length > 0) return rank(found);
  const marks = await marksCalled(project, wanted, kind);
  return rank(marks.length > 0 ? marks : await inheritedMembers(project, wanted, kind));
}

/** The types that mark declarations under a name without its end: `Mark` of `MarkAttribute`. */
async function marksCalled(
  project: Project,
  wanted: SymbolName,
  kind: Kind | undefined,
): Promise<Definition[]> {
  const found: Definition[] = [];
  for (const { name: language, marks } of languages) {
    if (!marks) continue;
    const name = `${wanted.name}${marks.suffix}`;
    for (const d of await declarationsOf(project, [name], { ...wanted, name }, kind))
      if (d.syntax.language === language && typeKinds.has(d.declaration.kind)) found.push(d);
  }
  return found;
}

/** `Sub.name`, where only a parent of `Sub` declares the name: that of the nearest parents. */
async function inheritedMembers(
  project: Project,
  { name, qualifiers, path }: SymbolName,
  kind: Kind | undefined,
): Promise<Definition[]> {
  const type = qualifiers.at(-1);
  if (type === undefined || path !== undefined || project.declaring(name).length === 0) return [];
  const known = new Set([type]);
  let front = [type];
  while (front.length > 0 && known.size < 200) {
    const parents = new Set<string>();
    for (const below of front) {
      await parse(project, holdersOf(project, below));
      for (const parent of await parentsOf(project, below)) if (!known.has(parent)) parents.add(parent);
    }
    front = [...parents];
    const all = await Promise.all(
      front.map((parent) => declarationsOf(project, [name], { name, qualifiers: [parent] }, kind)),
    );
    const found = all.flatMap((some, i) => some.filter((d) => lastOwnerOf(d) === front[i]));
    if (found.length > 0) return found;
    for (const parent of front) known.add(parent);
  }
  return [];
}

const lastOwnerOf = ({ declaration: { owner = "" } }: Definition) => owner.slice(owner.lastIndexOf(".") + 1);

/** `file#Type.name` as answers print it, or `file:line`: exactly that, in exactly that file. */
async function asWritten(project: Project, symbol: string, kind: Kind | undefined): Promise<Definition[]> {
  const [, path = "", line] = /^(.+?):(\d+)(?::\d+)?$/.exec(symbol.trim().replace(/^\.\//, "")) ?? [];
  if (line !== undefined && path !== "") return declaredAt(project, path, Number(line), kind);
  // In `src/a.ts#Type.#name` the first one ends the path.
  const hash = symbol.indexOf("#");
  const file = hash < 0 ? undefined : project.words.file(symbol.slice(0, hash).trim().replace(/^\.\//, ""));
  const rest = symbol
    .slice(hash + 1)
    .trim()
    .replace(/\(\)$/, "");
  const syntax = file && (await project.syntax(file));
  if (!syntax || !file) return [];
  return syntax.declarations
    .filter((d) => qualifiedName(d) === rest && isOfKind(d, kind))
    .map((declaration) => ({ file: file.path, declaration, syntax, distance: 0 }));
}

/** The first that a line declares, and what else has its name there. */
async function declaredAt(
  project: Project,
  path: string,
  line: number,
  kind: Kind | undefined,
): Promise<Definition[]> {
  const file = project.words.file(path);
  const syntax = file && (await project.syntax(file));
  const there = syntax?.declarations.filter((d) => d.line === line && isOfKind(d, kind)) ?? [];
  return syntax
    ? there
        .filter((d) => qualifiedName(d) === qualifiedName(there[0] ?? d))
        .map((declaration) => ({ file: path, declaration, syntax, distance: 0 }))
    : [];
}

/** The target under which a definition is asked for again. */
export const targetOf = ({ file, declaration }: Definition) => `${file}#${qualifiedName(declaration)}`;

/** Types whose name a pattern with `*` and `?` matches as a whole, in any case. By name, then by file. */
export async function findTypes(project: Project, pattern: string, kind?: Kind): Promise<Definition[]> {
  const wanted = parseSymbol(pattern);
  const expression = new RegExp(
    `^${wanted.name
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
    "i",
  );
  const found: Definition[] = [];
  for (const name of project.namesLike(expression)) {
    for (const file of project.declaring(name)) {
      const syntax = await project.syntax(file);
      for (const declaration of syntax?.declarations ?? []) {
        if (
          !syntax ||
          declaration.name !== name ||
          !typeKinds.has(declaration.kind) ||
          !isOfKind(declaration, kind)
        )
          continue;
        if (isWithin(wanted, { file: file.path, package: syntax.package, owner: declaration.owner }))
          found.push({ file: file.path, declaration, syntax, distance: 0 });
      }
    }
  }
  found.sort((a, b) =>
    a.declaration.name === b.declaration.name
      ? a.file < b.file
        ? -1
        : 1
      : a.declaration.name < b.declaration.name
        ? -1
        : 1,
  );
  return found;
}

async function declarationsOf(
  project: Project,
  names: string[],
  wanted: SymbolName,
  kind: Kind | undefined,
): Promise<Definition[]> {
  const found: Definition[] = [];
  for (const name of names) {
    const distance = name === wanted.name ? 0 : name.toLowerCase() === wanted.name.toLowerCase() ? 1 : 2;
    for (const file of project.declaring(name)) {
      const syntax = await project.syntax(file);
      for (const declaration of syntax?.declarations ?? []) {
        if (!syntax || declaration.name !== name || !isOfKind(declaration, kind)) continue;
        const place = { file: file.path, package: syntax.package, owner: declaration.owner };
        if (isWithin(wanted, place)) found.push({ file: file.path, declaration, syntax, distance });
      }
    }
  }
  return directly(found, wanted);
}

/** `Type.name` is a member of that type, and none of a type inside of it, where the type itself has one. */
function directly(found: Definition[], { qualifiers }: SymbolName): Definition[] {
  const type = qualifiers.at(-1);
  const isDirect = ({ declaration: { owner } }: Definition) => owner?.split(".").at(-1) === type;
  if (type === undefined || !found.some(isDirect)) return found;
  // What stands at the top of `Type.kt` is named so, too, but is no member of the type.
  const isType = /^\p{Lu}/u.test(type);
  return found.filter((d) => (!isType && d.declaration.owner === undefined) || isDirect(d));
}

/** While the cache is cold: parses the files that most likely declare the name, as long as patience lasts. */
async function parseLikely(
  project: Project,
  name: string,
  { kind, mayBePart = true }: { kind?: Kind | undefined; mayBePart?: boolean },
): Promise<void> {
  const pending = project.pending();
  if (pending.size === 0 || !project.isPatient()) return;
  await parse(project, holdersOf(project, name));
  const isLittle = [...pending.values()].reduce((sum, { size }) => sum + size, 0) < fewBytes;
  if (isLittle)
    await parse(
      project,
      [...pending.keys()].flatMap((path) => project.words.file(path) ?? []),
    );
  else if (mayBePart && (kind !== undefined || project.declaring(name).length === 0)) {
    const near = [...project.words.mayHold([lowerBytes(name)])].filter((file) => pending.has(file.path));
    await parse(project, near);
  }
}

/** A name that the index of words has as it is written. */
const isWord = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Files of code that are not parsed yet and hold a name (or a variable `$name`), those first that most likely declare it. */
export function holdersOf(project: Project, name: string): IndexedFile[] {
  const pending = project.pending();
  if (pending.size === 0) return [];
  return [name, `$${name}`]
    .flatMap((word) => project.words.withWord(word))
    .filter(({ file }) => pending.has(file.path))
    .sort(
      (a, b) =>
        Number(b.declared) - Number(a.declared) ||
        weightOf(a.file.path) - weightOf(b.file.path) ||
        a.file.size - b.file.size,
    )
    .map(({ file }) => file);
}

/** In this order, until the project's patience ends. */
async function parse(project: Project, files: readonly IndexedFile[]): Promise<void> {
  for (const file of files) if ((await project.syntax(file)) === undefined && project.isPending(file)) return;
}

const order: readonly Kind[] = [
  "interface",
  "class",
  "type",
  "enum",
  "func",
  "method",
  "macro",
  "module",
  "const",
  "var",
  "field",
];

function rank(found: Definition[]): Definition[] {
  const score = ({ file, declaration, distance }: Definition) =>
    distance * 1_000 +
    weightOf(file) * 50 +
    (declaration.bodiless ? 20 : 0) +
    order.indexOf(declaration.kind) +
    (declaration.owner ? 2 : 0);
  return withoutAddings(found)
    .map((definition) => ({ definition, score: score(definition) }))
    .sort(
      (a, b) =>
        a.score - b.score ||
        a.definition.declaration.name.length - b.definition.declaration.name.length ||
        a.definition.file.length - b.definition.file.length ||
        (a.definition.file < b.definition.file ? -1 : 1),
    )
    .map(({ definition }) => definition);
}

/** What only adds to a variable is no definition where something else is. */
function withoutAddings(found: Definition[]): Definition[] {
  const isAddingTo = ({ declaration, syntax }: Definition) =>
    languageNamed(syntax.language)?.assignsOuter === true && isAdding(declaration);
  const assigned = new Set(found.filter((d) => !isAddingTo(d)).map(titleOf));
  return found.filter((d) => {
    if (!isAddingTo(d)) return true;
    const isFirst = !assigned.has(titleOf(d));
    assigned.add(titleOf(d));
    return isFirst;
  });
}

/** 0 for sources, more for what is asked for less. */
function weightOf(path: string): number {
  return { source: 0, example: 2, test: 2, docs: 2, generated: 1, vendored: 3 }[pathKind(path)];
}

export const titleOf = ({ declaration }: Definition) => qualifiedName(declaration);
