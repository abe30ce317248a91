import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { Bindings } from "./bindings.ts";
import { keyOf } from "./declared.ts";
import { type Definition, findExact } from "./definitions.ts";
import type { ModuleFiles } from "./module-files.ts";
import { occurrencesOf } from "./occurrences.ts";
import type { Resolver } from "./sorting/question.ts";
import { Sorter } from "./sorting/sorting.ts";
import { Visibility } from "./visibility.ts";

export interface Callee {
  callee: Definition;
  /** False where nothing proves that this one is called. */
  certain: boolean;
  /** Where it is called, as offsets in the file. */
  at: number[];
}

/** More candidates of one name than this, and nothing can be said about which is meant. */
const fewCandidates = 3;

/**
 * What a part of a file calls, such as a function: every called name in its text, resolved to its declaration. What is
 * declared outside the workspace is left out.
 */
export async function findCallees(
  resolver: Resolver,
  path: string,
  { start, end }: { start: number; end: number },
  isAskedFor: (name: string) => boolean = () => true,
): Promise<Callee[]> {
  const file = await resolver.project.parsed(path);
  if (!file) return [];
  const found = new Map<string, Callee>();
  const words = languageNamed(file.syntax.language)?.nameSigns ? wordsWithSigns : plainWords;
  for (const name of new Set(file.source.slice(start, end).match(words))) {
    const calls = occurrencesOf(name, file.source, file.syntax).filter(
      ({ offset, called }) => called && offset >= start && offset < end,
    );
    if (calls.length === 0 || !isAskedFor(name)) continue;
    const declared = (await findExact(resolver.project, name)).filter((d) =>
      /^(?:func|method|class|macro|type)$/.test(d.declaration.kind),
    );
    const sorter = new Sorter(resolver, name, declared, declared);
    for (const call of calls) {
      const verdict = await sorter.verdict(file, call);
      if (verdict.is === "other") continue;
      const real = verdict.of.filter((d) => !d.declaration.bodiless);
      const meant = real.length > 0 ? real : verdict.of;
      if (verdict.is === "possible" && meant.length > fewCandidates) continue;
      const certain = verdict.is === "sure";
      for (const callee of certain ? meant.slice(0, 1) : meant) {
        const key = keyOf(callee);
        const before = found.get(key);
        const at = [...(before?.at ?? []), call.offset];
        found.set(key, { callee, certain: certain || before?.certain === true, at });
      }
    }
  }
  return [...found.values()];
}

const plainWords = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const wordsWithSigns = /[\p{L}_$][\p{L}\p{N}_$]*(?:[?!](?!=))?/gu;

export interface CalleeInLines extends Omit<Callee, "at"> {
  /** The lines that call it. */
  lines: number[];
}

/** What some lines of a file call. */
export async function calleesInLines(
  project: Project,
  modules: ModuleFiles,
  { file, lines: [first, last] }: { file: string; lines: readonly [number, number] },
  isAskedFor: (name: string) => boolean,
): Promise<CalleeInLines[]> {
  const source = (await project.parsed(file))?.source ?? "";
  const starts = [0, ...[...source.matchAll(/\r\n|\n|\r/g)].map(({ 0: end, index }) => index + end.length)];
  const part = { start: starts[first - 1] ?? source.length, end: starts[last] ?? source.length };
  const resolver = {
    project,
    bindings: new Bindings(project, modules),
    visibility: new Visibility(project, modules),
  };
  const lineOf = lineFinder(source);
  return (await findCallees(resolver, file, part, isAskedFor)).map(({ at, ...one }) => ({
    ...one,
    lines: [...new Set(at.map(lineOf))],
  }));
}
