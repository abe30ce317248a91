// Whether two methods of one name in Go take and return the same: only then does one implement the other.
interface Shape {
  parameters: string[];
  results: string[];
}

const basic = new Set(
  "any bool byte complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint uint16 uint32 uint64 uint8 uintptr".split(
    " ",
  ),
);
const sameTypes = new Map([
  ["byte", "uint8"],
  ["rune", "int32"],
]);

/** "maybe" where a type may stand for another one: a type parameter, another name for it, a function. */
export function sameSignature(one: string, other: string): "yes" | "no" | "maybe" {
  const [a, b] = [shapeOf(one), shapeOf(other)];
  if (!a || !b) return "maybe";
  if (a.parameters.length !== b.parameters.length || a.results.length !== b.results.length) return "no";
  const types = [...a.parameters, ...a.results];
  const others = [...b.parameters, ...b.results];
  const pairs = types.map((type, i) => sameType(type, others[i] ?? ""));
  if (pairs.includes("no")) return "no";
  return pairs.includes("maybe") ? "maybe" : "yes";
}

function sameType(one: string, other: string): "yes" | "no" | "maybe" {
  if (one === other) return "yes";
  const [a, b] = [formOf(one), formOf(other)];
  if (a === undefined || b === undefined) return "maybe";
  if (a !== b || a === "basic") return "no";
  return "maybe";
}

/** What a type is made as, whatever it holds; nothing for a name, which may be that of any type. */
function formOf(type: string): string | undefined {
  if (basic.has(type)) return "basic";
  return /^(?:\.\.\.|\*|\[\]|\[|map\[|(?:<-)?chan\b|func\b|struct\b)/.exec(type)?.[0].replace("<-", "");
}

/** `func (s *Store) Save(a, b int) (n int, err error)`, with types alone. */
function shapeOf(signature: string): Shape | undefined {
  const head = /^(?:func\s*\([^()]*\)\s*)?\w+\s*(?=\()/.exec(signature)?.[0];
  const end = head === undefined ? -1 : closing(signature, head.length);
  if (head === undefined || end < 0 || signature.endsWith("…")) return undefined;
  const rest = signature.slice(end + 1).trim();
  const isList = rest.startsWith("(") && closing(rest, 0) === rest.length - 1;
  return {
    parameters: typesIn(signature.slice(head.length + 1, end)),
    results: typesIn(isList ? rest.slice(1, -1) : rest),
  };
}

function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if ("([{".includes(text[at] ?? "")) depth++;
    else if (")]}".includes(text[at] ?? "") && --depth === 0) return at;
  }
  return -1;
}

/** The types of a list, of which all or none have names: `a, b int, c string`. */
function typesIn(list: string): string[] {
  const parts = partsOf(list);
  const named = parts.map(
    (part) => /^(?!chan\b|func\b|map\b|struct\b|interface\b)\w+\s+(\S.*)$/s.exec(part)?.[1],
  );
  const hasNames = named.some((type) => type !== undefined);
  const types = hasNames
    ? named.map((type, i) => type ?? named.slice(i).find((next) => next !== undefined))
    : parts;
  return types.map((type) => normal(type ?? ""));
}

function partsOf(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    const sign = list[at] ?? ",";
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
    else if (sign === "," && depth === 0) {
      if (list.slice(start, at).trim()) parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts;
}

/** Without packages and spaces: what is `store.Item` for others is `Item` in its own package. */
const normal = (type: string) =>
  type
    .replace(/\binterface\s*\{\s*\}/g, "any")
    .replace(/\b\w+\.(?=\w)/g, "")
    .replace(/\s+/g, " ")
    .replace(/\w+/g, (word) => sameTypes.get(word) ?? word);
