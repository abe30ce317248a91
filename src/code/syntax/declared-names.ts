import type { Kind, Language } from "../languages/language.ts";

/** `A::B::name` and quoted or private names as plain ones. */
export function plainName(text: string, language: Language): { name: string; owner?: string } {
  // `::` is a name in Scala.
  const quotes = language.family === "jvm" ? /^`|`$/g : /^["'`:]|["'`]$/g;
  const clean = withoutSign(text, language).replace(quotes, "").replace(/\s+/g, " ");
  if (language.separator !== "::") return { name: clean };
  // `Point<T>::operator Point<U>() const`: what follows the word is no part of a path.
  const [, path, operator] = /^(?:(.*?) ?:: ?)?(operator\b.*)$/.exec(clean) ?? [];
  if (operator !== undefined)
    return { name: operator.replace(/^(operator [^(]*?) ?\(.*$/, "$1"), ...ownerOf(path) };
  const bare = withoutArguments(clean);
  const cut = bare.lastIndexOf("::");
  return { name: bare.slice(cut < 0 ? 0 : cut + 2), ...ownerOf(cut < 0 ? undefined : bare.slice(0, cut)) };
}

/** `r#type` is the name `type`. */
export const withoutSign = (text: string, { rawSign }: Language) =>
  rawSign !== undefined && text.startsWith(rawSign) ? text.slice(rawSign.length) : text;

const ownerOf = (path: string | undefined) =>
  path === undefined ? {} : { owner: withoutArguments(path).replace(/^::/, "").replaceAll("::", ".") };

/** Type arguments, however deep, taken away. */
function withoutArguments(text: string): string {
  const less = text.replace(/\s*<[^<>]*>/g, "");
  return less === text ? text : withoutArguments(less);
}

/** The type a member is attached to: `*Store[T]`, `Store<T>`, `Foo.prototype`, `M`. What is no type has none. */
export function ownerName(text: string): string | undefined {
  const name = text
    .replace(/^[*&\s(]+/, "")
    .replace(/[[<].*$|[)\s]+$/gs, "")
    .replace(/\.prototype$/, "");
  if (/^(?:module\.exports|exports|this|self|window|globalThis|global)$/.test(name)) return undefined;
  return /^[\w$.]+$/.test(name) ? name : undefined;
}

/** The last part of a type's name, without arguments. */
export function typeName(text: string): string | undefined {
  const bare = text
    .replace(/[<[({].*$/s, "")
    .replace(/^[&*\s]+/, "")
    .trim();
  const name = lastPart(
    bare
      .replaceAll("::", ".")
      .replaceAll("\\", ".")
      .replace(/^dyn |^mut |^impl /, ""),
  );
  return /^[\p{L}\p{N}_$]+$/u.test(name) ? name : undefined;
}

/** What stands directly before the last part of a type's name: `net` of `*app.net.Line[T]`. */
export function spaceBefore(text: string): string | undefined {
  const parts = text.replace(/[<[({].*$/s, "").split(/\.|::|\\/);
  return /([\p{L}\p{N}_$]+)\s*$/u.exec(parts.at(-2) ?? "")?.[1];
}

/** The types that a template is filled with. */
export function argumentsOf(text: string): string[] {
  const inside = /<(.*)>\s*$/s.exec(text)?.[1];
  return inside?.split(",").flatMap((part) => typeName(part.trim()) ?? []) ?? [];
}

export const lastPart = (path: string) => path.slice(path.lastIndexOf(".") + 1);

/** What a name is given to that is another name for a type: `Base<int>` of `using Map = Base<int>`, `typedef Base<int> Map`. */
export function aliasedType({ kind, signature }: { kind: Kind; signature: string }): string | undefined {
  if (kind !== "type") return undefined;
  return (
    /^(?:[a-z()]+ )*(?:type|typealias|using) [\w$]+ ?(?:<.*?>|\[.*?\])? ?= ?(.+)$/.exec(signature)?.[1] ??
    /^typedef (?:(?:const|struct|union|enum|class|typename) )*(?!(?:struct|union|enum|class)\b)([\w:]+(?:<.*>)?)(?: ?\* ?| )\w+$/.exec(
      signature,
    )?.[1]
  );
}

/** The types that another name is given to: `type Options = Base & Other`, `using Map = Base<int>`, `typedef Base Map`. */
export const typesRenamedBy = (declaration: { kind: Kind; signature: string }): string[] =>
  aliasedType(declaration)
    ?.split("&")
    .flatMap((part) => typeName(part) ?? []) ?? [];
