import { posix } from "node:path";
import { typeKinds } from "../languages/language.ts";
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { type FileSyntax, qualifiedName } from "../syntax/syntax.ts";
import type { Bindings } from "./bindings.ts";
import { type Definition, findExact } from "./definitions.ts";

/** A type below another. */
export interface Inheritor {
  definition: Definition;
  depth: number;
  /** The type between, where it does not inherit directly. */
  via?: string;
  /** Several types have the parent's name, and which one is meant is not known. */
  byName?: boolean;
}

/** All types that name this one, or one below it, as their parent. Nearest first. */
export async function inheritorsOf(
  project: Project,
  bindings: Bindings,
  root: Definition,
): Promise<Inheritor[]> {
  const found = new Map<string, Inheritor>();
  let front: Inheritor[] = [{ definition: root, depth: 0 }];
  while (front.length > 0) {
    const next: Inheritor[] = [];
    for (const { definition: parent, depth, byName } of front) {
      for (const child of await childrenOf(project, bindings, parent)) {
        const key = `${child.definition.file}:${child.definition.declaration.line}`;
        if (found.has(key) || child.definition.declaration === root.declaration) continue;
        const inheritor: Inheritor = {
          ...child,
          depth: depth + 1,
          ...(depth > 0 && { via: parent.declaration.name }),
          ...((byName || child.byName) && { byName: true }),
        };
        found.set(key, inheritor);
        next.push(inheritor);
      }
    }
    front = next;
  }
  return [...found.values()];
}

/** The types that name this one as their parent. */
async function childrenOf(
  project: Project,
  bindings: Bindings,
  parent: Definition,
): Promise<Pick<Inheritor, "definition" | "byName">[]> {
  const { name } = parent.declaration;
  const family = familyOfLanguage(parent.syntax.language);
  const rivals = (await findExact(project, name, "type")).filter(
    (d) => d.file !== parent.file && familyOfLanguage(d.syntax.language) === family,
  );
  const found: Pick<Inheritor, "definition" | "byName">[] = [];
  // `export { Store as BaseStore }`: others know it by that name.
  const given = aliasesIn(parent.syntax, name, (clause) => clause.module === "");
  const holders = new Map(
    [name, ...given].flatMap((word) =>
      project.words.withWord(word).map(({ file }) => [file.path, file] as const),
    ),
  );
  for (const file of holders.values()) {
    if (familyOfLanguage(file.language) !== family) continue;
    const syntax = await project.syntax(file);
    if (!syntax) continue;
    const scope = { path: file.path, syntax };
    const aliases = new Set([name, ...given].flatMap((word) => aliasesIn(syntax, word)));
    for (const { child, parent: written, line } of syntax.inherits) {
      const isAlias = aliases.has(written) || given.includes(written);
      if (written !== name && !isAlias) continue;
      const meant =
        written === name
          ? await isMeant(bindings, scope, parent, rivals)
          : await isLedTo(bindings, scope, written, parent);
      if (meant === "no") continue;
      const definition = await typeNamed(project, child, { path: file.path, syntax, line });
      found.push({ definition, ...(meant === "by name" && { byName: true }) });
    }
  }
  return found;
}

/** The other names that imports of a file give to a name. */
function aliasesIn(
  { imports }: FileSyntax,
  name: string,
  isWanted: (clause: { module: string }) => boolean = () => true,
): string[] {
  return imports
    .filter(isWanted)
    .flatMap(({ names = [] }) => names)
    .flatMap(([imported, alias]) => (imported === name && alias !== name ? [alias] : []));
}

/** Whether an import leads from another name to a type. */
async function isLedTo(
  bindings: Bindings,
  scope: { path: string; syntax: FileSyntax },
  alias: string,
  type: Definition,
): Promise<"yes" | "no" | "by name"> {
  const led = await bindings.targets(scope, alias);
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
  return rivals.some((d) => isLed(d) || d.file === scope.path) ? "no" : "by name";
}

