import type { DocumentView } from "../../../src/events/api.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { ago } from "../parts/words.ts";
import { useFetched } from "../server/use-server.ts";

/** A document beside the conversation, always in its newest version. */
export function DocumentPanel({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error } = useFetched<DocumentView>(`/documents/${id}`, "documents-change");
  return (
    <aside className="document" aria-label="Document">
      <header>
        <div className="grow">
          <h2>{data?.title ?? " "}</h2>
          {data && (
            <p className="faint">
              Version {data.version} · {ago(data.updated)}
            </p>
          )}
        </div>
        <button type="button" className="quiet" onClick={onClose} aria-label="Close the document">
          <Icon name="cross" />
        </button>
      </header>
      {error && <Problem>{error}</Problem>}
      {data && <div className="document-body">{bodyOf(data)}</div>}
    </aside>
  );
}

function bodyOf({ kind, content }: DocumentView) {
  if (kind === "text") return <Markdown text={content} />;
  if (kind === "code") return <CodeBlock code={content} language="code" />;
  const [head = [], ...rows] = content
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cellOf));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-scroll prose" tabIndex={0} aria-label="Sheet">
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sheet are their places
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells of a sheet are their places
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellOf([, quoted, plain = ""]: RegExpMatchArray): string {
  return quoted?.replaceAll('""', '"') ?? plain;
}
