import { Diff, totalsOf } from "./diff.tsx";

/** The result text for the model, with its diffs rendered. */
export function ResultText({ text }: { text: string }) {
  return piecesOf(text).map(({ path, words }, at) =>
    path === undefined ? (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      // biome-ignore lint/suspicious/noArrayIndexKey: a result does not change
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
  /** The file, if this piece is a diff. */
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

/** Keeps indentation: line numbers are aligned. */
function withoutOuterBreaks(text: string): string {
  return text.replace(/^\n+|\s+$/g, "");
}

/** Added and removed lines of all diffs in a result; undefined without diffs. */
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
