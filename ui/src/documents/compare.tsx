import { useState } from "react";
import type { DocumentDiffView, DocumentView } from "../../../src/api/documents.ts";
import { Diff, Totals } from "../parts/diff.tsx";
import { Problem } from "../parts/feedback.tsx";
import { useFetched } from "../server/use-server.ts";

/** What changed between two versions: by default since the one before. */
export function Compare({ document }: { document: DocumentView }) {
  const { id, version: to, versions } = document;
  const others = versions.filter(({ version }) => version !== to);
  const [chosen, setChosen] = useState<number>();
  const isKnown = others.some(({ version }) => version === chosen);
  const from = isKnown ? chosen : (others.find(({ version }) => version < to) ?? others[0])?.version;
  const { data, error } = useFetched<DocumentDiffView>(`/documents/${id}/diff?from=${from}&to=${to}`);
  const current = data?.from === from && data?.to === to ? data : undefined;
  return (
    <section className="compare" aria-label="Differences">
      <div className="row">
        <label className="row">
          Compared with
          <select className="small" value={from} onChange={(event) => setChosen(Number(event.target.value))}>
            {others.map(({ version }) => (
              <option key={version} value={version}>
                Version {version}
              </option>
            ))}
          </select>
        </label>
        {current && <Totals added={current.added} removed={current.removed} />}
      </div>
      {error && <Problem>{error}</Problem>}
      {current &&
        (current.added + current.removed === 0 ? (
          <p className="faint">These two versions are the same.</p>
        ) : (
          <Diff path={document.title} diff={current.diff} />
        ))}
    </section>
  );
}
