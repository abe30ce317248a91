import { useState } from "react";
import type { AskAnswer, AskView } from "../../../src/api/approvals.ts";
import type { RuleView } from "../../../src/api/settings.ts";

interface FooterProps {
  ask: AskView;
  /** The number of requests in this step. */
  together: number;
  edited: boolean;
  /** Files that were not looked at. */
  unseen: number;
  /** No key approves it, and its button does not invite to. */
  careful: boolean;
  busy: boolean;
  onApprove(remember: Pick<AskAnswer, "remember" | "width">): void;
  onApproveAll(): void;
  onDeny(reason: string): void;
}

export function AskFooter({
  ask,
  together,
  edited,
  unseen,
  careful,
  busy,
  onApprove,
  onApproveAll,
  onDeny,
}: FooterProps) {
  const [denying, setDenying] = useState(false);
  const [reason, setReason] = useState("");
  const [chosen, setChosen] = useState("once");
  const choices = rememberChoices(ask);
  const remembered = choices.find(({ key }) => key === chosen);
  if (denying) {
    return (
      <form
        className="ask-footer denying"
        onSubmit={(event) => {
          event.preventDefault();
          onDeny(reason.trim());
        }}
      >
        <input
          // biome-ignore lint/a11y/noAutofocus: the person just opened this field
          autoFocus
          className="grow"
          value={reason}
          aria-label="Why not"
          placeholder="Reason (optional; the model reads it)"
          onChange={(event) => setReason(event.target.value)}
        />
        <button type="button" className="quiet" onClick={() => setDenying(false)}>
          Back
        </button>
        <button type="submit" className="danger" disabled={busy}>
          Deny
        </button>
      </form>
    );
  }
  return (
    <footer className="ask-footer">
      <div className="remember grow">
        {choices.length > 0 && (
          <label>
            Remember
            <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
              <option value="once">Only this time</option>
              {choices.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
        {remembered && (
          <span className="rule">
            {remembered.scope === "user" ? "Saved in your settings: " : "For this session: "}
            allow {remembered.words}
          </span>
        )}
      </div>
      <button type="button" onClick={() => (ask.byPerson ? onDeny("") : setDenying(true))} disabled={busy}>
        {ask.byPerson ? "Deny" : "Deny…"}
      </button>
      {together > 1 && (
        <button type="button" onClick={onApproveAll} disabled={busy}>
          Approve all {together}
        </button>
      )}
      <button
        type="button"
        className={careful ? undefined : "primary"}
        disabled={busy}
        title={careful ? undefined : "Ctrl+Enter"}
        onClick={() => onApprove(remembered ? { remember: remembered.scope, width: remembered.width } : {})}
      >
        {edited ? "Approve my version" : "Approve"}
        {unseen > 0 && <span className="unlooked">{unseen} not looked at</span>}
      </button>
    </footer>
  );
}

interface Choice {
  key: string;
  label: string;
  scope: "session" | "user";
  width: number;
  /** What it covers, with every name. */
  words: string;
}

const lasting = { session: "for this session", user: "always in this folder" } as const;

/** How far and how long an answer may hold, in words. */
function rememberChoices({ remember }: AskView): Choice[] {
  if (!remember) return [];
  return [remember, ...remember.wider].flatMap(({ words, scopes }, width) =>
    scopes.map((scope) => ({
      ...{ key: `${width} ${scope}`, scope, width, words },
      label: `Allow ${words}, ${lasting[scope]}`,
    })),
  );
}

export function ruleText({ decision, tool, path, url, command }: RuleView): string {
  const where = [path && `on ${path}`, url && `to ${url}`, command && `running ${command}`]
    .filter(Boolean)
    .join(" ");
  return [decision, tool ?? "every tool", where].filter(Boolean).join(" ");
}
