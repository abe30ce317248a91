import { useState } from "react";
import type { SessionModelView, SessionModeView, StatusView } from "../../../src/api/api.ts";
import type { ChatMessage } from "../../../src/api/chat.ts";
import type { Plan } from "../../../src/events/agent-events.ts";
import { DocumentPanel } from "../documents/document-panel.tsx";
import { useDocumentPanel } from "../documents/use-document-panel.ts";
import { Empty, Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { standardModel } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { hrefOf } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useFetched } from "../server/use-server.ts";
import { SessionChangesProvider, useSessionChanges } from "./call-changes.tsx";
import { ChatFrame } from "./chat-frame.tsx";
import { before, Composer, type Mode, standardMode } from "./composer.tsx";
import { MessageView } from "./message-view.tsx";
import { PlanView } from "./plan-view.tsx";
import { useDraft } from "./use-draft.ts";
import { useQueue } from "./use-queue.ts";
import { useSession } from "./use-session.ts";

interface ChatProps {
  id: string;
  status: StatusView | undefined;
  asked: boolean;
  onWriting(writing: boolean): void;
  onReview(): void;
}

export function Chat({ id, status, asked, onWriting, onReview }: ChatProps) {
  const { messages, profile, running, unfinished, error, say } = useSession(id);
  const [chosenMode, setMode] = useState<Mode>();
  const mode = chosenMode ?? { ...standardMode, profile };
  const [text, setText] = useDraft(id);
  const { queued, withdraw } = useQueue(id, (unsent) => setText((now) => before(unsent, now)));
  const changes = useSessionChanges(id);
  const chosen = useFetched<SessionModelView>(`/sessions/${id}/model`, "settings-change");
  const permission = useFetched<SessionModeView>(`/sessions/${id}/mode`, "settings-change");
  const { problem, attempt } = useAttempts();
  const document = useDocumentPanel(messages);
  const [said, setSaid] = useState(0);
  /** Also between two runs, while a message is queued. */
  const atWork = running || queued.length > 0;
  const onSend = (given: string) => {
    setSaid(said + 1);
    const how = {
      profile: mode.profile,
      ...(mode.profile === "explore" && { mode: mode.thoroughness }),
    };
    return atWork ? attempt(() => send(`/sessions/${id}/queue`, { text: given, ...how })) : say(given, how);
  };
  const resume = () => void attempt(() => send(`/sessions/${id}/resume`));
  const last = messages.at(-1);
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
          {plan && <PlanView plan={plan} />}
          <Composer
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
        </>
      }
    >
      <SessionChangesProvider value={changes}>
        {messages.map((message) => (
          <MessageView
            key={message.id}
            message={message}
            live={running && message === last}
            onReview={onReview}
            onDocument={document.open}
          />
        ))}
      </SessionChangesProvider>
      {waiting !== undefined && (
        <p className="thinking" role="status">
          <span className="spinner" /> {waiting}…
        </p>
      )}
      {unfinished && !running && <ContinueRun text="Wield stopped during this run." onContinue={resume} />}
      {!running && last?.metadata && last.metadata.stop !== "done" && (
        <ContinueRun text="Nothing is lost: the run can continue from here." onContinue={resume} />
      )}
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
    </ChatFrame>
  );
}

/** What the agent is doing, when nothing else shows it. */
function waitingFor(last: ChatMessage | undefined): string | undefined {
  const part = last?.parts.at(-1);
  if (part?.type === "data-retry") return `${part.data}. Retrying`;
  const atWork = last?.parts.some(
    (each) =>
      each.type === "dynamic-tool" && each.state !== "output-available" && each.state !== "output-error",
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
