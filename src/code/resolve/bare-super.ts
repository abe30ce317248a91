// Calls of a method by `super` alone, in a method of its name that overrides it: they do not write the name.
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { isQuiet, qualifiedName } from "../syntax/syntax.ts";
import { lastOwner, parentOf } from "./declared.ts";
import { type Definition, findExact } from "./definitions.ts";
import { parentsOf } from "./parents.ts";
import { relatedTypes } from "./type-family.ts";

const mostShown = 5;
const mostTypes = 200;
const mostAsked = 100;

interface Call {
  file: string;
  line: number;
  within: string;
}

/** That some are called by `super` alone, and where. */
export async function calledByBareSuper(
  project: Project,
  definitions: readonly Definition[],
  mayRead: (path: string) => boolean,
): Promise<string | undefined> {
  const found = new Map<string, string>();
  const methods = definitions.filter(
    ({ declaration, syntax }) =>
      declaration.kind === "method" && languageNamed(syntax.language)?.bareSuper === true,
  );
  const names = new Set(methods.map(({ declaration }) => declaration.name));
  const alike = new Map<string, Definition[]>();
  for (const name of names)
    alike.set(
      name,
      (await findExact(project, name)).filter((d) => d.declaration.kind === "method" && mayRead(d.file)),
    );
  for (const d of methods.slice(0, mostAsked))
    for (const one of await bareSupers(project, d, alike.get(d.declaration.name) ?? []))
      found.set(`${one.file}:${one.line}`, one.within);
  if (found.size === 0) return undefined;
  const places = [...found].map(([place, within]) => `${place} [${within}]`).sort();
  const shown = places.slice(0, mostShown).join(", ");
  return `Calls by super alone are not found by name: ${shown}${places.length > mostShown ? `, …and ${places.length - mostShown} more` : ""}.`;
}

async function bareSupers(
  project: Project,
  asked: Definition,
  alike: readonly Definition[],
): Promise<Call[]> {
  const { declaration, syntax, file } = asked;
  const owner = lastOwner(asked);
  const family = familyOfLanguage(syntax.language);
  const others = alike.filter(
    (d) =>
      familyOfLanguage(d.syntax.language) === family &&
      !(d.file === file && d.declaration.start === declaration.start),
  );
  if (owner === "" || others.length === 0) return [];
  const down = await relatedTypes(project, owner, "down");
  // What a type below includes or puts before itself may stand between.
  const beside = new Set<string>();
  for (const type of [...down].slice(0, mostTypes))
    for (const parent of await parentsOf(project, type)) beside.add(parent);
  const found: Call[] = [];
  for (const d of others) {
    const isBeside = parentOf(d)?.kind === "module" && beside.has(lastOwner(d));
    if (down.has(lastOwner(d)) || isBeside) found.push(...(await callsIn(project, d)));
  }
  return found;
}

/** The places of `super` in a method. */
async function callsIn(project: Project, { file, declaration, syntax }: Definition): Promise<Call[]> {
  const source = await project.source(file).catch(() => "");
  const { start, end } = declaration;
  const lineOf = lineFinder(source);
  return Array.from(
    source.slice(start, end).matchAll(/(?<![.\w@$:])super(?![\w?!:])/g),
    ({ index }) => start + index,
  )
    .filter((offset) => !isQuiet(syntax, offset))
    .map((offset) => ({ file, line: lineOf(offset), within: qualifiedName(declaration) }));
}
