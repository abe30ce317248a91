// What the text around a name says of its type.
import type { Language } from "../languages/language.ts";
import { declarationBefore, declaratorType } from "./declarators.ts";
import { type NamedType, pathIn, unwrapped } from "./named-type.ts";

export function typeInText(
  text: string,
  at: number,
  name: string,
  language: Language,
): NamedType | undefined {
  const hints = language.typeHints;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(Math.max(lineStart, at - 200), at);
  if (hints.declarators) {
    const type = declaratorType(declarationBefore(text, at), language);
    if (type) return type;
  }
  const after = text.slice(at + name.length, at + name.length + 200);
  if (!hints.notAfter?.test(before) && !hints.isOneOfSeveral?.(before)) {
    for (const pattern of hints.after) {
      const found = pattern.exec(after);
      if (found && isAskedFurther(text, at + name.length + found[0].length)) return undefined;
      if (!found?.[1]) continue;
      const type = vagueless(unwrapped(found[1], after.slice(found[0].length), language), language);
      const path = type?.holder === undefined ? pathIn(found, found[1]) : {};
      return type && { ...type, ...path, ...spaceIn(found, language) };
    }
  }
  for (const pattern of hints.before ?? []) {
    const found = pattern.exec(before);
    if (!found?.[1]) continue;
    const written = found[1].split(/\.|::|\\/).at(-1) ?? found[1];
    const rest = found[0].slice(found[0].indexOf(found[1]) + found[1].length);
    const type = vagueless(unwrapped(written, rest, language), language);
    return type && { ...(type.holder === undefined && pathIn(found, written)), ...type };
  }
  return undefined;
}

/** `T(…).part`, `T::new(…).part`: what is bound is not the `T` whose name ends here, or whose arguments begin here. */
function isAskedFurther(source: string, end: number): boolean {
  if (source[end - 1] === "(") return goesOn(source, end);
  if (source[end] === "(") return goesOn(source, end + 1);
  return /^\.(?!\.)/.test(source.slice(end, end + 2));
}

/** Whether what a call gives is asked for something further, behind its arguments: `make().part`, `read()?`. */
export function goesOn(source: string, from: number): boolean {
  let depth = 1;
  for (let at = from; at < Math.min(source.length, from + 2_000); at++) {
    const sign = source[at];
    if (sign === "(") depth++;
    else if (sign === ")" && --depth === 0)
      return /^(?:\s*(?:\??\.(?!\.)|->|::)|[?[]|\s+if\b[^\n]*\belse\b)/.test(source.slice(at + 1, at + 200));
  }
  return true;
}

/** The name of a package before a type that a pattern found. */
export function spaceIn(found: RegExpExecArray, language: Language): Pick<NamedType, "space"> {
  if (language.packageIs !== "folder" || !found[1]) return {};
  const space = /(\w+)\.$/.exec(found[0].slice(0, found[0].lastIndexOf(found[1])))?.[1];
  return space === undefined ? {} : { space };
}

export const isVague = (type: string) =>
  /^(?:any|Any|AnyObject|unknown|object|Object|auto|var|val|let|dynamic|id|mixed|None|null|undefined|nil|const|mut|impl|dyn|T|U|K|V|range|func|map|chan|struct|interface|return|new|typeof|keyof|constructor|void|never)$/.test(
    type,
  );

/** A type that says something; a wrapper does not when what it holds is not written. */
export const vagueless = (type: NamedType, language: Language) =>
  isVague(type.name) || language.wrappers?.has(type.name) || language.typeHints.computed?.has(type.name)
    ? undefined
    : type;
