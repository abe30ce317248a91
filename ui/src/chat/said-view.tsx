import { useState } from "react";
import type { ChatMessage } from "../../../src/api/chat.ts";
import { Icon } from "../parts/icon.tsx";
import { visible } from "../parts/visible.ts";
import { download } from "../server/download.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useImage } from "../server/use-image.ts";
import { CopyAction, MessageAction, useMessageActions } from "./message-actions.tsx";
import { RewindDialog } from "./rewind-dialog.tsx";

type FilePart = Extract<ChatMessage["parts"][number], { type: "file" }>;

interface SaidProps {
  message: ChatMessage;
  /** Its place in the session's log, once it is known. */
  entry: number | undefined;
}

/** What the person said: it can be copied, edited and sent again, or the chat forked before it. */
export function SaidView({ message, entry }: SaidProps) {
  const [editing, setEditing] = useState(false);
  const [rewinding, setRewinding] = useState(false);
  const actions = useMessageActions();
  const files = message.parts.filter((part) => part.type === "file");
  const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (editing && actions && entry !== undefined)
    return (
      <EditForm
        text={text}
        onCancel={() => setEditing(false)}
        onSend={(next) => {
          setEditing(false);
          actions.again(entry, next);
        }}
      />
    );
  return (
    <div className="said-block">
      {files.length > 0 && (
        <ul className="said-files" aria-label="Attached files">
          {files.map((file, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message do not change
            <li key={at}>
              <SaidFile file={file} session={actions?.session} />
            </li>
          ))}
        </ul>
      )}
      {text !== "" && (
        <article className="said" aria-label="You">
          {text}
        </article>
      )}
      {rewinding && actions && entry !== undefined && (
        <RewindDialog
          session={actions.session}
          to={entry}
          onDone={(said) => {
            setRewinding(false);
            if (said !== undefined) actions.rewound(said);
          }}
        />
      )}
      <div className="message-actions">
        <CopyAction text={text} label="Copy what you wrote" />
        {actions?.free && entry !== undefined && (
          <>
            <MessageAction
              icon="edit"
              label="Edit and resend"
              title="Edit and resend; what came after it is removed"
              onClick={() => setEditing(true)}
            />
            <MessageAction
              icon="undo"
              label="Rewind to here"
              title="Rewind: take the chat, the files or both back to before this message"
              onClick={() => setRewinding(true)}
            />
            {entry > 0 && (
              <MessageAction
                icon="fork"
                label="Fork before this"
                title="Fork: a copy of the chat up to here"
                onClick={() => actions.fork(entry)}
              />
            )}
          </>
        )}
      </div>
    </div>
  );
}

function EditForm({
  text,
  onSend,
  onCancel,
}: {
  text: string;
  onSend(text: string): void;
  onCancel(): void;
}) {
  const [draft, setDraft] = useState(text);
  const submit = () => {
    if (draft.trim() !== "") onSend(draft.trim());
  };
  return (
    <form
      className="edit-said"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person just opened this field
        autoFocus
        aria-label="Edited text"
        rows={Math.min(10, draft.split("\n").length + 1)}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className="row">
        <span className="faint grow">
          Everything after this message is removed from the chat; files stay as they are.
        </span>
        <button type="button" className="small" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="small primary" disabled={draft.trim() === ""}>
          Send
        </button>
      </div>
    </form>
  );
}

function SaidFile({ file, session }: { file: FilePart; session: string | undefined }) {
  const { filename = "file", mediaType, url } = file;
  const { problem, attempt } = useAttempts();
  const isImage = mediaType.startsWith("image/");
  const kept = url.startsWith("data:") || session === undefined ? undefined : `/sessions/${session}/${url}`;
  const loaded = useImage(isImage ? kept : undefined, mediaType);
  const source = url.startsWith("data:") ? url : loaded;
  if (isImage && source !== undefined) return <img src={source} alt={visible(filename)} />;
  return (
    <button
      type="button"
      className="small"
      disabled={kept === undefined}
      title={problem}
      onClick={() => kept !== undefined && void attempt(() => download(kept))}
    >
      <Icon name="file" size={14} /> {visible(filename)}
    </button>
  );
}
