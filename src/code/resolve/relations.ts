import { posix } from "node:path";
import { typeKinds } from "../languages/language.ts";
import type { Project } from "../project/project.ts";
import { qualifiedName } from "../syntax/syntax.ts";
import { type Definition, findExact } from "./definitions.ts";

/** The types that name this one as their parent, directly. */
export async function inheritorsOf(project: Project, { declaration }: Definition): Promise<Definition[]> {
  const found = new Map<string, Definition>();
  for (const { file } of project.words.withWord(declaration.name)) {
    const syntax = file.language ? await project.syntax(file) : undefined;
    for (const { child, parent } of syntax?.inherits ?? []) {
      if (!syntax || parent !== declaration.name) continue;
      const own = syntax.declarations.find((d) => d.name === child && typeKinds.has(d.kind));
      const definitions = own
        ? [{ file: file.path, declaration: own, syntax, distance: 0 as const }]
        : (await findExact(project, child, "type")).slice(0, 1);
      for (const d of definitions) found.set(`${d.file}:${d.declaration.line}`, d);
    }
  }
  return [...found.values()];
}

/** Go: the types that have every method of the interface, whether or not they mean it. */
export async function implementersByShape(project: Project, wanted: Definition): Promise<Definition[]> {
  const methods = wanted.syntax.declarations
    .filter((d) => d.kind === "method" && d.owner === qualifiedName(wanted.declaration))
    .map((d) => d.name);
  // The rarest method leads to the fewest types.
  const [rarest] = methods.toSorted(
    (a, b) => project.words.withWord(a).length - project.words.withWord(b).length,
  );
  if (!rarest) return [];
  const found = new Map<string, Definition>();
  for (const { file, declaration } of await findExact(project, rarest, "method")) {
    if (declaration.bodiless || !declaration.owner) continue;
    const key = `${posix.dirname(file)} ${declaration.owner}`;
    if (found.has(key)) continue;
    const owned = await methodsOf(project, file, declaration.owner);
    if (!methods.every((method) => owned.has(method))) continue;
    const type = (await findExact(project, declaration.owner, "type")).find(
      (d) => posix.dirname(d.file) === posix.dirname(file),
    );
    if (type) found.set(key, type);
  }
  return [...found.values()];
}

/** Names of the methods that a Go package gives a type. */
async function methodsOf(project: Project, file: string, type: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { file: other } of project.words.withWord(type)) {
    if (posix.dirname(other.path) !== posix.dirname(file) || other.language !== "Go") continue;
    for (const d of (await project.syntax(other))?.declarations ?? [])
      if (d.owner === type && d.kind === "method") names.add(d.name);
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
    const shaped =
      one.syntax.language === "Go"
        ? new Set((await implementersByShape(project, one)).map((d) => `${d.file}:${d.declaration.line}`))
        : new Set();
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
