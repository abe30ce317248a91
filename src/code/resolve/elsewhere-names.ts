// The names under which other languages know a declaration: the property `name` in Kotlin that `getName()` in Java is.
import type { ElsewhereName } from "../languages/language.ts";
import { languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { type Definition, findExact } from "./definitions.ts";
import { Candidates } from "./sorting/candidates.ts";

/** A declaration under the name that files in some languages know it by. */
export interface KnownElsewhere extends Pick<ElsewhereName, "name" | "only"> {
  languages: ReadonlySet<string>;
  candidates: Candidates;
}

/** As if it were declared under those names, beside everything that really is. */
export async function elsewhereNames(
  project: Project,
  asked: readonly Definition[],
): Promise<KnownElsewhere[]> {
  const found = new Map<string, Omit<KnownElsewhere, "candidates"> & { of: Definition[] }>();
  for (const d of asked) {
    const { elsewhere } = languageNamed(d.syntax.language) ?? {};
    if (!elsewhere) continue;
    const { name, kind, signature, start, nameStart } = d.declaration;
    const source = await project.source(d.file).catch(() => "");
    const head = source.slice(start, nameStart);
    for (const { only, ...one } of elsewhere.names({ name, kind, signature, head })) {
      const key = `${one.name} ${only}`;
      const of = [...(found.get(key)?.of ?? []), { ...d, declaration: { ...d.declaration, ...one } }];
      found.set(key, { name: one.name, languages: elsewhere.languages, of, ...(only && { only }) });
    }
  }
  return Promise.all(
    [...found.values()].map(async ({ of, ...one }) => {
      const all = (await findExact(project, one.name)).filter((d) => d.declaration.name === one.name);
      return { ...one, candidates: new Candidates(one.name, of, [...of, ...all]) };
    }),
  );
}

/** Whether a name before this text is used as it says: read, or written. */
export function isUsedSo(only: ElsewhereName["only"], after: string): boolean {
  const isAssigned = /^\s*=(?!=)/.test(after);
  if (only === "read") return !isAssigned;
  return only === undefined || isAssigned || /^\s*(?:[-+*/%]=|\+\+|--)/.test(after);
}
