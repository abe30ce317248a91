import type { Language } from "../languages/language.ts";
import type { Declaration } from "./syntax.ts";

/** Some declarations less; those that stood in them are at the top. */
export function without(declarations: Declaration[], isDropped: (d: Declaration) => boolean): Declaration[] {
  const places = new Map<number, number>([[-1, -1]]);
  let kept = 0;
  declarations.forEach((d, i) => {
    if (!isDropped(d)) places.set(i, kept++);
  });
  if (kept === declarations.length) return declarations;
  return declarations.filter((d) => !isDropped(d)).map((d) => ({ ...d, parent: places.get(d.parent) ?? -1 }));
}

/** `name+=value` adds to what another assignment declares. */
export const isAdding = ({ kind, name, signature }: Declaration) =>
  (kind === "var" || kind === "const") && signature.startsWith(`${name}+=`);

/** Where a variable is declared by being assigned: only the first time, or where a command declares it. */
export function onceAssigned(declarations: Declaration[], { assignsOuter }: Language): Declaration[] {
  if (!assignsOuter) return declarations;
  const first = new Map<string, Declaration>();
  const isVariable = ({ kind }: Declaration) => kind === "var" || kind === "const";
  const titleOf = ({ owner, name }: Declaration) => `${owner ?? ""}.${name}`;
  const rankOf = (d: Declaration) => (d.kind === "const" ? 0 : isAdding(d) ? 2 : 1);
  for (const d of declarations) {
    const known = first.get(titleOf(d));
    if (isVariable(d) && (!known || rankOf(d) < rankOf(known))) first.set(titleOf(d), d);
  }
  return without(declarations, (d) => isVariable(d) && first.get(titleOf(d)) !== d);
}

/** `self.name`: a field that is declared by being assigned in a method. */
export const isAssignedField = ({ kind, name, signature }: Declaration) =>
  kind === "field" && new RegExp(`^(?:self|cls)\\.${name}\\b`).test(signature);

/** Of the fields that methods assign, those that the type does not declare itself, each where it is assigned first. */
export function onceAsField(declarations: Declaration[], { fieldPrefix }: Language): Declaration[] {
  if (fieldPrefix === undefined || !declarations.some(isAssignedField)) return declarations;
  const titleOf = ({ owner, name }: Declaration) => `${owner ?? ""}.${name}`;
  const known = new Set(declarations.filter((d) => !isAssignedField(d)).map(titleOf));
  const repeated = new Set<Declaration>();
  for (const d of declarations.filter(isAssignedField)) {
    if (d.owner === undefined || known.has(titleOf(d))) repeated.add(d);
    known.add(titleOf(d));
  }
  return without(declarations, (d) => repeated.has(d));
}
