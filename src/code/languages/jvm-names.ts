// The names by which Kotlin and Java know what the other one declares: properties and the methods that read and set them.
import type { ElsewhereNames } from "./language.ts";

/** `getName()` and `setName(x)` are the property `name` in Kotlin, `setOpen(x)` beside `isOpen()` is `isOpen`. */
export const propertiesOfMethods: ElsewhereNames = {
  languages: new Set(["Kotlin"]),
  names({ name, kind, signature, head }) {
    if (kind !== "method" || /\bstatic\b/.test(head)) return [];
    const [, word, rest] = /^(get|set|is)(\p{Lu}\w*)$/u.exec(name) ?? [];
    const parameters = /\(([^()]*)\)[^()]*$/.exec(signature)?.[1]?.trim();
    if (!word || !rest || (parameters === "") !== (word !== "set")) return [];
    if (word === "is") return [];
    const property = { name: decapitalized(rest), kind: "field" } as const;
    if (word === "get") return [{ ...property, only: "read" }];
    return [property, { ...property, name: `is${rest}` }].map((one) => ({ ...one, only: "written" }));
  },
};

/** A property has methods in Java, a function may have another name there. */
export const methodsOfProperties: ElsewhereNames = {
  languages: new Set(["Java", "Scala"]),
  names({ name, kind, signature, head }) {
    const given = [...head.matchAll(/@(?:get:|set:)?JvmName\s*\(\s*"(\w+)"/g)].flatMap(
      ([, one]) => one ?? [],
    );
    const named = given.map((one) => ({ name: one, kind: "method" }) as const);
    const isProperty = (kind === "field" || kind === "var") && /\b(?:val|var)\s/.test(head);
    if (!isProperty || /\b(?:private|const)\b|@JvmField\b/.test(head)) return named;
    const isNamedIs = /^is\P{Ll}/u.test(name);
    const capital = isNamedIs ? name.slice(2) : name.replace(/^./u, (first) => first.toUpperCase());
    const words = [
      ...(isNamedIs ? [] : [`get${capital}`]),
      ...(/\bvar\s/.test(signature) ? [`set${capital}`] : []),
    ];
    return [...named, ...words.map((one) => ({ name: one, kind: "method" }) as const)];
  },
};

/** `URLParser` as `urlParser`, `Name` as `name`. */
const decapitalized = (name: string) =>
  name.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll})|^\p{Lu}+/u, (capitals) => capitals.toLowerCase());
