import type { AskFile } from "../../../src/api/approvals.ts";
import { Diff } from "../parts/diff.tsx";
import { visible } from "../parts/visible.ts";

/** What happens to one file: the kind of change, its path and its diff. */
export function FileChange({ file }: { file: Pick<AskFile, "path" | "from" | "change" | "diff"> }) {
  const { path, from, change, diff } = file;
  return (
    <figure className="file-change">
      <figcaption>
        <span className={`kind-${change}`}>{change}</span>
        {from !== undefined && <span className="faint">{visible(from)} → </span>}
        {visible(path)}
      </figcaption>
      {(diff !== "" || change === "modify") && <Diff path={path} diff={diff} />}
    </figure>
  );
}
