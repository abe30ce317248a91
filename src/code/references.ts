import { Bindings, type Target } from "./bindings.ts";
import type { Definition } from "./definitions.ts";
import { typeKinds } from "./languages/language.ts";
import type { ModuleFiles } from "./module-files.ts";
import { isShadowed, type Occurrence, occurrencesOf } from "./occurrences.ts";
import type { ParsedFile, Project } from "./project.ts";
import { familyOf, receiverType } from "./receivers.ts";
import { lineFinder } from "./signature.ts";
import { enclosing, qualifiedName } from "./syntax.ts";
import { namespaceOf, Visibility } from "./visibility.ts";

export interface Reference {
  file: string;
  line: number;
  column: number;
  /** The line it stands in, trimmed. */
  text: string;
  kind: "call" | "import" | "use";
  /** The function or type around it; none at the top of the file. */
  within?: string;
  /** Line of that declaration, for who wants to read it. */
  withinLine?: number;
  /** False where only the name agrees: the receiver's type is unknown and several types have such a member. */
  certain: boolean;
}

/** Every use of a definition, by file and line. `under` limits the search to a file or folder. */
export async function findReferences(
  project: Project,
  modules: ModuleFiles,
  definition: Definition,
  under = ".",
): Promise<Reference[]> {
  const { name } = definition.declaration;
  const bindings = new Bindings(project, modules);
  const visibility = new Visibility(project, modules);
  const judge = await judgeFor(project, bindings, visibility, definition);
  const found: Reference[] = [];
  // In PHP a field is declared with the sign that a variable has.
  const words = definition.syntax.language === "PHP" ? [name, `$${name}`] : [name];
  const files = [
    ...new Set(words.flatMap((word) => project.words.withWord(word).map(({ file }) => file.path))),
  ]
    .filter((path) => under === "." || path === under || path.startsWith(`${under}/`))
    .sort();
  for (const path of files) {
    const file = await project.parsed(path);
    if (!file) continue;
    const lineOf = lineFinder(file.source);
    for (const occurrence of await judge(file)) {
      found.push(referenceAt(file, occurrence, lineOf));
    }
  }
  return found;
}

interface Judged extends Occurrence {
  certain: boolean;
}
type Judge = (file: ParsedFile) => Promise<Judged[]>;

/** How to tell a reference from a namesake depends on what the definition is. */
async function judgeFor(
  project: Project,
  bindings: Bindings,
  visibility: Visibility,
  definition: Definition,
): Promise<Judge> {
  const { declaration, syntax } = definition;
  const parent = syntax.declarations[declaration.parent];
  if (parent && (parent.kind === "func" || parent.kind === "method")) return judgeNested(definition, parent);
  const inType =
    (parent && typeKinds.has(parent.kind)) ||
    (declaration.owner !== undefined && declaration.kind !== "type" && parent?.kind !== "module");
  if (inType) return judgeMember(project, bindings, definition);
  return Bindings.isStrict(syntax) ? judgeImported(bindings, definition) : judgeSeen(visibility, definition);
}

/** A function inside a function is seen only there. */
function judgeNested({ file: home, declaration }: Definition, around: { start: number; end: number }): Judge {
  return async ({ path, source, syntax }) =>
    path !== home
      ? []
      : occurrencesOf(declaration.name, source, syntax)
          .filter(
            ({ offset, receiver }) => receiver === undefined && offset >= around.start && offset < around.end,
          )
          .map((occurrence) => ({ ...occurrence, certain: true }));
}

