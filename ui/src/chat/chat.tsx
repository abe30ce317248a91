import { type ReactNode, useEffect, useRef, useState } from "react";
import type { StatusView } from "../../../src/events/api.ts";
import type { ChatMessage, Plan } from "../../../src/events/chat.ts";
import { Problem } from "../parts/feedback.tsx";
import { send, wordsOf } from "../server/api.ts";
import { goTo } from "../server/route.ts";
import { Composer, standardMode } from "./composer.tsx";
import { DocumentPanel } from "./document-panel.tsx";
import { MessageView } from "./message-view.tsx";
import { PlanView } from "./plan-view.tsx";
import { useSession } from "./use-session.ts";
import { Welcome } from "./welcome.tsx";

/** A conversation that begins with the first word. */
export function NewChat({ status }: { status: StatusView | undefined }) {
  const [mode, setMode] = useState(standardMode);
  const { problem, attempt } = useAttempts();
  const say = (text: string) =>
    attempt(async () => {
      const { kind, thoroughness } = mode;
      const how = kind === "explore" ? { mode: thoroughness } : {};
      const { session } = await send<{ session: string }>("/sessions", { text, kind, ...how });
      goTo("chat", session);
    });
  return (
    <ChatFrame
      running={false}
      dock={
        <Composer
          running={false}
          mode={mode}
          onMode={setMode}
          begun={false}
          onSend={say}
          onStop={() => undefined}
        />
      }
    >
      <Welcome offline={status?.model === "offline"} onPick={(text) => void say(text)} />
      {problem && <Problem>{problem}</Problem>}
    </ChatFrame>
  );
}

export function Chat({ id, onReview }: { id: string; onReview(): void }) {
  const { messages, kind, running, unfinished, error, say } = useSession(id);
  const [mode, setMode] = useState(standardMode);
  const { problem, attempt } = useAttempts();
  const [document, setDocument] = useState<string>();
  const resume = () => void attempt(() => send(`/sessions/${id}/resume`));
  const last = messages.at(-1);
  const plan = planIn(messages);
  const waiting = running ? waitingFor(last) : undefined;
  return (
    <ChatFrame
      running={running}
      document={
        document !== undefined && <DocumentPanel id={document} onClose={() => setDocument(undefined)} />
      }
      dock={
        <>
          {plan && <PlanView plan={plan} />}
          <Composer
            running={running}
            mode={{ ...mode, kind }}
            onMode={setMode}
            begun
            onSend={(text) => say(text, kind === "explore" ? { mode: mode.thoroughness } : {})}
            onStop={() => void attempt(() => send(`/sessions/${id}/stop`))}
          />
        </>
      }
    >
      {messages.map((message) => (
        <MessageView
          key={message.id}
          message={message}
          live={running && message === last}
          onReview={onReview}
          onDocument={setDocument}
        />
      ))}
      {waiting !== undefined && (
        <p className="thinking" role="status">
          <span className="spinner" /> {waiting}…
        </p>
      )}
      {unfinished && !running && <GoOn text="Wield ended in the midst of this run." onGoOn={resume} />}
      {!running && last?.metadata && last.metadata.stop !== "done" && (
        <GoOn text="Nothing is lost: it can go on from here." onGoOn={resume} />
      )}
      {(problem ?? error) && <Problem>{problem ?? error}</Problem>}
    </ChatFrame>
  );
}

interface FrameProps {
  running: boolean;
  children: ReactNode;
  dock: ReactNode;
  /** Beside the conversation. */
  document?: ReactNode;
}

function ChatFrame({ running, children, dock, document = false }: FrameProps) {
  const scroller = useStickyScroll();
  return (
    <section className="chat" aria-label="Chat" data-document={document !== false}>
      <h1 className="unseen">Chat</h1>
      <div className="scroller" ref={scroller}>
        <div className="column" role="log" aria-label="Conversation" aria-busy={running}>
          {children}
        </div>
      </div>
      <div className="dock">{dock}</div>
      {document}
    </section>
  );
}

function useAttempts() {
  const [problem, setProblem] = useState<string>();
  const attempt = async (work: () => Promise<unknown>) => {
    setProblem(undefined);
    try {
      await work();
      return true;
    } catch (failed) {
      setProblem(wordsOf(failed));
      return false;
    }
  };
  return { problem, attempt };
}

/** What the agent is at, when nothing else shows it. */
function waitingFor(last: ChatMessage | undefined): string | undefined {
  const part = last?.parts.at(-1);
  if (part?.type === "data-retry") return `${part.data}. Trying again`;
  const atWork =
    part?.type === "dynamic-tool" && part.state !== "output-available" && part.state !== "output-error";
  return atWork || part?.type === "text" ? undefined : "Thinking";
}

/** The plan as the last call that touched it left it. */
function planIn(messages: readonly ChatMessage[]): Plan | undefined {
  for (const { parts } of messages.toReversed()) {
    const part = parts.findLast(({ type }) => type === "data-plan");
    if (part?.type === "data-plan") return part.data;
  }
  return undefined;
}

function GoOn({ text, onGoOn }: { text: string; onGoOn(): void }) {
  return (
    <p className="go-on">
      {text}
      <button type="button" onClick={onGoOn}>
        Continue
      </button>
    </p>
  );
}

/** Stays at the end while the person is there, whatever grows; whoever scrolled up is left alone. */
function useStickyScroll() {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = scroller.current;
    const content = box?.firstElementChild;
    if (!box || !content) return;
    let atEnd = true;
    let height = 0;
    const look = () => {
      // What moves because the content grew says nothing about the person.
      if (box.scrollHeight === height) atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
    };
    const grown = new ResizeObserver(() => {
      if (atEnd) box.scrollTop = box.scrollHeight;
      height = box.scrollHeight;
    });
    grown.observe(content);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, []);
  return scroller;
}
