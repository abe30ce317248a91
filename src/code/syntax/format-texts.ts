// Names in the braces of texts that are formatted: `println!("{name:?} {:>width$}")` in Rust.
import type { Node } from "web-tree-sitter";

interface Stretch {
  startIndex: number;
  endIndex: number;
}

/** How many arguments the macros of the standard library take before the text that they format. */
const argumentsBefore = new Map<string, number>([
  ...[
    "format",
    "print",
    "println",
    "eprint",
    "eprintln",
    "panic",
    "format_args",
    "todo",
    "unimplemented",
  ].map((name) => [name, 0] as const),
  ...["write", "writeln", "assert", "debug_assert"].map((name) => [name, 1] as const),
  ...["assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"].map((name) => [name, 2] as const),
  ["unreachable", 0],
]);

/** The names in braces: those in texts that a macro is known to format, and those of which that is not known. */
export function namesInFormats(texts: readonly Node[]): { live: Stretch[]; perhaps: Stretch[] } {
  const found: { live: Stretch[]; perhaps: Stretch[] } = { live: [], perhaps: [] };
  for (const node of texts) {
    const names = namesInBraces(node);
    if (names.length > 0) found[isFormatted(node) ? "live" : "perhaps"].push(...names);
  }
  return found;
}

/** `{name}`, `{name:?}`, `{:>width$}`; two braces stand for one. */
function namesInBraces({ text, startIndex }: Node): Stretch[] {
  const found: Stretch[] = [];
  for (const { 1: inside, index } of text.matchAll(/\{\{|\}\}|\{([^{}]*)\}/g)) {
    for (const name of inside?.matchAll(/^\s*([A-Za-z_]\w*)(?=\s*(?::|$))|([A-Za-z_]\w*)(?=\$)/g) ?? []) {
      const start = startIndex + index + 1 + name.index + name[0].length - name[0].trimStart().length;
      found.push({ startIndex: start, endIndex: start + name[0].trimStart().length });
    }
  }
  return found;
}

/** Whether a text is what a macro of the standard library formats. */
function isFormatted(content: Node): boolean {
  const literal = content.parent;
  const tree = literal?.parent;
  const sign = tree?.previousSibling;
  const name = sign?.type === "!" ? sign.previousSibling?.text : undefined;
  const before = name === undefined ? undefined : argumentsBefore.get(name.split("::").at(-1) ?? name);
  if (!tree || !literal || before === undefined) return false;
  const commas = tree.children.filter((one) => one?.type === "," && one.startIndex < literal.startIndex);
  return before === 0 ? commas.length === 0 : commas.length >= before;
}
