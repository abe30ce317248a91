import { useState } from "react";
import type { McpReviewView, McpServersView } from "../../../src/api/settings.ts";
import { Problem } from "../parts/feedback.tsx";
import { plural } from "../parts/words.ts";
import { get, send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

type Used = McpServersView["used"][number];
type Found = McpServersView["found"][number];

/** MCP servers: those in use with what is wrong with them, how to add one, and those that other programs use. */
export function McpServers() {
  const { data, error, again } = useFetched<McpServersView>("/mcp-servers", "settings-change");
  const { used = [], found = [], problems = [] } = data ?? {};
  return (
    <section aria-label="MCP servers">
      <h2>MCP servers</h2>
      <p className="faint">
        Once you approve them, the tools of a server are used like all others, with the same approvals.
      </p>
      {error && <Problem>{error}</Problem>}
      <ul className="card keys" aria-label="Servers in use">
        {used.map((server) => (
          <UsedServer key={server.name} server={server} onChanged={again} />
        ))}
        {data && used.length === 0 && <li className="faint">No servers yet.</li>}
        <li>
          <NewServer onAdded={again} />
        </li>
      </ul>
      {found.length > 0 && (
        <>
          <h3>Found in other programs</h3>
          <p className="faint">Wield runs none of them until you add it.</p>
          <ul className="card keys" aria-label="Servers of other programs">
            {found.map((server) => (
              <FoundServer key={server.id} server={server} onAdded={again} />
            ))}
          </ul>
        </>
      )}
      {problems.map((line) => (
        <p key={line} className="faint">
          {line}
        </p>
      ))}
    </section>
  );
}

function NewServer({ onAdded }: { onAdded(): void }) {
  const { problem, attempt } = useAttempts();
  const [name, setName] = useState("");
  const [how, setHow] = useState("");
  const add = async () => {
    const [command = "", ...args] = how.trim().split(/\s+/);
    const server = /^https?:\/\//.test(how.trim()) ? { url: how.trim() } : { command, args };
    if (!(await attempt(() => send("/mcp-servers", { name: name.trim(), server })))) return;
    setName("");
    setHow("");
    onAdded();
  };
  return (
    <form
      aria-label="Add a server"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <div className="row mcp-form">
        <input
          aria-label="Name of the server"
          placeholder="Name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <input
          className="grow"
          aria-label="Command or address"
          placeholder="Command with arguments, or https://…"
          value={how}
          spellCheck={false}
          onChange={({ target }) => setHow(target.value)}
        />
        <button type="submit" className="small" disabled={name.trim() === "" || how.trim() === ""}>
          Add
        </button>
      </div>
      {problem && <Problem>{problem}</Problem>}
    </form>
  );
}

function FoundServer({ server, onAdded }: { server: Found; onAdded(): void }) {
  const { id, name, from, what } = server;
  const { problem, busy, attempt } = useAttempts();
  return (
    <li>
      <div className="row">
        <div className="grow">
          <strong>{name}</strong> <span className="faint">in {from}</span>
          <div className="faint">{what}</div>
        </div>
        <button
          type="button"
          className="small"
          disabled={busy}
          aria-label={`Add ${name}`}
          onClick={() => void attempt(() => send("/mcp-servers/found", { ids: [id] })).finally(onAdded)}
        >
          Add
        </button>
      </div>
      {problem && <Problem>{problem}</Problem>}
    </li>
  );
}

function UsedServer({ server, onChanged }: { server: Used; onChanged(): void }) {
  const { name, how, tools, problem: trouble, signIn } = server;
  const [review, setReview] = useState<McpReviewView>();
  const [address, setAddress] = useState<string>();
  const { problem, busy, attempt } = useAttempts();
  const path = `/mcp-servers/${encodeURIComponent(name)}`;
  const approve = async () => {
    if (!(await attempt(() => send(`${path}/approve`)))) return;
    setReview(undefined);
    onChanged();
  };
  return (
    <li>
      <div className="row">
        <div className="grow">
          <strong>{name}</strong> <span className="faint">{plural(tools, "tool")}</span>
          <div className="faint">
            {how === null ? "From the settings of this folder" : <code>{how}</code>}
          </div>
        </div>
        {signIn && address === undefined && (
          <button
            type="button"
            className="small primary"
            disabled={busy}
            aria-label={`Sign in to ${name}`}
            onClick={() =>
              void attempt(async () => setAddress((await send<{ url: string }>(`${path}/login`)).url))
            }
          >
            Sign in
          </button>
        )}
        {signIn && address !== undefined && (
          <a href={address} target="_blank" rel="noreferrer">
            Open the sign-in page
          </a>
        )}
        <button
          type="button"
          className="small"
          disabled={busy}
          aria-label={`Review tools of ${name}`}
          onClick={() => void attempt(async () => setReview(await get<McpReviewView>(`${path}/review`)))}
        >
          Review tools
        </button>
        {how !== null && (
          <button
            type="button"
            className="small quiet"
            aria-label={`Remove ${name}`}
            onClick={() => void attempt(() => send(path, {}, { method: "DELETE" })).then(onChanged)}
          >
            Remove
          </button>
        )}
      </div>
      {/* A failed review says the same again. */}
      {trouble !== null && problem === undefined && <p className="bad-text pre">{trouble}</p>}
      {problem && <Problem>{problem}</Problem>}
      {review && <ReviewView review={review} busy={busy} onApprove={() => void approve()} />}
    </li>
  );
}

interface ReviewProps {
  review: McpReviewView;
  busy: boolean;
  onApprove(): void;
}

/** How the tools of a server differ from what was approved. */
function ReviewView({ review: { drift, readers }, busy, onApprove }: ReviewProps) {
  if (drift.length === 0) return <p className="faint">Its tools have not changed since you approved them.</p>;
  return (
    <>
      {drift.map(({ tool, change, diff }) => (
        <details key={tool}>
          <summary>
            {change}: {tool}
          </summary>
          <pre className="pre">{diff}</pre>
        </details>
      ))}
      {readers.length > 0 && (
        <p className="faint">
          The server declares these read-only; they will run without asking: {readers.join(", ")}
        </p>
      )}
      <button type="button" className="small primary" disabled={busy} onClick={onApprove}>
        Approve these tools
      </button>
    </>
  );
}
