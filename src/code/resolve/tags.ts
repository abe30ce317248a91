/** A tag that is longer than this before an attribute is not looked through. */
const longestTag = 3_000;

/** Whether a name is that of an attribute: `<Tag name="…">`, `<Tag name>`. */
export function isAttribute(source: string, at: number, length: number): boolean {
  const after = source.slice(at + length, at + length + 40);
  if (!/\s/.test(source[at - 1] ?? "") || !/^(?:=["'{]|\s*\/?>|\s+(?:[\w$-]+[=\s>/]|\{))/.test(after))
    return false;
  let depth = 0;
  for (let i = at - 1; i >= Math.max(0, at - longestTag); i--) {
    const sign = source[i] ?? "";
    if (sign === "}") depth++;
    else if (sign === "{" && --depth < 0) return false;
    else if (depth > 0 || sign === "{") continue;
    else if (sign === '"' || sign === "'") i = source.lastIndexOf(sign, i - 1);
    else if (sign === "<") return isTagStart(source, i);
    else if (!/[\w$\-.:=/\s]/.test(sign)) return false;
  }
  return false;
}

/** Not of type parameters: `<T extends Name>() => …`. */
const isTagStart = (source: string, at: number) =>
  /^<[A-Za-z]/.test(source.slice(at, at + 2)) &&
  !/[\w$)\]]/.test(source[at - 1] ?? "") &&
  !/^<(?:const\s|\w+\s+extends\s)/.test(source.slice(at, at + 100));

/** The attribute of whose name a word is only a part: `aria-label` of `<p aria-label="…">`. */
export function attributeAround(source: string, at: number, length: number): string | undefined {
  if (source[at - 1] !== "-" && source[at + length] !== "-") return undefined;
  const head = /[\w$-]*$/.exec(source.slice(Math.max(0, at - 60), at))?.[0].length ?? 0;
  const tail = /^[\w$-]*/.exec(source.slice(at + length, at + length + 60))?.[0].length ?? 0;
  const [start, end] = [at - head, at + length + tail];
  return isAttribute(source, start, end - start) ? source.slice(start, end) : undefined;
}
