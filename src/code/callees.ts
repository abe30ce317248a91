import { Bindings } from "./bindings.ts";
import { type Definition, findExact } from "./definitions.ts";
import { isShadowed, type Occurrence, occurrencesOf } from "./occurrences.ts";
import type { ParsedFile, Project } from "./project.ts";
import { receiverType } from "./receivers.ts";

export interface Callee {
  callee: Definition;
  /** False where only the name agrees. */
  certain: boolean;
}

/** More members of one name than this, and nothing can be said about which is meant. */
const fewMembers = 3;

/** What a function calls: every called name in its text, led to where it is declared. What lies outside is left out. */
export async function findCallees(
  project: Project,
  bindings: Bindings,
  { file: path, declaration }: Definition,
): Promise<Callee[]> {
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
      found.push(...(await meant(real.length > 0 ? real : possible, file, name, call, bindings)));
  }
  return found;
}

async function meant(
  possible: Definition[],
  file: ParsedFile,
  name: string,
  call: Occurrence,
  bindings: Bindings,
): Promise<Callee[]> {
  const certainly = (callee: Definition | undefined) => (callee ? [{ callee, certain: true }] : []);
  const { receiver, offset } = call;
  if (receiver === undefined) {
    const bare = possible.filter((d) => d.declaration.kind !== "method" || d.file === file.path);
    const nested = bare.find(
      (d) => d.file === file.path && d.declaration.parent >= 0 && isShadowed(file.syntax, name, offset),
    );
    if (nested || isShadowed(file.syntax, name, offset)) return certainly(nested);
    if (!Bindings.isStrict(file.syntax)) return certainly(bare.find((d) => d.file === file.path) ?? bare[0]);
    for (const d of bare) if (await bindings.means(file, name, { file: d.file, name })) return certainly(d);
    return [];
  }
  for (const d of possible)
    if (await bindings.meansMember(file, receiver, name, { file: d.file, name })) return certainly(d);
  const members = possible.filter((d) => d.declaration.kind === "method");
  const type = receiverType(file, receiver, offset);
  if (type !== undefined)
    return certainly(members.find((d) => d.declaration.owner?.split(".").at(-1) === type));
  return members.length <= fewMembers ? members.map((callee) => ({ callee, certain: false })) : [];
}
