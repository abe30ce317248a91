import { posix } from "node:path";
import type { Language } from "../languages/language.ts";

/** A type as a binding names it. */
export interface NamedType {
  name: string;
  /** What is written behind it: type arguments, the rest of a union. */
  rest: string;
  /** What is written before it: the name of a package. */
  space?: string;
  /** Where it is written, if that is another file. */
  file?: string;
  /** The type that holds it, in the place of which it stands: `unique_ptr`. */
  holder?: string;
  /** How it is written, where that is more than its name: `p.a.Date`. */
  path?: string;
  /** The files that name it and how they do, where that is known: types of one name are told apart by it. */
  written?: readonly WrittenName[];
}

export interface WrittenName {
  file: string;
  path: string;
}

/** The path that a name is the end of, in what a pattern found: `p.a.Date`. */
export function pathIn({ input, index, 0: text }: RegExpExecArray, name: string): Pick<NamedType, "path"> {
  const [last] = Array.from(text.matchAll(/[\w$]+/g))
    .filter(([word]) => word === name)
    .slice(-1);
  const end = last === undefined ? 0 : index + last.index + name.length;
  const path = /[\w$]*(?:(?:\.|::)[\w$]+)+$/.exec(input.slice(Math.max(0, end - 200), end))?.[0];
  return path === undefined ? {} : { path };
}

/** A type as a file names it. */
export function namedIn(file: string, { path, ...type }: NamedType): NamedType {
  return { ...type, written: [{ file, path: path ?? type.name }] };
}

/** The first type argument. */
export const heldType = /^\s*[<[]\s*["']?(?:const\s+|&|mut\s+|dyn\s+|'\w+\s*,?\s*)*(?:\w+(?:::|\.))*(\w+)/;

/** What a type that only holds another stands for. */
export function unwrapped(name: string, rest: string, language: Language): NamedType {
  const end = rest.search(/[;={\n]|\)\s*[{=-]|,\s*[\w$]+\s*[:?]/);
  const shown = end < 0 ? rest.slice(0, 120) : rest.slice(0, Math.min(end, 120));
  if (!language.wrappers?.has(name)) return { name, rest: shown };
  const held = heldType.exec(rest);
  if (!held?.[1]) return { name, rest: shown };
  return {
    ...pathIn(held, held[1]),
    ...unwrapped(held[1], rest.slice(held[0].length), language),
    holder: name,
  };
}

/** The type that all of them say; what holds it only where that is the same, too. */
export function agreed(types: readonly (NamedType | undefined)[]): NamedType | undefined {
  const [first] = types;
  if (!first || !types.every((type) => type?.name === first.name && placeOf(type) === placeOf(first)))
    return undefined;
  const { holder, written: _, ...held } = first;
  const places = types.map((type) => type?.written);
  const written = places.includes(undefined) ? undefined : places.flatMap((some) => some ?? []);
  return {
    ...held,
    ...(written && { written }),
    ...(holder !== undefined && types.every((type) => type?.holder === holder) && { holder }),
  };
}

/** Types of one name in several packages are several types. */
const placeOf = ({ space, file }: NamedType) => space ?? (file === undefined ? "" : posix.dirname(file));
