import { Fragment, useState } from "react";
import type { RuleView, SettingsView, StatusView } from "../../../src/api/api.ts";
import { PageHead, Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { Keys } from "./keys.tsx";
import { McpServers } from "./mcp-servers.tsx";
import { Providers } from "./providers.tsx";
import { NewRule, RuleTester } from "./rule-tester.tsx";
import { Rules } from "./rules.tsx";
import { Servers } from "./servers.tsx";
import { Storage } from "./storage.tsx";
import { setTheme, type Theme, theme } from "./theme.ts";
import { ToolSwitches } from "./tool-switches.tsx";

export function SettingsPage({ status }: { status: StatusView | undefined }) {
  const { data, error, again } = useFetched<SettingsView>("/settings", "settings-change");
  const { problem, attempt: tryIt } = useAttempts();
  const [colours, setColours] = useState(theme);
  const attempt = (work: () => Promise<unknown>) => tryIt(work).finally(again);
  const changeRule = (rule: RuleView, instead?: RuleView) =>
    attempt(() => send("/settings/forget", { rule, ...(instead && { instead }) }));
  const save = (patch: Partial<Pick<SettingsView, "model" | "steps" | "effort" | "costUsdPerDay">>) =>
    attempt(() => send("/settings", patch, { method: "PATCH" }));
  return (
    <section className="page narrow">
      <PageHead title="Settings">Your settings for all folders, stored in your settings file.</PageHead>
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
      {data && (
        <>
          <Keys />
          <h2>Agent</h2>
          <div className="card form">
            <ModelField
              key={data.model ?? ""}
              model={data.model}
              status={status}
              onSave={(model) => void save({ model })}
            />
            <label>
              Steps before it asks to continue
              <input
                type="number"
                min={1}
                max={1000}
                defaultValue={data.steps}
                onBlur={(event) => {
                  const steps = event.target.valueAsNumber;
                  if (Number.isInteger(steps) && steps !== data.steps) void save({ steps });
                }}
              />
            </label>
            <label>
              Thinking
              <select
                value={data.effort ?? ""}
                onChange={({ target }) =>
                  void save({ effort: (target.value || null) as SettingsView["effort"] })
                }
              >
                <option value="">as the model does by itself</option>
                <option value="none">none</option>
                <option value="low">little</option>
                <option value="medium">medium</option>
                <option value="high">much</option>
                <option value="max">as much as it can</option>
              </select>
            </label>
            <label>
              Budget of a day, in US dollars (a warning comes at 80 %)
              <input
                type="number"
                min={0}
                step="0.5"
                placeholder="none"
                defaultValue={data.costUsdPerDay ?? ""}
                onBlur={({ target }) => {
                  const usd = target.value === "" ? null : target.valueAsNumber;
                  if (usd !== data.costUsdPerDay) void save({ costUsdPerDay: usd });
                }}
              />
            </label>
            <label>
              Colours
              <select
                value={colours}
                onChange={({ target }) => {
                  setTheme(target.value as Theme);
                  setColours(target.value as Theme);
                }}
              >
                <option value="system">as the system</option>
                <option value="light">light</option>
                <option value="dark">dark</option>
              </select>
            </label>
          </div>
          <ToolSwitches off={data.off} onChanged={again} />
          <Servers />
          <McpServers />
          <Providers />
          <h2>Approval rules</h2>
          <p className="faint">
            The last matching rule decides. Without a matching rule, each tool's default applies.
          </p>
          <RuleTester />
          <Rules title="Yours" rules={data.rules.user} onChange={changeRule} />
          <NewRule onAdded={again} />
          <Rules
            title={status?.trusted ? "This folder" : "This folder (not trusted: rules can only be stricter)"}
            rules={data.rules.workspace}
          />
          <Rules title="In open sessions" rules={data.rules.session} onChange={changeRule} />
          <Storage />
          <h2>About</h2>
          <dl className="card facts">
            <dt>Folder</dt>
            <dd>{status?.workspace}</dd>
            <dt>Trusted</dt>
            <dd>
              {status?.trusted
                ? "yes"
                : "no: its settings can only make rules stricter, and its own tools and skills are not used. If you trust it, run wield trust in the terminal and start Wield again."}
            </dd>
            {status?.problems.map((problem) => (
              <Fragment key={problem}>
                <dt>Left out</dt>
                <dd>{problem}</dd>
              </Fragment>
            ))}
            <dt>Version</dt>
            <dd>{status?.version}</dd>
          </dl>
        </>
      )}
    </section>
  );
}

interface ModelFieldProps {
  model: string | null;
  status: StatusView | undefined;
  onSave(model: string | null): void;
}

function ModelField({ model, status, onSave }: ModelFieldProps) {
  const [text, setText] = useState(model ?? "");
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text.trim() || null);
      }}
    >
      <label className="grow">
        Model
        <input value={text} placeholder="automatic" onChange={(event) => setText(event.target.value)} />
        <span className={status?.modelError ? "bad-text pre" : "faint"}>
          {status?.modelError
            ? status.model
            : `Now: ${status?.model ?? ""}. Enter provider, provider/model, http://host/v1#model or offline.`}
        </span>
      </label>
      <button type="submit" disabled={text.trim() === (model ?? "")}>
        Save
      </button>
    </form>
  );
}
