import { useEffect } from "react";
import type { IndexView } from "../../../src/api/settings.ts";
import { Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

const lookMs = 700;

/** The state of the code index, with progress while it is built. */
export function IndexCard() {
  const { data, error, again } = useFetched<IndexView>("/index", "files-change");
  const { problem, busy, attempt } = useAttempts();
  const building = busy || data?.building === true;
  useEffect(() => {
    if (!building) return;
    const timer = setInterval(again, lookMs);
    return () => clearInterval(timer);
  }, [building, again]);
  const build = () => void attempt(() => send("/index")).finally(again);
  if (!data) return error ? <Problem>{error}</Problem> : null;
  const { code, parsed, languages } = data;
  const listed = Object.entries(languages).sort(([, a], [, b]) => b - a);
  return (
    <section className="card index" aria-label="Code index">
      <h2>Code index</h2>
      <progress
        {...(!(building && code === 0) && { value: code === 0 ? 1 : parsed, max: Math.max(1, code) })}
        aria-label="Indexed files"
      />
      <span className="faint">
        {code > 0 && `${parsed} of ${code} files`}
        {code === 0 && (building ? "Looking for files…" : "No code in this folder.")}
        {listed.length > 0 && ` · ${listed.map(([language, files]) => `${language} ${files}`).join(", ")}`}
      </span>
      {(building || parsed < code) && (
        <button type="button" className="small" disabled={building} onClick={build}>
          {building ? "Building…" : "Build now"}
        </button>
      )}
      {problem && <Problem>{problem}</Problem>}
    </section>
  );
}
