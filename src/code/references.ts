import { Bindings, type Target } from "./bindings.ts";
import type { Definition } from "./definitions.ts";
import { typeKinds } from "./languages/language.ts";
import type { ModuleFiles } from "./module-files.ts";
import { isShadowed, type Occurrence, occurrencesOf } from "./occurrences.ts";
import type { ParsedFile, Project } from "./project.ts";
import { familyOf, receiverType } from "./receivers.ts";
import { lineFinder } from "./signature.ts";
import { enclosing, qualifiedName } from "./syntax.ts";

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
  const judge = await judgeFor(project, bindings, definition);
  const found: Reference[] = [];
  const files = project.words
    .withWord(name)
    .map(({ file }) => file.path)
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
async function judgeFor(project: Project, bindings: Bindings, definition: Definition): Promise<Judge> {
  const { declaration, syntax } = definition;
  const parent = syntax.declarations[declaration.parent];
  if (parent && (parent.kind === "func" || parent.kind === "method")) return judgeNested(definition, parent);
  const inType =
    (parent && typeKinds.has(parent.kind)) ||
    (declaration.owner !== undefined && declaration.kind !== "type" && parent?.kind !== "module");
  return inType ? await judgeMember(project, definition) : judgeTop(bindings, definition);
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

function judgeTop(bindings: Bindings, { file: home, declaration, syntax: own }: Definition): Judge {
  const target: Target = { file: home, name: declaration.name };
  return async (file) => {
    const strict = Bindings.isStrict(file.syntax);
    const names = strict ? await bindings.namesFor(file, target) : new Set([target.name]);
    const found: Judged[] = [];
    for (const name of new Set([...names, target.name])) {
      for (const occurrence of occurrencesOf(name, file.source, file.syntax)) {
        const { offset, receiver } = occurrence;
        const inImport = file.syntax.imports.find((clause) => clause.start <= offset && offset < clause.end);
        if (inImport) {
          const leads = !strict || (await leadsTo(bindings, file, inImport, name, target));
          if (leads) found.push({ ...occurrence, called: false, certain: true });
        } else if (receiver === undefined) {
          if (names.has(name) && !isShadowed(file.syntax, name, offset))
            found.push({ ...occurrence, certain: true });
        } else if (!strict || receiver === "") {
          if (!strict && own.language === file.syntax.language)
            found.push({ ...occurrence, certain: receiver !== "" });
        } else if (
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
      const type = receiverType(file, receiver, offset);
      if (type === undefined) {
        if (file.syntax.language === syntax.language || sameEcma(file.syntax.language, syntax.language)) {
          found.push({ ...occurrence, certain: isUnique });
        }
      } else if (family.has(type) || (file.path === home && type === owner))
        found.push({ ...occurrence, certain: true });
    }
    return found;
  };
}

const sameEcma = (a: string, b: string) =>
  /^(?:TypeScript|TSX|JavaScript)$/.test(a) && /^(?:TypeScript|TSX|JavaScript)$/.test(b);

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
