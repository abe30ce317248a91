import { Diff, totalsOf } from "./diff.tsx";

/** What a model reads of a result; the differences in it are drawn for people. */
export function ResultText({ text }: { text: string }) {
  return piecesOf(text).map(({ path, words }, at) =>
    path === undefined ? (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      // biome-ignore lint/suspicious/noArrayIndexKey: a result does not change, its pieces are their places
      <pre tabIndex={0} key={at}>
        {words}
      </pre>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <figure className="file-change" key={at}>
        <figcaption>{path}</figcaption>
        <Diff path={path} diff={words} />
      </figure>
    ),
  );
}

interface Piece {
  /** The file, where the words are a difference. */
  path?: string;
  words: string;
}

const difference =
  /^--- (?:a\/(?<old>.+)|\/dev\/null)\n\+\+\+ (?:b\/(?<now>.+)|\/dev\/null)\n@@ .*(?:\n(?!--- .*\n\+\+\+ )[ +\-@\\].*)*/gm;

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(difference)) {
    const { now, old } = found.groups ?? {};
    pieces.push(
      { words: withoutOuterBreaks(text.slice(end, found.index)) },
      { path: now ?? old ?? "", words: found[0] },
    );
    end = found.index + found[0].length;
  }
  return [...pieces, { words: withoutOuterBreaks(text.slice(end)) }].filter(({ words }) => words !== "");
}

/** Indentation stays: line numbers stand in columns. */
function withoutOuterBreaks(text: string): string {
  return text.replace(/^\n+|\s+$/g, "");
}

/** How many lines the differences in a result add and remove; undefined where there are none. */
export function totalsIn(text: string): { added: number; removed: number } | undefined {
  const [first, ...more] = piecesOf(text).flatMap(({ path, words }) =>
    path === undefined ? [] : [totalsOf(words)],
  );
  return (
    first &&
    more.reduce(
      (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
      first,
    )
  );
}
