import { posix } from "node:path";
import { type ImportClause, typeKinds } from "../languages/language.ts";
import { familyOfLanguage } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { typesRenamedBy } from "../syntax/declared-names.ts";
import { renamedInFile } from "../syntax/parent-types.ts";
import { type FileSyntax, qualifiedName } from "../syntax/syntax.ts";
import type { Bindings } from "./bindings.ts";
import { isTypeOrTable, keyOf, lastOwner } from "./declared.ts";
import { type Definition, findExact } from "./definitions.ts";
import { localAt } from "./occurrences.ts";
import { passedOn } from "./passed-on.ts";

/** A type below another. */
export interface Inheritor {
  definition: Definition;
  depth: number;
  /** The type between, where it does not inherit directly. */
  via?: string;
  /** Several types have the parent's name, and which one is meant is not known. */
  byName?: boolean;
}

/** A type that names another as its parent, or only gives it another name. */
interface Child {
  definition: Definition;
  byName?: boolean;
  isAlias?: boolean;
}

/** All types that name this one, or one below it, as their parent. Nearest first. */
export async function inheritorsOf(
  project: Project,
  bindings: Bindings,
  root: Definition,
): Promise<Inheritor[]> {
  const found = new Map<string, Inheritor & Child>();
  let front: Inheritor[] = [{ definition: root, depth: 0 }];
  while (front.length > 0) {
    const next: Inheritor[] = [];
    for (const { definition: parent, depth, byName } of front) {
      for (const child of await childrenOf(project, bindings, parent)) {
        const key = placeKey(child.definition);
        if (found.has(key) || child.definition.declaration === root.declaration) continue;
        const inheritor = {
          ...child,
          depth: child.isAlias ? depth : depth + 1,
          ...(depth > 0 && { via: parent.declaration.name }),
          ...((byName || child.byName) && { byName: true }),
        };
        found.set(key, inheritor);
        next.push(inheritor);
      }
    }
    front = next;
  }
  return [...found.values()].filter(({ isAlias }) => !isAlias);
}

/** Several types may stand on one line; one that is not declared here has the place of a relation. */
export const placeKey = (d: Definition) => `${keyOf(d)}:${d.declaration.line}:${d.declaration.name}`;

/** The types that name this one as their parent, and other names for it. */
async function childrenOf(project: Project, bindings: Bindings, parent: Definition): Promise<Child[]> {
  const { name } = parent.declaration;
  const family = familyOfLanguage(parent.syntax.language);
  const rivals = (await findExact(project, name, "type")).filter(
    (d) =>
      d.file !== parent.file &&
      familyOfLanguage(d.syntax.language) === family &&
      // `typedef app::types::Store Store;` is another place for the type itself.
      !typesRenamedBy(d.declaration).includes(name),
  );
  const found: Child[] = [];
  // `export { Store as BaseStore }`: others know it by that name.
  const { names, defaults } = await passedOn(project, bindings, [parent]);
  const given = [...names];
  const words = [name, ...given, ...[...defaults].flatMap((path) => bindings.wordsOf(path))];
  const holders = new Map(
    words.flatMap((word) => project.words.withWord(word).map(({ file }) => [file.path, file] as const)),
  );
  for (const file of holders.values()) {
    if (familyOfLanguage(file.language) !== family) continue;
    const syntax = await project.syntax(file);
    if (!syntax) continue;
    const scope = { path: file.path, syntax };
    const aliases = new Set([name, ...given].flatMap((word) => aliasesIn(syntax, word)));
    for (const clause of syntax.imports)
      if (bindings.files(scope, clause).some((path) => defaults.has(path)))
        for (const alias of defaultsIn(clause)) aliases.add(alias);
    for (const { child, parent: as, space, filled, line, anonymous, alias } of syntax.inherits) {
      if (alias) continue;
      const written = renamedInFile(syntax, as);
      const isAlias = aliases.has(written) || given.includes(written);
      const isFilling = filled?.includes(name) && child !== name && (await isMixin(project, written));
      if (written !== name && !isAlias && !isFilling) continue;
      const definition = anonymous
        ? namelessType(file.path, syntax, { head: child, line, range: anonymous })
        : await typeNamed(project, child, { path: file.path, syntax, line });
      if (isFilling) {
        found.push({ definition, byName: true });
        continue;
      }
      const others = rivals.filter((d) => mayBeParent(d, definition));
      let meant =
        written === name
          ? await isMeant(bindings, scope, parent, others)
          : await isLedTo(bindings, scope, { alias: written, space }, parent);
      // The owner or package that is written decides, even where another type of the name is nearer.
      if (meant === "no" && space !== undefined && isIn(parent, space)) meant = "by name";
      if (meant === "no") continue;
      found.push({ definition, ...(meant === "by name" && { byName: true }) });
    }
    found.push(...(await otherNamesIn(bindings, scope, parent, rivals)));
  }
  return found;
}

/** `Connection.Builder`, `test.Base`: a type of a type or package of that name. */
const isIn = (type: Definition, space: string) =>
  space === lastOwner(type) || space === type.syntax.package?.split(/[.\\]/).at(-1);

/** `template <class T> class Proxy : public T`: what is derived from it is below what it is filled with. */
async function isMixin(project: Project, name: string): Promise<boolean> {
  return (await findExact(project, name, "type")).some(({ declaration, syntax }) =>
    syntax.inherits.some(
      ({ child, parent }) => child === name && localAt(syntax, parent, declaration.start) !== undefined,
    ),
  );
}

