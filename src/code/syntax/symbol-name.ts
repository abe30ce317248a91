/** A symbol as a question names it: `Plan`, `Planner.Plan`, `pkg.Type.method`, `ns::Type`, `src/a.ts#foo`. */
export interface SymbolName {
  name: string;
  /** What stands before the name, outermost first. */
  qualifiers: string[];
  /** A file or directory it must be in. */
  path?: string;
}

export function parseSymbol(text: string): SymbolName {
  const trimmed = text.trim().replace(/\(\)$/, "");
  const hash = trimmed.lastIndexOf("#");
  if (hash > 0) {
    const { name, qualifiers } = parseSymbol(trimmed.slice(hash + 1));
    return { name, qualifiers, path: trimmed.slice(0, hash).replace(/^\.\//, "") };
  }
  if (/^(?:~\w+|operator\W.*)$/.test(trimmed)) return { name: trimmed, qualifiers: [] };
  const parts = trimmed.split(/::|->|\.|\/|\\/).filter(Boolean);
  return { name: parts.at(-1) ?? trimmed, qualifiers: parts.slice(0, -1) };
}

/** Whether a declaration stands within what the question's qualifiers name: types, packages, modules, directories. */
export function isWithin(
  { qualifiers, path }: SymbolName,
  place: { file: string; package?: string | undefined; owner?: string | undefined },
): boolean {
  if (
    path !== undefined &&
    place.file !== path &&
    !place.file.startsWith(`${path}/`) &&
    !place.file.startsWith(`${path}.`)
  )
    return false;
  const around = [
    ...place.file.replace(/\.\w+$/, "").split("/"),
    ...(place.package?.split(/\.|::|\\/) ?? []),
    ...(place.owner?.split(".") ?? []),
  ];
  let at = around.length;
  for (const qualifier of qualifiers.toReversed()) {
    at = around.lastIndexOf(qualifier.replace(/^[*&]|<.*$/g, ""), at - 1);
    if (at < 0) return false;
  }
  return true;
}
