import { typeKinds } from "./languages/language.ts";
import type { ParsedFile, Project } from "./project.ts";
import { enclosing } from "./syntax.ts";

/**
 * The type that a receiver's name says it has: the type around it for `this`, the name itself for a type, and what the
 * binding of a variable says (`x: T`, `T x`, `x = new T(`). Undefined when that is not to be seen; never a guess.
 */
export function receiverType(
  { source, syntax }: ParsedFile,
  receiver: string,
  offset: number,
): string | undefined {
  if (receiver === "") return undefined;
  if (/^(?:this|self|cls|Self|super)$/.test(receiver)) {
    const around = enclosing(syntax, offset);
    const path =
      around && typeKinds.has(around.kind)
        ? [around.owner, around.name].filter(Boolean).join(".")
        : around?.owner;
    return path?.split(".").findLast((part) => /^\p{Lu}/u.test(part)) ?? path?.split(".").at(-1);
  }
  const bound = syntax.locals
    .filter(([name, at, start, end]) => name === receiver && start <= offset && offset < end && at <= offset)
    .at(-1);
  if (bound) return typeAt(source, bound[1], receiver);
  const declared = syntax.declarations.find((d) => d.name === receiver);
  if (declared) return typeKinds.has(declared.kind) ? receiver : typeAt(source, declared.nameStart, receiver);
  const imported = syntax.imports.some((clause) => clause.names?.some(([, alias]) => alias === receiver));
  return imported && /^\p{Lu}/u.test(receiver) ? receiver : undefined;
}

/** What is written around a binding. */
function typeAt(source: string, at: number, name: string): string | undefined {
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

const lastPart = (path: string) => path.slice(path.lastIndexOf(".") + 1);

/** A type with everything above and everything below it: a member of one may be called on any of them. */
export async function familyOf(project: Project, type: string): Promise<Set<string>> {
  return (await kin(project, type, "up")).union(await kin(project, type, "down"));
}

async function kin(project: Project, type: string, direction: "up" | "down"): Promise<Set<string>> {
  const found = new Set([type]);
  for (const name of found) {
    if (found.size > 200) break;
    for (const { file } of project.words.withWord(name)) {
      const syntax = file.language ? await project.syntax(file) : undefined;
      for (const { child, parent } of syntax?.inherits ?? []) {
        const other =
          direction === "up" ? (child === name ? parent : undefined) : parent === name ? child : undefined;
        if (other !== undefined && !tooGeneral.has(other)) found.add(other);
      }
    }
  }
  return found;
}

/** Parents that say nothing about kinship. */
const tooGeneral = new Set("object Object Error Exception ABC Protocol Generic Enum Component".split(" "));
