// Where classes without a name stand: `new Base() {…}`, `object : Base {…}`.
import { typeKinds } from "../languages/language.ts";
import type { FileSyntax } from "../syntax/syntax.ts";
import type { Definition } from "./definitions.ts";

interface Nameless {
  start: number;
  end: number;
  parents: string[];
}

/** Those around an offset that no named type inside of them holds, innermost first. */
export function namelessAround({ inherits, declarations }: FileSyntax, offset: number): Nameless[] {
  const found = new Map<number, Nameless>();
  for (const { anonymous, parent } of inherits) {
    if (!anonymous || offset < anonymous[0] || anonymous[1] <= offset) continue;
    const [start, end] = anonymous;
    const parents = [...(found.get(start)?.parents ?? []), parent];
    found.set(start, { start, end, parents });
  }
  if (found.size === 0) return [];
  const type = declarations.findLast((d) => typeKinds.has(d.kind) && d.start <= offset && offset < d.end);
  return [...found.values()]
    .filter(({ start }) => start >= (type?.start ?? 0))
    .sort((a, b) => b.start - a.start);
}

/** Where the class begins that a declaration is a member of, if it has no name. */
export const namelessOf = ({ declaration, syntax }: Definition): number | undefined =>
  typeKinds.has(declaration.kind) ? undefined : namelessAround(syntax, declaration.start)[0]?.start;
