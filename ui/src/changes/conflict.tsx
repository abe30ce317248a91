import type { ToolError } from "../../../src/failure/failure.ts";
import { Diff } from "../parts/diff.tsx";

interface ConflictProps {
  error: ToolError;
  /** The action on the later changes. */
  include: string;
  /** Called with the ids of the later changes to include. */
  onInclude(ids: readonly string[]): void;
}

/** Why a change could not be undone or redone, and how to resolve it. */
export function Conflict({ error, include, onInclude }: ConflictProps) {
  const { path = "", later = [], difference } = (error.details ?? {}) as ConflictDetails;
  const [words] = error.message.split(" The difference to what was expected:");
  return (
    <section className="conflict" role="alert">
      <p>{words}</p>
      {later.length > 0 && (
        <button type="button" className="small" onClick={() => onInclude(later)}>
          {include} {later.length === 1 ? "that change" : `those ${later.length} changes`}, too
        </button>
      )}
      {difference !== undefined && (
        <figure className="file-change">
          <figcaption>{path}: expected text and current text</figcaption>
          <Diff path={path} diff={difference} />
        </figure>
      )}
    </section>
  );
}

interface ConflictDetails {
  path?: string;
  later?: string[];
  difference?: string;
}
