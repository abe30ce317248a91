import { useState } from "react";
import type { RuleTestView, RuleView } from "../../../src/api/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { RuleForm } from "./rules.tsx";

const verdicts = { allow: "runs without asking", ask: "asks first", deny: "is refused" } as const;

/** A new rule, and an example that shows what the rules in force say about a call. */
export function NewRule({ onAdded }: { onAdded(): void }) {
  const [adding, setAdding] = useState(false);
  const [here, setHere] = useState(true);
  const { problem, attempt } = useAttempts();
  if (!adding)
    return (
      <button type="button" className="small" onClick={() => setAdding(true)}>
        Add a rule
      </button>
    );
  return (
    <div className="card form">
      {problem && <Problem>{problem}</Problem>}
      <label className="row">
        <input type="checkbox" checked={here} onChange={({ target }) => setHere(target.checked)} />
        Only in this folder
      </label>
      <RuleForm
        rule={{ decision: "ask" }}
        onCancel={() => setAdding(false)}
        onSave={async (rule: RuleView) => {
          if (!(await attempt(() => send("/rules", { rule, here })))) return;
          setAdding(false);
          onAdded();
        }}
      />
    </div>
  );
}

const fields = [
  { name: "tool", label: "Tool", example: "edit_file" },
  { name: "path", label: "Path", example: "src/app.ts" },
  { name: "url", label: "Address", example: "https://example.com/" },
  { name: "command", label: "Command", example: "npm test" },
] as const;

export function RuleTester() {
  const [example, setExample] = useState<Record<string, string>>({ tool: "edit_file" });
  const [told, setTold] = useState<RuleTestView>();
  const { problem, attempt } = useAttempts();
  const test = () => {
    const given = Object.fromEntries(Object.entries(example).filter(([, value]) => value.trim() !== ""));
    return attempt(async () => setTold(await send<RuleTestView>("/rules/test", given)));
  };
  return (
    <form
      className="card form rule-form"
      aria-label="Try an example"
      onSubmit={(event) => {
        event.preventDefault();
        void test();
      }}
    >
      <p className="faint">Try an example: what do the rules say about this call?</p>
      {fields.map(({ name, label, example: hint }) => (
        <label key={name}>
          {label}
          <input
            value={example[name] ?? ""}
            placeholder={hint}
            spellCheck={false}
            onChange={({ target }) => {
              setTold(undefined);
              setExample({ ...example, [name]: target.value });
            }}
          />
        </label>
      ))}
      <div className="row">
        <button type="submit" className="small" disabled={!example["tool"]?.trim()}>
          Test
        </button>
        <output>
          {told && (
            <>
              <span className={`decision ${told.decision}`}>{told.decision}</span> It{" "}
              {verdicts[told.decision]}: {told.reason}
            </>
          )}
        </output>
      </div>
      {problem && <Problem>{problem}</Problem>}
    </form>
  );
}
