import { useState } from "react";
import type { AskAnswer, AskView, RuleView } from "../../../src/api/api.ts";

interface FooterProps {
  ask: AskView;
  /** The number of requests in this step. */
  together: number;
  edited: boolean;
  busy: boolean;
  onApprove(remember: AskAnswer["remember"]): void;
  onApproveAll(): void;
  onDeny(reason: string): void;
}

type Remember = "once" | "session" | "user";

export function AskFooter({ ask, together, edited, busy, onApprove, onApproveAll, onDeny }: FooterProps) {
  const [denying, setDenying] = useState(false);
  const [reason, setReason] = useState("");
  const [remember, setRemember] = useState<Remember>("once");
  if (denying) {
    return (
      <form
        className="ask-footer"
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
        {ask.remember && (
          <label>
            Remember
            <select value={remember} onChange={(event) => setRemember(event.target.value as Remember)}>
              <option value="once">Only this time</option>
              {ask.remember.scopes.includes("session") && <option value="session">Until Wield stops</option>}
              {ask.remember.scopes.includes("user") && <option value="user">Always in this folder</option>}
            </select>
          </label>
        )}
        {ask.remember && remember !== "once" && (
          <span className="rule">
            {remember === "user" ? "Saves: " : "Temporary: "}
            <code>{ask.remember.rules.map(ruleText).join("; ")}</code>
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
        className="primary"
        disabled={busy}
        title="Ctrl+Enter"
        onClick={() => onApprove(remember === "once" ? undefined : remember)}
      >
        {edited ? "Approve my version" : "Approve"}
      </button>
    </footer>
  );
}

export function ruleText({ decision, tool, path, url, command }: RuleView): string {
  const where = [path && `on ${path}`, url && `to ${url}`, command && `running ${command}`]
    .filter(Boolean)
    .join(" ");
  return [decision, tool ?? "every tool", where].filter(Boolean).join(" ");
}
