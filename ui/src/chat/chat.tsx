import { useMemo, useState } from "react";
import type { StatusView } from "../../../src/api/api.ts";
import type { ChatMessage } from "../../../src/api/chat.ts";
import type { SessionModelView, SessionModeView } from "../../../src/api/sessions.ts";
import type { Plan } from "../../../src/events/agent-events.ts";
import { DocumentPanel } from "../documents/document-panel.tsx";
import { useDocumentPanel } from "../documents/use-document-panel.ts";
import { Empty, Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { isViewer, standardModel } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { goTo, hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { OtherSession } from "../team/other-session.tsx";
import { useAttachments } from "./attachments.tsx";
import { SessionChangesProvider, useSessionChanges } from "./call-changes.tsx";
import { ChatFrame } from "./chat-frame.tsx";
import { before, Composer, type Mode, standardMode } from "./composer.tsx";
import { ForeignSession } from "./foreign-session.tsx";
import { type MessageActions, MessageActionsContext } from "./message-actions.tsx";
import { MessageView } from "./message-view.tsx";
import { PlanView } from "./plan-view.tsx";
import { ProcessesView } from "./processes-view.tsx";
import { UsageMeter } from "./usage-meter.tsx";
import { useDraft } from "./use-draft.ts";
import { useQueue } from "./use-queue.ts";
import { useSession } from "./use-session.ts";

interface ChatProps {
  id: string;
  status: StatusView | undefined;
  asked: boolean;
  /** It waits for an answer that this person may give. */
  answerable: boolean;
  onWriting(writing: boolean): void;
  onReview(): void;
}

export function Chat({ id, status, asked, answerable, onWriting, onReview }: ChatProps) {
  const {
    messages,
    profile,
    running,
    unfinished,
    queued: whyQueued,
    owner,
    error,
    say,
    reload,
    ...place
  } = useSession(id);
  const { folder, worktree, worktreeEnd } = place;
  const [chosenMode, setMode] = useState<Mode>();
  const mode = chosenMode ?? { ...standardMode, profile };
  const [text, setText] = useDraft(id);
  const attachments = useAttachments();
  const { queued, withdraw } = useQueue(id, (unsent, files) => {
    setText((now) => before(unsent, now));
    attachments.put(files);
  });
  const changes = useSessionChanges(id);
  const chosen = useFetched<SessionModelView>(`/sessions/${id}/model`, "settings-change");
  const permission = useFetched<SessionModeView>(`/sessions/${id}/mode`, "settings-change");
  const { problem, attempt } = useAttempts();
  const document = useDocumentPanel(messages);
  const [said, setSaid] = useState(0);
  /** Also between two runs, while a message is queued. */
  const atWork = running || (queued.length > 0 && !unfinished);
  const onSend: Parameters<typeof Composer>[0]["onSend"] = (given, attached) => {
    setSaid(said + 1);
    const how = {
      profile: mode.profile,
      ...(mode.profile === "explore" && { thoroughness: mode.thoroughness }),
    };
    const files = attached.map(({ body }) => body);
    return atWork
      ? attempt(() => send(`/sessions/${id}/queue`, { text: given, attachments: files, ...how }))
      : say(given, files, how);
  };
  const free = !atWork && folder === undefined && status?.team === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is shown matters
  const actions = useMemo((): MessageActions => {
    return {
      ...{ session: id, free },
      again: (entry, text) =>
        void attempt(async () => {
          await send(`/sessions/${id}/again`, { entry, ...(text !== undefined && { text }) });
          await reload();
        }),
      fork: (before) =>
        void attempt(async () => {
          const body = before === undefined ? {} : { before };
          goTo("chat", (await send<{ session: string }>(`/sessions/${id}/fork`, body)).session);
        }),
      rewound: (said) => {
        setText((now) => before(said, now));
        void reload();
      },
    };
  }, [id, free]);
  const resume = () => void attempt(() => send(`/sessions/${id}/resume`));
  const last = messages.at(-1);
  // A note of the team's may follow the last answer.
  const lastRun = messages.findLast(({ id }) => id !== "note")?.metadata;
  const plan = planIn(messages);
  const waiting = running ? waitingFor(last) : undefined;
  if (error && messages.length === 0)
    return (
      <Empty icon="chat" title="This chat cannot be opened">
        <p role="alert">{error}</p>
        <a href={hrefOf("chat")}>Start a new chat</a>
      </Empty>
    );
  return (
    <ChatFrame
      running={running}
      said={said}
      document={
        document.shown && (
          <aside className="document" aria-label="Document">
            <DocumentPanel
              {...document.shown}
              session={id}
              actions={
                <button
                  type="button"
                  className="quiet"
                  onClick={document.close}
                  aria-label="Close the document"
                >
                  <Icon name="cross" />
                </button>
              }
            />
          </aside>
        )
      }
      dock={
        <>
          {/* Above the input, in view wherever the person has scrolled to. */}
          {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
          {plan && <PlanView plan={plan} />}
          {folder === undefined && status?.team === undefined && <ProcessesView session={id} />}
          {owner !== undefined ? (
            <OtherSession owner={owner} />
          ) : folder !== undefined ? (
            <ForeignSession folder={folder} worktree={worktree} worktreeEnd={worktreeEnd} />
          ) : isViewer(status) ? null : (
            <Composer
              attachments={attachments}
              usage={
                status?.team === undefined && (
                  <UsageMeter id={id} running={atWork} onCompacted={() => void reload()} />
                )
              }
              ofTeam={status?.team !== undefined}
              text={text}
              onText={setText}
              asked={asked}
              onWriting={onWriting}
              running={atWork}
              queued={queued}
              onWithdraw={withdraw}
              profiles={status?.profiles ?? []}
              mode={mode}
              onMode={setMode}
              permissions={status?.permissionModes ?? []}
              permission={permission.data?.mode ?? status?.permissionMode ?? "ask"}
              onPermission={(next) => void attempt(() => send(`/sessions/${id}/mode`, { mode: next }))}
              model={chosen.data?.model ?? standardModel(status)}
              onModel={(model) => send(`/sessions/${id}/model`, { model })}
              begun
              onSend={onSend}
              onStop={() => void attempt(() => send(`/sessions/${id}/stop`))}
            />
          )}
        </>
      }
    >
      <SessionChangesProvider value={changes}>
        <MessageActionsContext value={actions}>
          {messages.map((message, at) => (
            <MessageView
              key={message.id}
              message={message}
              entry={entryOf(messages, message.role === "user" ? at : lastSaid(messages, at))}
              next={entryOf(
                messages,
                messages.findIndex(({ role }, later) => later > at && role === "user"),
              )}
              live={running && message === last}
              onReview={onReview}
              waitsFor={answerable ? undefined : owner}
              onDocument={document.open}
            />
          ))}
        </MessageActionsContext>
      </SessionChangesProvider>
      {waiting !== undefined && (
        <p className="thinking" role="status">
          <span className="spinner" /> {waiting}…
        </p>
      )}
      {whyQueued !== undefined && (
        <p className="thinking" role="status">
          {whyQueued}
        </p>
      )}
      {unfinished && !running && owner === undefined && (
        <ContinueRun
          text={
            queued.length > 0
              ? "The run has not begun: it can be tried again."
              : "Wield stopped during this run."
          }
          onContinue={resume}
        />
      )}
      {!running && owner === undefined && lastRun && lastRun.stop !== "done" && (
        <ContinueRun text="Nothing is lost: the run can continue from here." onContinue={resume} />
      )}
    </ChatFrame>
  );
}

/** The place of a message in the log. One that was just sent has it once its answer begins, right after it. */
function entryOf(messages: readonly ChatMessage[], at: number): number | undefined {
  const own = /^m(\d+)$/.exec(messages[at]?.id ?? "")?.[1];
  if (own !== undefined) return Number(own);
  const answer = /^m(\d+)$/.exec(messages[at + 1]?.id ?? "")?.[1];
  return at < 0 || answer === undefined ? undefined : Number(answer) - 1;
}

function lastSaid(messages: readonly ChatMessage[], before: number): number {
  return messages.slice(0, before).findLastIndex(({ role }) => role === "user");
}

/** What the agent is doing, when nothing else shows it. */
function waitingFor(last: ChatMessage | undefined): string | undefined {
  const part = last?.parts.at(-1);
  if (part?.type === "data-retry") return `${part.data.replace(/\.$/, "")}. Retrying`;
  const atWork = last?.parts.some(
    (each) =>
      each.type === "dynamic-tool" &&
      (each.state === "output-available" ? each.preliminary === true : each.state !== "output-error"),
  );
  return atWork || part?.type === "text" ? undefined : "Thinking";
}

/** The plan after the last call that changed it. */
function planIn(messages: readonly ChatMessage[]): Plan | undefined {
  for (const { parts } of messages.toReversed()) {
    const part = parts.findLast(({ type }) => type === "data-plan");
    if (part?.type === "data-plan") return part.data;
  }
  return undefined;
}

function ContinueRun({ text, onContinue }: { text: string; onContinue(): void }) {
  return (
    <p className="continue-run">
      {text}
      <button type="button" onClick={onContinue}>
        Continue
      </button>
    </p>
  );
}
