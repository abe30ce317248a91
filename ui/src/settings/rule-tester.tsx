import { useState } from "react";
import type { RuleTestView, RuleView } from "../../../src/api/settings.ts";
import { Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { RuleFields, type RuleFieldValues, tidy } from "./rule-fields.tsx";
import { RuleForm } from "./rules.tsx";

const verdicts = {
  allow: "The call runs without asking",
  ask: "You are asked first",
  deny: "The call is refused",
} as const;

/** A new rule, for this folder or for all. */
export function NewRule({ onAdded }: { onAdded(): void }) {
  const [adding, setAdding] = useState(false);
  const [here, setHere] = useState(true);
  if (!adding)
    return (
      <button type="button" className="small" onClick={() => setAdding(true)}>
        Add a rule
      </button>
    );
  return (
    <div className="card rules">
      <label className="row">
        <input type="checkbox" checked={here} onChange={({ target }) => setHere(target.checked)} />
        Only in this folder
      </label>
      <RuleForm
        rule={{ decision: "ask" }}
        onCancel={() => setAdding(false)}
        onSave={async (rule: RuleView) => {
          await send("/rules", { rule, here });
          setAdding(false);
          onAdded();
        }}
      />
    </div>
  );
}

/** An example of a call, and what the rules in force say about it. */
export function RuleTester() {
  const [example, setExample] = useState<RuleFieldValues>({ tool: "edit_file" });
  const [told, setTold] = useState<RuleTestView>();
  const { problem, attempt } = useAttempts();
  return (
    <form
      className="card rules"
      aria-label="Try an example"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(async () => setTold(await send<RuleTestView>("/rules/test", tidy(example))));
      }}
    >
      <h3>Try an example</h3>
      <p className="faint">Describe a call, and see what the rules say about it.</p>
      <div className="rule-form">
        <RuleFields
          values={example}
          hint="example"
          onChange={(changed) => {
            setTold(undefined);
            setExample({ ...example, ...changed });
          }}
        />
        <div className="row">
          <button type="submit" className="small" disabled={!example.tool?.trim()}>
            Test
          </button>
          <output>
            {told && (
              <>
                <span className={`decision ${told.decision}`}>{told.decision}</span> {verdicts[told.decision]}
                : {told.reason}
              </>
            )}
          </output>
        </div>
      </div>
      {problem && <Problem>{problem}</Problem>}
    </form>
  );
}
