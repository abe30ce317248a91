import { useState } from "react";
import type { SessionSummary } from "../../../src/api/sessions.ts";
import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu, MenuItem } from "../parts/menu.tsx";
import { visible } from "../parts/visible.ts";
import { ago } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { download } from "../server/download.ts";
import { goTo, hrefOf, useRoute } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";

export interface SessionListProps {
  sessions: readonly SessionSummary[];
  /** Sessions that wait for an answer, with what they need. */
  asking: ReadonlyMap<string, string>;
  query: string;
  onQuery(query: string): void;
  /** Chats of all folders. */
  everywhere: boolean;
  onEverywhere(everywhere: boolean): void;
  /** A team's sessions: there are no folders, and they are not renamed or removed here. */
  ofTeam: boolean;
}

/** Sessions of this folder or of all, pinned ones first. */
export function SessionList({
  sessions,
  asking,
  query,
  onQuery,
  everywhere,
  onEverywhere,
  ofTeam,
}: SessionListProps) {
  const { problem, attempt } = useAttempts();
  return (
    <div className="sessions">
      <div className="session-search">
        <label className="field-search">
          <Icon name="search" size={14} />
          <input
            type="search"
            placeholder="Search chats"
            aria-label="Search chats"
            title={
              ofTeam ? "Finds words in titles" : "Finds words in titles, in your messages and in answers"
            }
            value={query}
            onChange={(event) => onQuery(event.target.value)}
          />
        </label>
        {!ofTeam && (
          <select
            className="small"
            aria-label="Chats of"
            value={everywhere ? "all" : "this"}
            onChange={(event) => onEverywhere(event.target.value === "all")}
          >
            <option value="this">This folder</option>
            <option value="all">All folders</option>
          </select>
        )}
      </div>
      {problem && <Problem>{problem}</Problem>}
      <ul aria-label="Chats">
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            fixed={ofTeam}
            asking={asking.get(session.id)}
            attempt={(work) => void attempt(work)}
          />
        ))}
      </ul>
      {sessions.length === 0 && <p className="faint pad">{query ? "No matching chats." : "No chats yet."}</p>}
    </div>
  );
}

interface ItemProps {
  session: SessionSummary;
  /** It can only be opened. */
  fixed: boolean;
  /** What it waits for from this person. */
  asking: string | undefined;
  attempt(work: () => Promise<unknown>): void;
}

function SessionItem({ session, fixed, asking, attempt }: ItemProps) {
  const { id, title, updated, running, queued, failed, pinned, folder, worktree } = session;
  const { page, item } = useRoute();
  const [renaming, setRenaming] = useState(false);
  const name = title || "Untitled";
  const change = (mark: { title?: string; pinned?: boolean }) =>
    attempt(() => send(`/sessions/${id}`, mark, { method: "PATCH" }));
  if (renaming)
    return (
      <li>
        <RenameField
          title={title}
          onDone={(next) => {
            setRenaming(false);
            if (next !== undefined && next !== title) change({ title: next });
          }}
        />
      </li>
    );
  return (
    <li className="session">
      <a href={hrefOf("chat", id)} aria-current={page === "chat" && item === id ? "page" : undefined}>
        {pinned && (
          <span className="session-pin" role="img" aria-label="Pinned">
            <Icon name="pin" size={12} />
          </span>
        )}
        <span className="session-title" title={folder ? `${name}, in ${folder}` : name}>
          {name}
          <WhoseSession session={session} />
          {folder !== undefined && (
            <span className="session-folder">
              {worktree === undefined ? folder.split("/").at(-1) : `worktree ${worktree}`}
            </span>
          )}
        </span>
        {running && !queued && <span className="pulse">{asking ?? "running"}</span>}
        {queued && <span className="faint">queued</span>}
        {!running && failed !== undefined && (
          <span className={failed === "stopped" ? "faint" : "bad-text"}>{failed}</span>
        )}
        {!running && failed === undefined && <span className="faint">{ago(updated)}</span>}
      </a>
      {!fixed && (
        <Menu label={`Actions for ${name}`} button={<Icon name="more" size={14} />}>
          {(close) => (
            <SessionActions
              session={session}
              onRename={() => {
                close();
                setRenaming(true);
              }}
              onPin={() => {
                close();
                change({ pinned: !pinned });
              }}
              onSave={(format) => {
                close();
                attempt(() => download(`/sessions/${id}/export?format=${format}`));
              }}
              onDelete={() => {
                close();
                attempt(async () => {
                  await send(`/sessions/${id}`, {}, { method: "DELETE" });
                  if (item === id) goTo("chat");
                });
              }}
            />
          )}
        </Menu>
      )}
    </li>
  );
}

/** Of a team: the project, and who started it or that everybody can read it. */
function WhoseSession({ session: { project, owner, shared } }: Pick<ItemProps, "session">) {
  const whose = owner ?? (shared ? "shared" : undefined);
  const words = [project, whose].filter((word) => word !== undefined);
  return words.length > 0 && <span className="session-folder">{words.map(visible).join(" · ")}</span>;
}

interface ActionsProps {
  session: SessionSummary;
  onRename(): void;
  onPin(): void;
  onSave(format: string): void;
  onDelete(): void;
}

const formats = { md: "Markdown", html: "web page", json: "JSON lines" } as const;

function SessionActions({ session, onRename, onPin, onSave, onDelete }: ActionsProps) {
  const [sure, setSure] = useState(false);
  return (
    <>
      <MenuItem onPick={onRename}>Rename</MenuItem>
      <MenuItem onPick={onPin}>{session.pinned ? "Unpin" : "Pin to the top"}</MenuItem>
      {Object.entries(formats).map(([format, label]) => (
        <MenuItem key={format} onPick={() => onSave(format)}>
          Save as {label}
        </MenuItem>
      ))}
      <MenuItem danger onPick={sure ? onDelete : () => setSure(true)}>
        {sure ? "Delete for good" : "Delete…"}
      </MenuItem>
    </>
  );
}

function RenameField({ title, onDone }: { title: string; onDone(title?: string): void }) {
  const [text, setText] = useState(title);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone(text.trim() || undefined);
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the person just opened this field
        autoFocus
        aria-label="New title"
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => onDone(text.trim() || undefined)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onDone();
        }}
      />
    </form>
  );
}
