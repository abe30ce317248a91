import { useEffect, useRef, useState } from "react";
import type { RewindView, RewoundView } from "../../../src/api/rewind.ts";
import { Diff, Totals } from "../parts/diff.tsx";
import { Problem } from "../parts/feedback.tsx";
import { plural } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

type What = "both" | "conversation" | "files";

const choices: readonly { what: What; label: string; hint: string }[] = [
  { what: "both", label: "Chat and files", hint: "as they were before this message" },
  { what: "conversation", label: "Chat only", hint: "files stay as they are" },
  { what: "files", label: "Files only", hint: "the chat stays; the agent learns of it" },
];

interface RewindProps {
  session: string;
  /** The place of the message in the log. */
  to: number;
  /** With the text of the message when the chat was rewound. */
  onDone(said?: string): void;
}

/** What a rewind would do, before it is done. */
export function RewindDialog({ session, to, onDone }: RewindProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { data, error } = useFetched<RewindView>(`/sessions/${session}/rewind?to=${to}`);
  const [chosen, setChosen] = useState<What>();
  const { problem, busy, attempt } = useAttempts();
  useEffect(() => dialog.current?.showModal(), []);
  const filesCan = data !== undefined && data.conflict === undefined && data.files.length > 0;
  const what = chosen ?? (filesCan ? "both" : "conversation");
  const rewind = async () => {
    const done = await send<RewoundView>(`/sessions/${session}/rewind`, { to, what });
    onDone(what === "files" ? undefined : done.text);
  };
  return (
    <dialog ref={dialog} className="rewind" aria-labelledby="rewind-title" onClose={() => onDone()}>
      <h2 id="rewind-title">Rewind to before this message</h2>
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
      {data && (
        <>
          <p className="faint">
            This would remove {plural(data.messages, "message")} of yours from the chat and change{" "}
            {plural(data.files.length, "file")}. You can redo each file change under Changes.
          </p>
          {data.conflict !== undefined && <p className="problem">{data.conflict}</p>}
          {data.left.length > 0 && (
            <p className="faint">
              Not restored, because the old contents are no longer stored: {data.left.join(", ")}
            </p>
          )}
          <fieldset className="rewind-choices">
            <legend className="unseen">What to rewind</legend>
            {choices.map(({ what: each, label, hint }) => (
              <label key={each}>
                <input
                  type="radio"
                  name="what"
                  checked={what === each}
                  disabled={each !== "conversation" && !filesCan}
                  onChange={() => setChosen(each)}
                />
                <strong>{label}</strong> <span className="faint">{hint}</span>
              </label>
            ))}
          </fieldset>
          {what !== "conversation" && (
            <div className="rewind-files">
              {data.files.map(({ path, diff, added, removed }) => (
                <details key={path}>
                  <summary>
                    {path} <Totals added={added} removed={removed} />
                  </summary>
                  <Diff path={path} diff={diff} />
                </details>
              ))}
            </div>
          )}
        </>
      )}
      <div className="row">
        <span className="grow" />
        <button type="button" onClick={() => onDone()}>
          Cancel
        </button>
        <button
          type="button"
          className="primary"
          disabled={busy || !data}
          onClick={() => void attempt(rewind)}
        >
          Rewind
        </button>
      </div>
    </dialog>
  );
}
