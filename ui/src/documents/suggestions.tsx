import type { DocumentView } from "../../../src/api/documents.ts";

interface SuggestionsProps {
  suggestions: DocumentView["suggestions"];
  busy: boolean;
  onResolve(id: string, state: "applied" | "dismissed"): void;
}

/** What a model would change; the person decides about each. */
export function Suggestions({ suggestions, busy, onResolve }: SuggestionsProps) {
  return suggestions.map(({ id, reason, original, suggested }) => (
    <section key={id} className="suggestion card" aria-label="Suggestion">
      <p>{reason}</p>
      <del>{original}</del>
      <ins>{suggested || "(nothing)"}</ins>
      <div className="row">
        <button
          type="button"
          className="small primary"
          disabled={busy}
          onClick={() => onResolve(id, "applied")}
        >
          Accept
        </button>
        <button type="button" className="small" disabled={busy} onClick={() => onResolve(id, "dismissed")}>
          Dismiss
        </button>
      </div>
    </section>
  ));
}
