import type { ParsedFile, Project } from "../project/project.ts";
import { Bindings } from "./bindings.ts";
import { type Definition, findExact } from "./definitions.ts";
import { isShadowed, type Occurrence, occurrencesOf } from "./occurrences.ts";
import { receiverType } from "./receivers.ts";
import type { Visibility } from "./visibility.ts";

export interface Callee {
  callee: Definition;
  /** False where only the name agrees. */
  certain: boolean;
}

/** What leads a name to its declaration. */
export interface Resolver {
  project: Project;
  bindings: Bindings;
  visibility: Visibility;
}

/** More members of one name than this, and nothing can be said about which is meant. */
const fewMembers = 3;

/** What a function calls: every called name in its text, led to where it is declared. What lies outside is left out. */
export async function findCallees(
  resolver: Resolver,
  { file: path, declaration }: Definition,
): Promise<Callee[]> {
  const { project } = resolver;
  const file = await project.parsed(path);
  if (!file) return [];
  const { start, end } = declaration;
  const found: Callee[] = [];
  for (const name of new Set(file.source.slice(start, end).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu))) {
    const calls = occurrencesOf(name, file.source, file.syntax).filter(
      ({ offset, called }) => called && offset >= start && offset < end,
    );
    if (calls.length === 0) continue;
    const possible = (await findExact(project, name)).filter((d) =>
      /^(?:func|method|class|macro|type)$/.test(d.declaration.kind),
    );
    const real = possible.filter((d) => !d.declaration.bodiless);
    for (const call of calls)
      found.push(...(await meant(real.length > 0 ? real : possible, file, name, call, resolver)));
  }
  return found;
}

async function meant(
  possible: Definition[],
  file: ParsedFile,
  name: string,
  call: Occurrence,
  { project, bindings, visibility }: Resolver,
): Promise<Callee[]> {
  const certainly = (callee: Definition | undefined) => (callee ? [{ callee, certain: true }] : []);
  const { receiver, offset } = call;
  if (receiver === undefined) {
    const bare = possible.filter((d) => d.declaration.kind !== "method" || d.file === file.path);
    const nested = bare.find(
      (d) => d.file === file.path && d.declaration.parent >= 0 && isShadowed(file.syntax, name, offset),
    );
    if (nested || isShadowed(file.syntax, name, offset)) return certainly(nested);
    if (!Bindings.isStrict(file.syntax)) return seen(bare, file, visibility);
    for (const d of bare) if (await bindings.means(file, name, { file: d.file, name })) return certainly(d);
    return [];
  }
  for (const d of possible)
    if (await bindings.meansMember(file, receiver, name, { file: d.file, name })) return certainly(d);
  const members = possible.filter((d) => d.declaration.kind === "method");
  const type = await receiverType(project, file, call);
  if (type !== undefined)
    return certainly(members.find((d) => d.declaration.owner?.split(".").at(-1) === type));
  return members.length <= fewMembers ? members.map((callee) => ({ callee, certain: false })) : [];
}

/** The file's own, or what it surely sees; else whatever has the name, when those are few. */
async function seen(possible: Definition[], file: ParsedFile, visibility: Visibility): Promise<Callee[]> {
  const own = possible.find((d) => d.file === file.path);
  if (own) return [{ callee: own, certain: true }];
  const maybe: Definition[] = [];
  for (const callee of possible) {
    const sight = await visibility.sight(file, callee);
    if (sight === "sure") return [{ callee, certain: true }];
    if (sight === "by name") maybe.push(callee);
  }
  return maybe.length <= fewMembers ? maybe.map((callee) => ({ callee, certain: false })) : [];
}
