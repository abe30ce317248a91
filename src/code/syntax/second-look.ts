import type { Node, Parser, QueryMatch, Tree } from "web-tree-sitter";

/** Regions are looked at again at most so deep and so many at a time. */
const maxDepth = 4;
const maxRegions = 12;
/** Shorter errors hide nothing. */
const leastLength = 12;
/** A table of numbers declares nothing. */
const hasWord = /(?<![\p{L}\p{N}_$])[\p{L}_$]/u;

export interface LookAgain {
  parser: Parser;
  text: string;
  /** Everything a query finds in a tree. */
  matches(root: Node): QueryMatch[];
  late(): boolean;
}

interface Region {
  start: number;
  end: number;
  /** The arguments of a macro: the grammar has told their texts and comments from the rest already. */
  isMacro: boolean;
}

/**
 * Parses again what the grammar did not understand: the rest of a stretch after the line where a syntax error begins, and
 * what stands inside a macro that a query marks with `@again`. Offsets stay those of the whole text. The trees must be
 * deleted when the matches are no longer needed.
 */
export function lookAgain(
  root: Node,
  first: readonly QueryMatch[],
  look: LookAgain,
): { matches: QueryMatch[]; trees: Tree[] } {
  const found: QueryMatch[] = [];
  const trees: Tree[] = [];
  const again = (
    node: Node,
    matches: readonly QueryMatch[],
    depth: number,
    from: number,
    inMacro: boolean,
  ) => {
    if (depth >= maxDepth) return;
    for (const { start, end, isMacro } of regionsOf(node, matches, look.text, from)) {
      if (look.late()) return;
      const tree = look.parser.parse(" ".repeat(start) + look.text.slice(start, end), null, {
        progressCallback: look.late,
      });
      if (!tree) {
        look.parser.reset();
        return;
      }
      trees.push(tree);
      const isInMacro = inMacro || isMacro;
      const all = look.matches(tree.rootNode);
      const inside = isInMacro ? all.map(withoutTexts) : all;
      found.push(...inside);
      again(tree.rootNode, inside, depth + 1, start, isInMacro);
    }
  };
  again(root, first, 0, 0, false);
  return { matches: found, trees };
}

/** What is no program, as `name: value, text: "a"`, makes the grammar take code between two texts for a text. */
const withoutTexts = (match: QueryMatch): QueryMatch => ({
  ...match,
  captures: match.captures.filter(({ name }) => name !== "quiet"),
});

/** An error can begin in the blanks that stand for the text before `from`. */
function regionsOf(root: Node, matches: readonly QueryMatch[], text: string, from: number): Region[] {
  const regions: Region[] = [];
  for (const { captures } of matches)
    for (const { name, node } of captures)
      if (name === "again")
        regions.push({ start: node.startIndex + 1, end: node.endIndex - 1, isMacro: true });
  if (root.hasError) {
    for (const error of root.descendantsOfType("ERROR")) {
      if (!error) continue;
      const lineEnd = text.indexOf("\n", Math.max(error.startIndex, from)) + 1;
      const isCovered = regions.some(({ start, end }) => start <= error.startIndex && error.endIndex <= end);
      if (lineEnd === 0 || error.endIndex - lineEnd < leastLength || isCovered) continue;
      if (hasWord.test(text.slice(lineEnd, error.endIndex)))
        regions.push({ start: lineEnd, end: error.endIndex, isMacro: false });
    }
  }
  return regions.slice(0, maxRegions);
}
