/**
 * A symbol as a question names it: `Plan`, `Planner.Plan`, `pkg.Type.method`, `ns::Type`, `A#b`, `A:b`, `src/a.ts#foo`,
 * `example.org/x/brain.Planner.Plan`.
 */
export interface SymbolName {
  name: string;
  /** What stands before the name, outermost first. */
  qualifiers: string[];
  /** A file or directory it must be in. */
  path?: string;
  /** The qualifiers begin with an import path, whose first parts may name no folder here. */
  imported?: boolean;
}

export function parseSymbol(text: string): SymbolName {
  // `r#type` is the name `type` in Rust.
  const trimmed = text
    .trim()
    .replace(/\(\)$/, "")
    .replace(/\br#(?=[a-z]+$)/, "");
  const hash = trimmed.indexOf("#");
  const before = trimmed.slice(0, Math.max(0, hash));
  // `src/a.ts#foo` names a file; `Cart#total` a type and its method.
  if (/\/|\.\w+$/.test(before)) {
    const { name, qualifiers } = parseSymbol(trimmed.slice(hash + 1));
    return { name, qualifiers, path: before.replace(/^\.\//, "") };
  }
  // `Vector.+`, `List.::` in Scala.
  const sign = /^(.*[\p{L}\p{N}_])\.([-+*/%&|^<>=!~?:@]+)$/u.exec(trimmed);
  if (sign?.[2]) return { name: sign[2], qualifiers: partsOf(sign[1] ?? "") };
  const operator = /^(?:(.*?)(?:::|\.))?(~\w+|operator\W.*)$/.exec(trimmed);
  if (operator?.[2]) return { name: operator[2], qualifiers: partsOf(operator[1] ?? "") };
  const parts = partsOf(trimmed);
  const imported = /^[\w-]+(?:\.[\w-]+)+\/./.test(trimmed);
  return { name: parts.at(-1) ?? trimmed, qualifiers: parts.slice(0, -1), ...(imported && { imported }) };
}

/** `Type.#name` and `Type##name` are private names. */
const partsOf = (text: string) =>
  text
    .split(/::|->|[.:/\\]|(?<=[^.#])#/)
    .filter(
      (part, i, all) =>
        part !== "" && (i === all.length - 1 || !/^(?:crate|self|super|prototype)$/.test(part)),
    );

/** Whether a declaration stands within what the question's qualifiers name: types, packages, modules, directories. */
export function isWithin(
  { qualifiers, path, imported }: SymbolName,
  place: { file: string; package?: string | undefined; owner?: string | undefined },
): boolean {
  if (
    path !== undefined &&
    place.file !== path &&
    !place.file.endsWith(`/${path}`) &&
    !place.file.startsWith(`${path}/`) &&
    !place.file.startsWith(`${path}.`)
  )
    return false;
  const around = [
    ...place.file.replace(/\.\w+$/, "").split("/"),
    ...(place.package?.split(/\.|::|\\/) ?? []),
    ...(place.owner?.split(/[.\\]/) ?? []),
  ];
  let at = around.length;
  let matched = 0;
  for (const qualifier of qualifiers.toReversed()) {
    at = around.lastIndexOf(qualifier.replace(/^[*&]|<.*$/g, ""), at - 1);
    if (at < 0) return imported === true && matched > 0;
    matched++;
  }
  return true;
}
