import { typeKinds } from "../languages/language.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { Bindings, type Target } from "./bindings.ts";
import type { Definition } from "./definitions.ts";
import { judgeMember } from "./member-judge.ts";
import { isShadowed, type Judge, type Judged, occurrencesOf } from "./occurrences.ts";
import { namespaceOf, type Visibility } from "./visibility.ts";

/** How to tell a reference from a namesake depends on what the definition is. */
export async function judgeFor(
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