/** Other names that a file gives to a type: `type Options = Base & Other`. */
async function otherNamesIn(
  bindings: Bindings,
  scope: { path: string; syntax: FileSyntax },
  type: Definition,
  rivals: readonly Definition[],
): Promise<Child[]> {
  const { path: file, syntax } = scope;
  const names = syntax.declarations.filter((d) => typesRenamedBy(d).includes(type.declaration.name));
  if (names.length === 0) return [];
  const meant = await isMeant(bindings, scope, type, rivals);
  if (meant === "no") return [];
  return names.map((declaration) => ({
    definition: { file, declaration, syntax, distance: 0 },
    isAlias: true,
    ...(meant === "by name" && { byName: true }),
  }));
}

/** Not the type itself, as in `class Handler : Batch::Handler`, nor one of its file that it does not stand beside or in. */
function mayBeParent(rival: Definition, child: Definition): boolean {
  const { owner } = rival.declaration;
  if (rival.file !== child.file) return true;
  return (
    keyOf(rival) !== keyOf(child) &&
    (owner === undefined || `${qualifiedName(child.declaration)}.`.startsWith(`${owner}.`))
  );
}

/** The other names that imports of a file give to a name. */
const aliasesIn = ({ imports }: FileSyntax, name: string): string[] =>
  imports
    .flatMap(({ names = [] }) => names)
    .flatMap(([imported, alias]) => (imported === name && alias !== name ? [alias] : []));

/** The names that an import gives to what a module is as a whole. */
const defaultsIn = ({ names = [], whole }: ImportClause): string[] => [
  ...names.flatMap(([imported, alias]) => (imported === "default" ? [alias] : [])),
  ...(whole === undefined ? [] : [whole]),
];

/** Whether an import leads from another name to a type. */
async function isLedTo(
  bindings: Bindings,
  scope: { path: string; syntax: FileSyntax },
  { alias, space }: { alias: string; space: string | undefined },
  type: Definition,
): Promise<"yes" | "no" | "by name"> {
  const led =
    space === undefined
      ? await bindings.targets(scope, alias)
      : await bindings.memberTargets(scope, space, alias);
  if (led.some(({ file, name }) => file === type.file && name === type.declaration.name)) return "yes";
  return led.length > 0 ? "no" : "by name";
}

/** Whether a type's name in a file means this one of several. */
async function isMeant(
  bindings: Bindings,
  scope: { path: string; syntax: FileSyntax },
  type: Definition,
  rivals: readonly Definition[],
): Promise<"yes" | "no" | "by name"> {
  if (rivals.length === 0 || scope.path === type.file) return "yes";
  const led = await bindings.targets(scope, type.declaration.name);
  const isLed = (d: Definition) =>
    led.some(({ file }) => file === d.file) || bindings.sharesPackage(scope, d.file, d.syntax);
  if (isLed(type)) return "yes";
  // What an import brings may replace what the file declares: `try: from .fast import Store`.
  const mayReplace = scope.syntax.imports.some(
    (clause) =>
      clause.names?.some(([, alias]) => alias === type.declaration.name) &&
      bindings.files(scope, clause).includes(type.file),
  );
  if (mayReplace) return "by name";
  return rivals.some((d) => isLed(d) || d.file === scope.path) ? "no" : "by name";
}

/** The declaration of a type that stands in a relation; the place of the relation where the type is none of ours. */
async function typeNamed(
  project: Project,
  name: string,
  { path, syntax, line }: { path: string; syntax: FileSyntax; line: number },
): Promise<Definition> {
  const sameName = syntax.declarations.filter((d) => d.name === name && isTypeOrTable(d, syntax.language));
  // Several functions of one file may each have a type of the name.
  const own = sameName.findLast((d) => d.startLine <= line && line <= d.endLine) ?? sameName[0];
  if (own) return { file: path, declaration: own, syntax, distance: 0 };
  const family = familyOfLanguage(syntax.language);
  const all = (await findExact(project, name, "type")).filter(
    (d) => familyOfLanguage(d.syntax.language) === family,
  );
  const near = all.find((d) => posix.dirname(d.file) === posix.dirname(path));
  const imported = all.find((d) =>
    syntax.imports.some((clause) => clause.names?.some(([, alias]) => alias === name) && d.file !== path),
  );
  const known = near ?? imported ?? all[0];
  if (known) return known;
  const place = { parent: -1, start: 0, end: 0, nameStart: 0, line, startLine: line, endLine: line };
  return { file: path, declaration: { name, kind: "type", signature: name, ...place }, syntax, distance: 0 };
}

/** A class without a name, which no declaration stands for: `new Base() {…}`. */
function namelessType(
  file: string,
  syntax: FileSyntax,
  { head, line, range: [start, end] }: { head: string; line: number; range: readonly [number, number] },
): Definition {
  const place = { parent: -1, start, end, nameStart: start, line, startLine: line, endLine: line };
  return { file, declaration: { name: head, kind: "class", signature: head, ...place }, syntax, distance: 0 };
}

/** Whether a declaration is a member of a class without a name, and of no type inside of it. */
export function isMemberOf({ file, declaration }: Definition, nameless: Definition): boolean {
  const { start, end } = nameless.declaration;
  const isInside = (at: number) => start <= at && at < end;
  const inner = nameless.syntax.inherits.some(
    ({ anonymous }) =>
      anonymous &&
      anonymous[0] > start &&
      anonymous[0] <= declaration.start &&
      declaration.start < anonymous[1],
  );
  const isOfType = nameless.syntax.declarations.some(
    (d) =>
      typeKinds.has(d.kind) && isInside(d.start) && d.start < declaration.start && declaration.start < d.end,
  );
  return file === nameless.file && isInside(declaration.start) && !inner && !isOfType;
}