/** Where names are imported one by one, or come with their package. */
function judgeImported(bindings: Bindings, { file: home, declaration }: Definition): Judge {
  const target: Target = { file: home, name: declaration.name };
  return async (file) => {
    if (!Bindings.isStrict(file.syntax)) return [];
    const names = await bindings.namesFor(file, target);
    const found: Judged[] = [];
    for (const name of new Set([...names, target.name])) {
      for (const occurrence of occurrencesOf(name, file.source, file.syntax)) {
        const { offset, receiver } = occurrence;
        const inImport = file.syntax.imports.find((clause) => clause.start <= offset && offset < clause.end);
        if (inImport) {
          if (await leadsTo(bindings, file, inImport, name, target))
            found.push({ ...occurrence, called: false, certain: true });
        } else if (receiver === undefined) {
          if (names.has(name) && !isShadowed(file.syntax, name, offset))
            found.push({ ...occurrence, certain: true });
        } else if (
          receiver !== "" &&
          name === target.name &&
          !isShadowed(file.syntax, receiver, offset) &&
          ((await bindings.meansMember(file, receiver, name, target)) ||
            isNamespaceOf(declaration.owner, receiver) ||
            rustPath(file, receiver, home))
        ) {
          found.push({ ...occurrence, certain: true });
        }
      }
    }
    return found.sort((a, b) => a.offset - b.offset);
  };
}

