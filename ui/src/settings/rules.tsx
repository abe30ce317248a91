import { useState } from "react";
import type { RuleView } from "../../../src/api/api.ts";
import { ruleText } from "../approval/ask-footer.tsx";

interface RulesProps {
  title: string;
  rules: readonly RuleView[];
  /** Undefined: read-only. */
  onChange?: (rule: RuleView, instead?: RuleView) => Promise<boolean>;
}

export function Rules({ title, rules, onChange }: RulesProps) {
  const [edited, setEdited] = useState<string>();
  return (
    <section className="card rules" aria-label={`Rules: ${title}`}>
      <h3>{title}</h3>
      {rules.length === 0 && <p className="faint">None.</p>}
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
                    if (await onChange(rule, instead)) setEdited(undefined);
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
                    aria-label={`Forget ${text}`}
                    onClick={() => void onChange(rule)}
                  >
                    Forget
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

const fields = [
  { name: "tool", label: "Tool", hint: "every tool" },
  { name: "path", label: "Path", hint: "every path" },
  { name: "url", label: "Address", hint: "every address" },
  { name: "command", label: "Command", hint: "every command" },
] as const;

interface RuleFormProps {
  rule: RuleView;
  onSave(rule: RuleView): Promise<void>;
  onCancel(): void;
}

export function RuleForm({ rule, onSave, onCancel }: RuleFormProps) {
  const [draft, setDraft] = useState(rule);
  return (
    <form
      className="rule-form"
      aria-label={`Edit ${ruleText(rule)}`}
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(
          Object.fromEntries(
            Object.entries(draft).filter(([, value]) => value !== ""),
          ) as unknown as RuleView,
        );
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
      {fields.map(({ name, label, hint }) => (
        <label key={name}>
          {label}
          <input
            value={draft[name] ?? ""}
            placeholder={hint}
            spellCheck={false}
            onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
          />
        </label>
      ))}
      <div className="row">
        <button type="submit" className="small primary">
          Save
        </button>
        <button type="button" className="small" onClick={onCancel}>
          Cancel
        </button>
        {draft.decision === "allow" && fields.every(({ name }) => !draft[name]) && (
          <span className="bad-text">This would allow everything without asking.</span>
        )}
      </div>
    </form>
  );
}
