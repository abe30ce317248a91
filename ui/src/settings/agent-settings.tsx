import { useState } from "react";
import type { StatusView } from "../../../src/api/api.ts";
import type { SettingsView } from "../../../src/api/settings.ts";
import { Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { setTheme, type Theme, theme } from "./theme.ts";

type Patch = Partial<Pick<SettingsView, "model" | "steps" | "effort" | "costUsdPerDay">>;

interface AgentSettingsProps {
  settings: SettingsView;
  status: StatusView | undefined;
  onChanged(): void;
}

/** The model and the limits of the agent, and the colours of the page. */
export function AgentSettings({ settings, status, onChanged }: AgentSettingsProps) {
  const { problem, attempt } = useAttempts();
  const [colours, setColours] = useState(theme);
  const save = (patch: Patch) =>
    attempt(() => send("/settings", patch, { method: "PATCH" })).finally(onChanged);
  return (
    <>
      <h2>Agent</h2>
      <div className="card form">
        <ModelField key={settings.model ?? ""} {...settings} status={status} onSaved={onChanged} />
        <label>
          Steps before it asks whether to continue
          <input
            type="number"
            min={1}
            max={1000}
            defaultValue={settings.steps}
            onBlur={(event) => {
              const steps = event.target.valueAsNumber;
              if (Number.isInteger(steps) && steps !== settings.steps) void save({ steps });
            }}
          />
        </label>
        <label>
          Reasoning effort
          <select
            value={settings.effort ?? ""}
            onChange={({ target }) => void save({ effort: (target.value || null) as SettingsView["effort"] })}
          >
            <option value="">the model's default</option>
            <option value="none">none</option>
            <option value="low">low</option>
            <option value="medium">medium</option>
            <option value="high">high</option>
            <option value="max">maximum</option>
          </select>
        </label>
        <label>
          Daily budget in US dollars (you are warned at 80%)
          <input
            type="number"
            min={0}
            step="0.5"
            placeholder="none"
            defaultValue={settings.costUsdPerDay ?? ""}
            onBlur={({ target }) => {
              const usd = target.value === "" ? null : target.valueAsNumber;
              if (usd !== settings.costUsdPerDay) void save({ costUsdPerDay: usd });
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
            <option value="system">same as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        {problem && <Problem>{problem}</Problem>}
      </div>
    </>
  );
}

interface ModelFieldProps extends Pick<SettingsView, "model" | "startedWithModel"> {
  status: StatusView | undefined;
  onSaved(): void;
}

/** A wrong name is refused here, beside the field, and says so. */
function ModelField({ model, startedWithModel, status, onSaved }: ModelFieldProps) {
  const [text, setText] = useState(model ?? "");
  const { problem, busy, attempt } = useAttempts();
  const save = () =>
    attempt(async () => {
      await send("/settings", { model: text.trim() || null }, { method: "PATCH" });
      onSaved();
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="row">
        <label className="grow">
          Model
          <input
            value={text}
            placeholder="automatic"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
          <span className={status?.modelError ? "bad-text pre" : "faint"}>
            {status?.modelError
              ? status.model
              : `In use: ${status?.model ?? ""}. Enter provider, provider/model, http://host/v1#model or offline.`}
          </span>
        </label>
        <button type="submit" disabled={busy || text.trim() === (model ?? "")}>
          {busy ? "Checking…" : "Save"}
        </button>
      </div>
      {startedWithModel !== null && (
        <p className="note">
          Wield was started with the model <code>{startedWithModel}</code> (<code>WIELD_MODEL</code> or{" "}
          <code>--model</code>), which is used instead of this setting until Wield is started without it.
        </p>
      )}
      {problem && <Problem>{problem}</Problem>}
    </form>
  );
}
