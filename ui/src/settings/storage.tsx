import { useState } from "react";
import type { StorageView } from "../../../src/api/settings.ts";
import { Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

/** What Wield keeps on this machine for all folders, and a button that removes what is old, after a second press. */
export function Storage() {
  const { data = [], again } = useFetched<readonly StorageView[]>("/storage", "sessions-change");
  const { problem, attempt } = useAttempts();
  const [isSure, setSure] = useState(false);
  const old = data.filter(({ removable }) => removable.count > 0);
  const remove = () => {
    setSure(false);
    void attempt(() => send("/storage/clean", {})).finally(again);
  };
  return (
    <section aria-label="Storage">
      <h2>Storage</h2>
      <p className="faint">
        Stored on this machine, for all folders. The limits are in your settings file under “keep”; pinned
        sessions are never removed.
      </p>
      {problem && <Problem>{problem}</Problem>}
      <table className="card stored">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">How many</th>
            <th scope="col">Size</th>
            <th scope="col">Can be removed</th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ kind, about, count, bytes, removable }) => (
            <tr key={kind} title={about}>
              <th scope="row">{kind}</th>
              <td>{count}</td>
              <td>{sizeOf(bytes)}</td>
              <td>{removable.count > 0 ? `${removable.count} (${sizeOf(removable.bytes)})` : "nothing"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {old.length > 0 && !isSure && (
        <button type="button" onClick={() => setSure(true)}>
          Remove old data
        </button>
      )}
      {isSure && (
        <p role="alert">
          Remove {old.map(({ kind, removable }) => `${removable.count} ${kind}`).join(", ")} for good?{" "}
          <button type="button" onClick={remove}>
            Remove
          </button>{" "}
          <button type="button" onClick={() => setSure(false)}>
            Keep
          </button>
        </p>
      )}
    </section>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB"];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}
