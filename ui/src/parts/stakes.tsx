import type { AskView } from "../../../src/api/approvals.ts";

/** What must not be missed, and how many files of which kind: before everything else. */
export function Stakes({ warnings, counts }: Pick<AskView, "warnings" | "counts">) {
  if (warnings.length + counts.length === 0) return null;
  return (
    <ul className="stakes" aria-label="What matters most">
      {warnings.map((warning) => (
        <li key={warning} className="bad-text">
          {warning}
        </li>
      ))}
      {counts.map((count) => (
        <li key={count}>{count}</li>
      ))}
    </ul>
  );
}
