import { useState } from "react";
import type { KeyView } from "../../../src/api/keys.ts";
import { Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

const kinds = { model: "Models", search: "Web search", github: "GitHub" } as const;
const sources = { environment: "from the environment", stored: "stored", none: "not set" } as const;

/** Keys of providers: entered here, checked, stored for the person alone, and never shown again. */
export function Keys() {
  const { data = [], error, again } = useFetched<readonly KeyView[]>("/keys", "settings-change");
  const groups = Map.groupBy(data, ({ kind }) => kind);
  return (
    <>
      <h2 id="keys">Keys</h2>
      <p className="faint">
        A key is checked with one small request and stored in a file that only you can read. It is never shown
        again, and it is sent only to its provider. A key in an environment variable takes precedence.
      </p>
      {error && <Problem>{error}</Problem>}
      {[...groups].map(([kind, keys]) => (
        <section key={kind} aria-label={`Keys: ${kinds[kind]}`}>
          <h3>{kinds[kind]}</h3>
          <ul className="card keys">
            {keys.map((key) => (
              <KeyItem key={key.provider} view={key} onChanged={again} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function KeyItem({ view, onChanged }: { view: KeyView; onChanged(): void }) {
  const { provider, label, variable, source, page, needs } = view;
  const [open, setOpen] = useState(false);
  const [key, setKey] = useState("");
  const { problem, busy, attempt } = useAttempts();
  const save = async (check: boolean) => {
    if (!(await attempt(() => send("/keys", { provider, key: key.trim(), check })))) return;
    setKey("");
    setOpen(false);
    onChanged();
  };
  const remove = async () => {
    await attempt(() => send(`/keys/${encodeURIComponent(provider)}`, {}, { method: "DELETE" }));
    onChanged();
  };
  return (
    <li>
      <div className="row">
        <div className="grow">
          <strong>{label}</strong>{" "}
          <span className={source === "none" ? "faint" : "tag ok"}>
            {sources[source]}
            {source === "environment" && ` (${variable})`}
          </span>
          <div className="faint">Besides the key: {needs}</div>
        </div>
        {source === "stored" && (
          <button
            type="button"
            className="small quiet"
            aria-label={`Remove the key of ${label}`}
            onClick={() => void remove()}
          >
            Remove
          </button>
        )}
        <button
          type="button"
          className="small"
          aria-label={`${source === "none" ? "Enter key" : "Replace"}: ${label}`}
          onClick={() => setOpen(!open)}
        >
          {source === "none" ? "Enter key" : "Replace"}
        </button>
      </div>
      {open && (
        <form
          className="row key-form"
          onSubmit={(event) => {
            event.preventDefault();
            void save(true);
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: the person just opened this field
            autoFocus
            type="password"
            autoComplete="off"
            spellCheck={false}
            aria-label={`${label} key`}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          <button type="submit" className="small primary" disabled={busy || key.trim() === ""}>
            {busy ? "Checking…" : "Check and save"}
          </button>
        </form>
      )}
      {open && page !== undefined && (
        <p className="faint">
          Get a key at{" "}
          <a href={page} target="_blank" rel="noopener noreferrer">
            {page}
          </a>
        </p>
      )}
      {problem && <Problem>{problem}</Problem>}
      {problem && open && key.trim() !== "" && (
        <button type="button" className="small" onClick={() => void save(false)}>
          Save without checking
        </button>
      )}
    </li>
  );
}
