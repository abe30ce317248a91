import { typeKinds } from "../languages/language.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { enclosing, type FileSyntax } from "../syntax/syntax.ts";
import type { Occurrence } from "./occurrences.ts";

/**
 * The type that a receiver's name says it has: the type around it for `this`, the name itself for a type, and what the
 * binding of a variable says (`x: T`, `T x`, `x = new T(`). Undefined when that is not to be seen; never a guess.
 */
export async function receiverType(
  project: Project,
  { source, syntax }: ParsedFile,
  { receiver, offset, chained }: Occurrence,
): Promise<string | undefined> {
  if (!receiver) return undefined;
  if (/^(?:this|self|cls|Self|super|parent|static)$/.test(receiver) && !chained) {
    const around = enclosing(syntax, offset);
    const path =
      around && typeKinds.has(around.kind)
        ? [around.owner, around.name].filter(Boolean).join(".")
        : around?.owner;
    return path?.split(".").findLast((part) => /^\p{Lu}/u.test(part)) ?? path?.split(".").at(-1);
  }
  const isC = /^C(?:\+\+)?$/.test(syntax.language);
  // `a->b->name`: b is no variable, but what its type declares.
  if (chained && isC) return fieldType(project, receiver);
  const bound = syntax.locals
    .filter(([name, at, start, end]) => name === receiver && start <= offset && offset < end && at <= offset)
    .at(-1);
  if (bound) return typeAt(source, bound[1], receiver, isC);
  const declared = syntax.declarations.find((d) => d.name === receiver);
  if (declared)
    return typeKinds.has(declared.kind) ? receiver : typeAt(source, declared.nameStart, receiver, isC);
  const imported = syntax.imports.some((clause) => clause.names?.some(([, alias]) => alias === receiver));
  return imported && /^\p{Lu}/u.test(receiver) ? receiver : undefined;
}

/** The type of a field, where all fields of that name have the same. */
async function fieldType(project: Project, name: string): Promise<string | undefined> {
  const types = new Set<string | undefined>();
  for (const file of project.declaring(name)) {
    for (const d of (await project.syntax(file))?.declarations ?? []) {
      if (d.name === name && d.kind === "field") types.add(cType(d.signature.split(/\W*\b\w+\W*$/)[0] ?? ""));
    }
  }
  return types.size === 1 ? [...types][0] : undefined;
}

/** The type at the end of what stands before a name in C: `const struct list *`. */
function cType(before: string): string | undefined {
  const type = /([A-Za-z_]\w*)\s*(?:<[^<>]*>)?[\s*&]*$/.exec(before)?.[1];
  return type &&
    !/^(?:return|else|goto|case|sizeof|typedef|const|static|extern|auto|if|while|do|in|and|or|not)$/.test(
      type,
    )
    ? type
    : undefined;
}

/** What is written around a binding. */
function typeAt(source: string, at: number, name: string, isC: boolean): string | undefined {
  if (isC) return cType(declarationBefore(source, at));
  const after = source.slice(at + name.length, at + name.length + 200);
  const annotated =
    /^\s*[?!]?\s*:\s*(?:&\s*(?:'\w+\s+)?(?:mut\s+)?|\*|readonly\s+|Readonly<|Partial<|"|')?([\p{L}_$][\p{L}\p{N}_$.]*)/u.exec(
      after,
    )?.[1];
  if (annotated) return lastPart(annotated);
  const made =
    /^\s*:?=\s*(?:await\s+)?(?:new\s+|&)?(\p{Lu}[\p{L}\p{N}_]*)\s*(?:<[^<>()]*>)?(?:\(|\{|::new)/u.exec(
      after,
    )?.[1];
  if (made) return made;
  const goType = /^\s+(?:\*|\[\])?((?:\w+\.)?\p{Lu}\w*)/u.exec(after)?.[1];
  if (goType) return lastPart(goType);
  const before = source.slice(Math.max(0, at - 80), at);
  const written = /(?:^|[\s(,;<])((?:\w+(?:::|\.))*\p{Lu}\w*)(?:<[^<>()]*>)?[\s*&]+$/u.exec(before)?.[1];
  return written && lastPart(written.replaceAll("::", "."));
}

/** The declaration up to a name in C, without the names declared before it: `int a, *`. */
function declarationBefore(source: string, at: number): string {
  const text = source.slice(Math.max(0, at - 200), at);
  const start = Math.max(
    text.lastIndexOf(";"),
    text.lastIndexOf("{"),
    text.lastIndexOf("}"),
    text.lastIndexOf("("),
  );
  const statement = text.slice(start + 1);
  // In a parameter list a comma parts declarations; in a statement, names of one type.
  return text[start] === "("
    ? statement.slice(statement.lastIndexOf(",") + 1)
    : (statement.split(/[=,]/)[0] ?? "").replace(/\b\w+\s*(?:\[[^\]]*\]\s*)?$/, (name) =>
        statement.includes(",") || statement.includes("=") ? "" : name,
      );
}

const lastPart = (path: string) => path.slice(path.lastIndexOf(".") + 1);

/** A type with everything above and everything below it: a member of one may be called on any of them. */
export async function familyOf(project: Project, type: string): Promise<Set<string>> {
  return (await relatedTypes(project, type, "up")).union(await relatedTypes(project, type, "down"));
}

async function relatedTypes(project: Project, type: string, direction: "up" | "down"): Promise<Set<string>> {
  const found = new Set([type]);
  for (const name of found) {
    if (found.size > 200) break;
    for (const { file } of project.words.withWord(name)) {
      const syntax = file.language ? await project.syntax(file) : undefined;
      for (const { child, parent } of kinIn(syntax)) {
        const other =
          direction === "up" ? (child === name ? parent : undefined) : parent === name ? child : undefined;
        if (other !== undefined && !tooGeneral.has(other)) found.add(other);
      }
    }
  }
  return found;
}

/** Who is whose; in C, another name for a struct is the struct. */
function* kinIn(syntax: FileSyntax | undefined): Iterable<{ child: string; parent: string }> {
  yield* syntax?.inherits ?? [];
  if (!/^C(?:\+\+)?$/.test(syntax?.language ?? "")) return;
  for (const { name, kind, signature } of syntax?.declarations ?? []) {
    const tag =
      kind === "type"
        ? /^typedef (?:const )?(?:(?:struct|union|enum) )?(\w+)/.exec(signature)?.[1]
        : undefined;
    if (!tag || tag === name) continue;
    yield { child: name, parent: tag };
  }
}

/** Parents that say nothing about kinship. */
const tooGeneral = new Set("object Object Error Exception ABC Protocol Generic Enum Component".split(" "));
