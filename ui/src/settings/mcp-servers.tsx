import { useState } from "react";
import type { McpReviewView, McpServerView } from "../../../src/api/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { plural } from "../parts/words.ts";
import { get, send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";

/** MCP servers: which there are, what is wrong with them, how to add one and approve its tools. */
export function McpServers() {
  const { data = [], error, again } = useFetched<readonly McpServerView[]>("/mcp-servers", "settings-change");
  const { problem, attempt } = useAttempts();
  const [name, setName] = useState("");
  const [how, setHow] = useState("");
  const add = async () => {
    const [command = "", ...args] = how.trim().split(/\s+/);
    const server = /^https?:\/\//.test(how.trim()) ? { url: how.trim() } : { command, args };
    if (!(await attempt(() => send("/mcp-servers", { name: name.trim(), server })))) return;
    setName("");
    setHow("");
    again();
  };
  return (
    <>
      <h2>Your MCP servers</h2>
      <p className="faint">Their tools join the others, behind the same approvals, once you approved them.</p>
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
      <ul className="card keys" aria-label="Your MCP servers">
        {data.map((server) => (
          <ServerItem key={server.name} server={server} onChanged={again} />
        ))}
        {data.length === 0 && <li className="faint">None.</li>}
        <li>
          <form
            className="row mcp-form"
            aria-label="Add a server"
            onSubmit={(event) => {
              event.preventDefault();
              void add();
            }}
          >
            <input
              aria-label="Name of the server"
              placeholder="name"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <input
              className="grow"
              aria-label="Command or address"
              placeholder="command with arguments, or https://…"
              value={how}
              spellCheck={false}
              onChange={({ target }) => setHow(target.value)}
            />
            <button type="submit" className="small" disabled={name.trim() === "" || how.trim() === ""}>
              Add
            </button>
          </form>
        </li>
      </ul>
    </>
  );
}

function ServerItem({ server, onChanged }: { server: McpServerView; onChanged(): void }) {
  const { name, how, tools, problems } = server;
  const [review, setReview] = useState<McpReviewView>();
  const { problem, busy, attempt } = useAttempts();
  const path = `/mcp-servers/${encodeURIComponent(name)}`;
  return (
    <li>
      <div className="row">
        <div className="grow">
          <strong>{name}</strong> <span className="faint">{plural(tools, "tool")}</span>
          <div className="faint">
            <code>{how}</code>
          </div>
        </div>
        <button
          type="button"
          className="small"
          disabled={busy}
          aria-label={`Review ${name}`}
          onClick={() => void attempt(async () => setReview(await get<McpReviewView>(`${path}/review`)))}
        >
          Review
        </button>
        <button
          type="button"
          className="small quiet"
          aria-label={`Remove ${name}`}
          onClick={() => void attempt(() => send(path, {}, { method: "DELETE" })).then(onChanged)}
        >
          Remove
        </button>
      </div>
      {problems.map((line) => (
        <p key={line} className="bad-text pre">
          {line}
        </p>
      ))}
      {problem && <Problem>{problem}</Problem>}
      {review && review.drift.length === 0 && (
        <p className="faint">Its tools have not changed since they were approved.</p>
      )}
      {review && review.drift.length > 0 && (
        <>
          {review.drift.map(({ tool, change, diff }) => (
            <details key={tool}>
              <summary>
                {change}: {tool}
              </summary>
              <pre className="pre">{diff}</pre>
            </details>
          ))}
          {review.readers.length > 0 && (
            <p className="faint">Declared read-only, will run without asking: {review.readers.join(", ")}</p>
          )}
          <button
            type="button"
            className="small primary"
            onClick={() =>
              void attempt(() => send(`${path}/approve`)).then(() => {
                setReview(undefined);
                onChanged();
              })
            }
          >
            Approve these tools
          </button>
        </>
      )}
    </li>
  );
}
