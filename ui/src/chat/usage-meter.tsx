import type { CostLine, CostView } from "../../../src/api/cost.ts";
import type { CompactView } from "../../../src/api/rewind.ts";
import type { ContextView } from "../../../src/api/sessions.ts";
import { Menu } from "../parts/menu.tsx";
import { count, dollars } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

/** How full the context of a session is and what it has cost; the conversation can be summarised from here. */
export function UsageMeter({
  id,
  running,
  onCompacted,
}: {
  id: string;
  running: boolean;
  onCompacted(): void;
}) {
  const context = useFetched<ContextView>(`/sessions/${id}/context`, "sessions-change");
  const cost = useFetched<CostView>(`/cost?session=${id}`, "sessions-change");
  const { problem, busy, attempt } = useAttempts();
  const { tokens, budget } = context.data ?? {};
  const share = tokens !== undefined && budget ? Math.round((100 * tokens) / budget) : undefined;
  const { session, today, budget: day } = cost.data ?? {};
  const words = [share === undefined ? "" : `${share}%`, session ? costOf(session) : ""];
  const shown = words.filter(Boolean).join(" · ");
  if (shown === "") return null;
  const compact = async () => {
    await send<CompactView>(`/sessions/${id}/compact`);
    context.again();
    onCompacted();
  };
  return (
    <Menu
      label={`Context and cost: ${shown}`}
      className="quiet small usage"
      button={
        <>
          {share !== undefined && (
            <meter min={0} max={100} high={80} value={share} aria-label={`${share} % of the context used`} />
          )}
          {shown}
        </>
      }
    >
      {() => (
        <>
          {share !== undefined && (
            <li className="pad">
              {share}% of the context: {count(tokens ?? 0)} of {count(budget ?? 0)} tokens
            </li>
          )}
          {session && (
            <li className="pad">
              This chat: {costOf(session) || "price not known"}
              {session.unpriced.length > 0 &&
                costOf(session) !== "" &&
                `, not counting ${session.unpriced.join(", ")} (price not known)`}
            </li>
          )}
          {today && <li className="pad">Today, in this folder: {costOf(today) || "price not known"}</li>}
          {day && (
            <li className={day.state === "within" ? "pad" : "pad bad-text"}>
              Daily budget: {dollars(day.spentUsd)} of {dollars(day.usd)}
            </li>
          )}
          <li>
            <button
              type="button"
              className="quiet"
              disabled={busy || running}
              onClick={() => void attempt(compact)}
            >
              {busy ? "Summarising…" : "Compact: replace it with a summary"}
            </button>
          </li>
          {problem && <li className="pad bad-text">{problem}</li>}
        </>
      )}
    </Menu>
  );
}

/** Nothing where no price of the session's models is known. */
function costOf({ costUsd, unpriced }: CostLine): string {
  return costUsd === 0 && unpriced.length > 0 ? "" : dollars(costUsd);
}
