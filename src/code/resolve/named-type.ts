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
  return { ...unwrapped(held[1], rest.slice(held[0].length), language), holder: name };
}

/** The type that all of them say; what holds it only where that is the same, too. */
export function agreed(types: readonly (NamedType | undefined)[]): NamedType | undefined {
  const [first] = types;
  if (!first || !types.every((type) => type?.name === first.name && placeOf(type) === placeOf(first)))
    return undefined;
  if (types.every((type) => type?.holder === first.holder)) return first;
  const { holder: _, ...held } = first;
  return held;
}

/** Types of one name in several packages are several types. */
const placeOf = ({ space, file }: NamedType) => space ?? (file === undefined ? "" : posix.dirname(file));