/** Where whole files, namespaces or everything is in sight. */
function judgeSeen(visibility: Visibility, target: Definition): Judge {
  const space = namespaceOf(target);
  return async (file) => {
    const sight = await visibility.sight(file, target);
    const found: Judged[] = [];
    for (const name of namesOf(file.syntax, target)) {
      for (const occurrence of occurrencesOf(name, file.source, file.syntax)) {
        const { offset, receiver } = occurrence;
        const qualifier = receiver ?? qualifierBefore(file, offset);
        if (file.syntax.imports.some((clause) => clause.start <= offset && offset < clause.end)) {
          if (sight === "sure" && name === target.declaration.name)
            found.push({ ...occurrence, called: false, certain: true });
        } else if (qualifier) {
          // Behind a dot stands a member, unless the receiver is the namespace; that one need not be imported.
          const isReachable = sight !== "no" || /^(?:PHP|C#)$/.test(file.syntax.language);
          if (isReachable && isNamespaceOf(space, qualifier)) found.push({ ...occurrence, certain: true });
        } else if (
          sight !== "no" &&
          (receiver === undefined || occurrence.scoped) &&
          !isShadowed(file.syntax, name, offset)
        ) {
          found.push({ ...occurrence, certain: sight === "sure" });
        }
      }
    }
    return found.sort((a, b) => a.offset - b.offset);
  };
}

/** The names that a file may call something by: its own, and those that an import gives it. */
function namesOf(syntax: ParsedFile["syntax"], target: Definition): Set<string> {
  const { name } = target.declaration;
  const full = `${namespaceOf(target)}.${name}`;
  const aliases = syntax.imports
    .filter(({ module }) => module.replaceAll("\\", ".") === full)
    .flatMap(({ names, whole }) => whole ?? names?.map(([, alias]) => alias) ?? []);
  return new Set([name, ...aliases]);
}

/** In PHP, the last part of what stands before `\name`. */
function qualifierBefore({ source, syntax }: ParsedFile, offset: number): string | undefined {
  if (syntax.language !== "PHP" || source[offset - 1] !== "\\") return undefined;
  return /(\w+)\\$/.exec(source.slice(Math.max(0, offset - 80), offset))?.[1];
}

const isNamespaceOf = (owner: string | undefined, receiver: string) =>
  owner !== undefined && owner.split(".").at(-1) === receiver;

/** `module::name` in Rust names the module by its file. */
function rustPath({ syntax }: ParsedFile, receiver: string, home: string): boolean {
  return (
    syntax.language === "Rust" &&
    new RegExp(`(?:^|/)${receiver}(?:\\.rs|/mod\\.rs)$|/src/lib\\.rs$`).test(home)
  );
}

async function leadsTo(
  bindings: Bindings,
  file: ParsedFile,
  clause: ParsedFile["syntax"]["imports"][number],
  name: string,
  target: Target,
): Promise<boolean> {
  const all = file.syntax.imports.filter((other) => other.start === clause.start);
  for (const one of all) {
    const pair = one.names?.find(([imported, alias]) => imported === name || alias === name);
    if (pair && (await bindings.means(file, pair[1], target))) return true;
    if (
      pair &&
      one.reexport &&
      (await bindings.means(
        { path: file.path, syntax: { ...file.syntax, declarations: [] } },
        pair[1],
        target,
      ))
    )
      return true;
  }
  return false;
}

/** A member belongs to whoever's type it is: known for `this`, for types and for variables that say their type. */
async function judgeMember(
  project: Project,
  bindings: Bindings,
  { declaration, file: home, syntax }: Definition,
): Promise<Judge> {
  const { name } = declaration;
  const owner = declaration.owner?.split(".").at(-1) ?? "";
  const family = await familyOf(project, owner);
  const owners = new Set(
    (
      await Promise.all(
        project.declaring(name).map(async (file) => (await project.syntax(file))?.declarations ?? []),
      )
    )
      .flat()
      .filter(
        (d) =>
          d.name === name &&
          d.owner &&
          !d.owner.includes("(") &&
          (d.kind === "method" || d.kind === "field" || d.kind === "const"),
      )
      .map((d) => d.owner?.split(".").at(-1) ?? ""),
  );
  const isUnique = [...owners].every((other) => family.has(other));
  return async (file) => {
    const found: Judged[] = [];
    for (const occurrence of occurrencesOf(name, file.source, file.syntax)) {
      const { offset, receiver } = occurrence;
      if (receiver === undefined) {
        // Without a receiver: a member of the type around it, in languages where `this` need not be written.
        const implicit = /^(?:Java|Kotlin|C\+\+|C#|Swift|Scala|Ruby|PHP)$/.test(file.syntax.language);
        const around = implicit && enclosing(file.syntax, offset)?.owner?.split(".").at(-1);
        if (around && family.has(around) && !isShadowed(file.syntax, name, offset))
          found.push({ ...occurrence, certain: true });
        continue;
      }
      const modules = moduleFiles(bindings, file, receiver);
      if (modules.length > 0) {
        if (modules.includes(home)) found.push({ ...occurrence, certain: true });
        continue;
      }
      const type = await receiverType(project, file, occurrence);
      if (type === undefined) {
        if (areKin(file.syntax.language, syntax.language)) {
          found.push({ ...occurrence, certain: isUnique });
        }
      } else if (family.has(type) || (file.path === home && type === owner))
        found.push({ ...occurrence, certain: true });
    }
    return found;
  };
}

/** A table that is a module, in Lua: the file that it comes from. */
function moduleFiles(bindings: Bindings, file: ParsedFile, receiver: string): string[] {
  if (file.syntax.language !== "Lua") return [];
  return file.syntax.imports
    .filter(({ whole }) => whole === receiver)
    .flatMap((clause) => bindings.files(file, clause));
}

const areKin = (a: string, b: string) =>
  a === b ||
  (/^(?:TypeScript|TSX|JavaScript)$/.test(a) && /^(?:TypeScript|TSX|JavaScript)$/.test(b)) ||
  (/^C(?:\+\+)?$/.test(a) && /^C(?:\+\+)?$/.test(b));

function referenceAt(
  { path, source, syntax }: ParsedFile,
  { offset, called, certain }: Judged,
  lineOf: (offset: number) => number,
): Reference {
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = source.indexOf("\n", offset);
  const around = enclosing(syntax, offset);
  const isImport = syntax.imports.some((clause) => clause.start <= offset && offset < clause.end);
  return {
    file: path,
    line: lineOf(offset),
    column: offset - lineStart + 1,
    text: source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd).trim(),
    kind: isImport ? "import" : called ? "call" : "use",
    ...(around && { within: qualifiedName(around), withinLine: around.line }),
    certain,
  };
}