/** The declaration of a type that stands in a relation; the place of the relation where the type is none of ours. */
async function typeNamed(
  project: Project,
  name: string,
  { path, syntax, line }: { path: string; syntax: FileSyntax; line: number },
): Promise<Definition> {
  const sameName = syntax.declarations.filter(
    (d) => d.name === name && (typeKinds.has(d.kind) || d.kind === "module"),
  );
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

/** Where interfaces are implemented by shape: the types that have every method, whether or not they mean it. */
export async function implementersByShape(project: Project, wanted: Definition): Promise<Definition[]> {
  if (
    languageNamed(wanted.syntax.language)?.packageIs !== "folder" ||
    wanted.declaration.kind !== "interface"
  )
    return [];
  const methods = await shapeOf(project, wanted);
  // The rarest method leads to the fewest types.
  const [rarest] = [...methods].toSorted(
    (a, b) => project.words.withWord(a).length - project.words.withWord(b).length,
  );
  if (!rarest) return [];
  const found = new Map<string, Definition>();
  const family = familyOfLanguage(wanted.syntax.language);
  const owners = (await findExact(project, rarest, "method")).filter(
    (d) => !d.declaration.bodiless && d.declaration.owner && familyOfLanguage(d.syntax.language) === family,
  );
  const queue = owners.map(({ file, declaration }) => ({ file, type: declaration.owner ?? "" }));
  for (const { file, type } of queue) {
    const folder = posix.dirname(file);
    const key = `${folder} ${type}`;
    if (found.has(key)) continue;
    // A type has the methods of what it embeds: those that embed this one are looked at, too.
    for (const { file: other } of project.words.withWord(type)) {
      if (posix.dirname(other.path) !== folder || familyOfLanguage(other.language) !== family) continue;
      for (const { child, parent } of (await project.syntax(other))?.inherits ?? [])
        if (parent === type && !queue.some((one) => one.type === child && posix.dirname(one.file) === folder))
          queue.push({ file: other.path, type: child });
    }
    const owned = await methodsOf(project, file, type);
    if (![...methods].every((method) => owned.has(method))) continue;
    const definition = (await findExact(project, type, "type")).find((d) => posix.dirname(d.file) === folder);
    if (definition && definition.declaration.kind !== "interface") found.set(key, definition);
  }
  return [...found.values()];
}

/** The methods of an interface and of those it embeds. */
async function shapeOf(project: Project, { declaration, syntax, file }: Definition): Promise<Set<string>> {
  const methods = new Set<string>();
  const own = qualifiedName(declaration);
  for (const d of syntax.declarations) if (d.kind === "method" && d.owner === own) methods.add(d.name);
  for (const { child, parent } of syntax.inherits) {
    if (child !== declaration.name) continue;
    const embedded = (await findExact(project, parent, "interface")).toSorted(
      (a, b) =>
        Number(posix.dirname(b.file) === posix.dirname(file)) -
        Number(posix.dirname(a.file) === posix.dirname(file)),
    )[0];
    if (embedded && embedded.declaration !== declaration)
      for (const name of await shapeOf(project, embedded)) methods.add(name);
  }
  return methods;
}

/** Names of the methods that a package gives a type, those of embedded types included. */
async function methodsOf(project: Project, file: string, type: string, depth = 0): Promise<Set<string>> {
  const names = new Set<string>();
  const folder = posix.dirname(file);
  for (const { file: other } of project.words.withWord(type)) {
    if (posix.dirname(other.path) !== folder || !other.language) continue;
    const syntax = await project.syntax(other);
    for (const d of syntax?.declarations ?? [])
      if (d.owner === type && d.kind === "method") names.add(d.name);
    for (const { child, parent } of syntax?.inherits ?? []) {
      if (child !== type || depth > 3) continue;
      for (const name of await methodsOf(project, other.path, parent, depth + 1)) names.add(name);
    }
  }
  return names;
}

/** Which of the found types implement another found one. */
export async function implementing(
  project: Project,
  found: readonly Definition[],
): Promise<Map<Definition, string>> {
  const marks = new Map<Definition, string>();
  const interfaces = found.filter((d) => d.declaration.kind === "interface");
  for (const one of interfaces) {
    const shaped = new Set(
      (await implementersByShape(project, one)).map((d) => `${d.file}:${d.declaration.line}`),
    );
    for (const other of found) {
      if (other === one || other.declaration.kind === "interface") continue;
      const declared = other.syntax.inherits.some(
        ({ child, parent }) => child === other.declaration.name && parent === one.declaration.name,
      );
      if (declared || shaped.has(`${other.file}:${other.declaration.line}`))
        marks.set(other, one.declaration.name);
    }
  }
  return marks;
}
