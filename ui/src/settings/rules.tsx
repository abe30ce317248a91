import { useState } from "react";
import type { RuleView } from "../../../src/api/settings.ts";
import { ruleText } from "../approval/ask-footer.tsx";
import { Problem } from "../parts/feedback.tsx";
import { useAttempts } from "../server/use-attempts.ts";
import { namesNothing, RuleFields, tidy } from "./rule-fields.tsx";

interface RulesProps {
  title: string;
  rules: readonly RuleView[];
  /** Rejects with the reason. Undefined: read-only. */
  onChange?: (rule: RuleView, instead?: RuleView) => Promise<unknown>;
}

export function Rules({ title, rules, onChange }: RulesProps) {
  const [edited, setEdited] = useState<string>();
  const { problem, attempt } = useAttempts();
  return (
    <section className="card rules" aria-label={`Rules: ${title}`}>
      <h3>{title}</h3>
      {problem && <Problem>{problem}</Problem>}
      {rules.length === 0 && <p className="faint">No rules.</p>}
      <ul>
        {rules.map((rule) => {
          const key = JSON.stringify(rule);
          const text = ruleText(rule);
          if (onChange && edited === key) {
            return (
              <li key={key}>
                <RuleForm
                  rule={rule}
                  onCancel={() => setEdited(undefined)}
                  onSave={async (instead) => {
                    await onChange(rule, instead);
                    setEdited(undefined);
                  }}
                />
              </li>
            );
          }
          return (
            <li key={key}>
              <span className={`decision ${rule.decision}`}>{rule.decision}</span>
              <code className="grow">{text.replace(/^\w+ /, "")}</code>
              {rule.workspace !== undefined && <span className="faint">in this folder</span>}
              {onChange && (
                <>
                  <button
                    type="button"
                    className="small quiet"
                    aria-label={`Edit ${text}`}
                    onClick={() => setEdited(key)}
                  >
                    Edit
                  </button>
                  <button
                    type="button"
                    className="small quiet"
                    aria-label={`Remove ${text}`}
                    onClick={() => void attempt(() => onChange(rule))}
                  >
                    Remove
                  </button>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface RuleFormProps {
  rule: RuleView;
  /** Rejects with the reason. */
  onSave(rule: RuleView): Promise<unknown>;
  onCancel(): void;
}

export function RuleForm({ rule, onSave, onCancel }: RuleFormProps) {
  const [draft, setDraft] = useState(rule);
  const { problem, busy, attempt } = useAttempts();
  const isEmpty = namesNothing(draft);
  return (
    <form
      className="rule-form"
      aria-label={`Edit ${ruleText(rule)}`}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => onSave(tidy(draft)));
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      <label>
        Decision
        <select
          // biome-ignore lint/a11y/noAutofocus: the person just opened this form
          autoFocus
          value={draft.decision}
          onChange={(event) => setDraft({ ...draft, decision: event.target.value as RuleView["decision"] })}
        >
          <option>allow</option>
          <option>ask</option>
          <option>deny</option>
        </select>
      </label>
      <RuleFields values={draft} hint="any" onChange={(changed) => setDraft({ ...draft, ...changed })} />
      <div className="row">
        <button type="submit" className="small primary" disabled={busy || isEmpty}>
          Save
        </button>
        <button type="button" className="small" onClick={onCancel}>
          Cancel
        </button>
        {isEmpty && (
          <span className="faint">
            Fill in at least one field: a rule without any would match every call.
          </span>
        )}
      </div>
      {problem && <Problem>{problem}</Problem>}
    </form>
  );
}
