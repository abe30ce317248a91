import type { Language } from "../languages/language.ts";
import type { Local } from "../syntax/syntax.ts";
import { placesOf } from "./occurrences.ts";

/** Whether a variable without a written type may get values of other types than its first one: `let a = new A(); a = new B();`. */
export function isSetToOthers(
  source: string,
  [name, at, start, end]: Local,
  type: { name: string },
  language: Language,
): boolean {
  if (language.family !== "script") return false;
  const isWritten = /^\s*[?!]?\s*:/.test(source.slice(at + name.length, at + name.length + 10));
  const isConstant = /\bconst\s+$/.test(source.slice(Math.max(0, at - 20), at));
  if (isWritten || isConstant) return false;
  return placesOf(name, source.slice(start, end), language)
    .map((offset) => offset + start)
    .filter((offset) => offset !== at && !/[.]\s*$/.test(source.slice(Math.max(0, offset - 10), offset)))
    .some((offset) => {
      const value = /^\s*(?:\|\||&&|\?\?)?=(?![=>])\s*([^;\n]*)/.exec(
        source.slice(offset + name.length, offset + name.length + 200),
      )?.[1];
      return value !== undefined && !isOfType(value, type.name);
    });
}

/** `null` says nothing against a type. */
const isOfType = (value: string, type: string) =>
  /^(?:null|undefined|void 0)\b/.test(value) ||
  /^(?:await\s+)?new\s+(?:[\w$]+\.)*([\w$]+)/.exec(value)?.[1] === type;
