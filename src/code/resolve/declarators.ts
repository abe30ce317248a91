// What the text of C and C++ around a place says of types: declarators, casts, braces behind a variable.
import type { Language } from "../languages/language.ts";
import { type NamedType, unwrapped } from "./named-type.ts";

/** The type at the end of what stands before a name in C: `const struct list *`. */
export function declaratorType(before: string, language: Language | undefined): NamedType | undefined {
  const found = /([A-Za-z_]\w*)\s*(<.*>)?[\s*&]*$/s.exec(before);
  const type = found?.[1];
  if (
    !type ||
    /^(?:return|else|goto|case|sizeof|typedef|const|static|extern|auto|if|while|do|in|and|or|not|new|delete|throw|class|struct|union|enum|typename|friend|using|namespace|public|private|protected)$/.test(
      type,
    )
  )
    return undefined;
  return language ? unwrapped(type, found?.[2] ?? "", language) : { name: type, rest: "" };
}

/** The declaration up to a name in C, without the names declared before it: `int a, *`. */
export function declarationBefore(source: string, at: number): string {
  const from = source.lastIndexOf("\n", Math.max(0, at - 200)) + 1;
  const text = source.slice(from, at).replace(/\/\/.*|\/\*[^*]*\*\//g, " ");
  const start = Math.max(
    text.lastIndexOf(";"),
    text.lastIndexOf("{"),
    text.lastIndexOf("}"),
    text.lastIndexOf("("),
  );
  const statement = text.slice(start + 1);
  // In a parameter list a comma parts declarations; in a statement, names of one type.
  const flat = statement.replace(/<[^<>;{}]*>/g, (args) => args.replaceAll(",", " "));
  return text[start] === "("
    ? statement.slice(flat.lastIndexOf(",") + 1)
    : (statement.slice(0, flat.search(/[=,]|$/)) ?? "").replace(/\b\w+\s*(?:\[[^\]]*\]\s*)?$/, (name) =>
        flat.includes(",") || flat.includes("=") ? "" : name,
      );
}

/** Not the arguments of a call: `read(*p)`. */
const noCall = String.raw`(?<!(?:\b(?!(?:return|case|else|sizeof)\b)\w+|[)\]>])\s*)`;
const held = new RegExp(String.raw`${noCall}\(\s*[*&]\s*([A-Za-z_]\w*)\s*\)$`);

/** The variable before an offset that brackets hold: `(*p)`, `(&p)`. */
export const variableBefore = (source: string, end: number) =>
  held.exec(source.slice(Math.max(0, end - 120), end))?.[1];

const castOfC = new RegExp(
  String.raw`${noCall}\(\(\s*(?:const\s+)?(?:struct\s+|union\s+)?(?:\w+::)*(\w+)\s*(?:const\s*)?\*+\s*\)\s*[^()]*(?:\([^()]*\)[^()]*)?\)$`,
);
const castOfCpp = /\b\w+_cast\s*<\s*(?:const\s+)?(?:\w+::)*(\w+)[\s*&]*>\s*\((?:[^()]|\([^()]*\))*\)$/;

/** The type that the value before an offset is converted to: `((struct store *) p)`, `static_cast<Store*>(p)`. */
export function castBefore(source: string, end: number): string | undefined {
  const before = source.slice(Math.max(0, end - 200), end);
  return (castOfC.exec(before) ?? castOfCpp.exec(before))?.[1];
}

/** What braces are of: a type, a variable by where its name stands, or a field. */
export interface Initialized {
  type?: string;
  variable?: { name: string; at: number };
  field?: string;
}

/** What `.name = …` gives a value to: `struct store s = { .name = 1 }`, `(struct store) { .name = 1 }`. */
export function initialized(source: string, dot: number): Initialized | undefined {
  if (!/[{,]\s*$/.test(source.slice(Math.max(0, dot - 200), dot))) return undefined;
  let open = braceBefore(source, dot);
  for (let isElement = false; open !== undefined; isElement = true) {
    const from = Math.max(0, open - 200);
    const head = source.slice(from, open);
    // `{ { .name = 1 }, [2] = { .name = 2 } }`: an element of a list.
    if (/(?:[{,]|(?:[{,]\s*)\[[^\][]*\]\s*=)\s*$/.test(head)) {
      open = braceBefore(source, open);
      continue;
    }
    const literal = /\(\s*(?:const\s+)?(?:struct\s+|union\s+)?(\w+)\s*((?:\[[^\][]*\]\s*)*)\)\s*$/.exec(head);
    if (literal) return isElement === (literal[2] !== "") ? { type: literal[1] ?? "" } : undefined;
    const field = /[.]\s*(\w+)\s*=\s*$/.exec(head)?.[1];
    if (field) return isElement ? undefined : { field };
    const named = /([A-Za-z_]\w*)\s*((?:\[[^\][]*\]\s*)*)=?\s*$/.exec(head);
    if (!named?.[1] || isElement !== (named[2] !== "")) return undefined;
    return { variable: { name: named[1], at: from + named.index } };
  }
  return undefined;
}

/** The brace that is open at an offset. */
function braceBefore(source: string, at: number): number | undefined {
  let depth = 0;
  for (let i = at - 1; i >= Math.max(0, at - 4_000); i--) {
    const sign = source[i] ?? "";
    if (/[)\]}]/.test(sign)) depth++;
    else if (depth > 0 && /[([{]/.test(sign)) depth--;
    else if (sign === "{") return i;
    else if (/[(;]/.test(sign)) return undefined;
  }
  return undefined;
}
