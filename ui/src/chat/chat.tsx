import { useEffect, useRef, useState } from "react";
import type { StatusView } from "../../../src/events/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { send, wordsOf } from "../server/api.ts";
import { goTo } from "../server/route.ts";
import { Composer, type Mode } from "./composer.tsx";
import { DocumentPanel } from "./document-panel.tsx";
import { ItemView } from "./item-view.tsx";
import { PlanView } from "./plan-view.tsx";
import { planIn } from "./transcript.ts";
import { useSession } from "./use-session.ts";
import { Welcome } from "./welcome.tsx";

interface ChatProps {
  id: string | undefined;
  status: StatusView | undefined;
  onReview(): void;
}

export function Chat({ id, status, onReview }: ChatProps) {
  const { transcript, unfinished, error } = useSession(id);
  const [mode, setMode] = useState<Mode>("coding");
  const [problem, setProblem] = useState<string>();
  const [document, setDocument] = useState<string>();
  const { items, running, waiting } = transcript;
  const scroller = useStickyScroll();

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
  const say = (text: string) =>
    attempt(async () => {
      if (id !== undefined) return send(`/sessions/${id}/messages`, { text });
      const { session } = await send<{ session: string }>("/sessions", { text, kind: mode });
      goTo("chat", session);
    });
  const resume = () => void attempt(() => send(`/sessions/${id}/resume`));
  const last = items.at(-1);
  const plan = planIn(items);

  return (
    <section className="chat" aria-label="Chat" data-document={document !== undefined}>
      <h1 className="unseen">Chat</h1>
      <div className="scroller" ref={scroller}>
        <div className="column" role="log" aria-label="Conversation" aria-busy={running}>
          {id === undefined && (
            <Welcome offline={status?.model === "offline"} onPick={(text) => void say(text)} />
          )}
          {error && <Problem>{error}</Problem>}
          {items.map((item) => (
            <ItemView key={item.key} item={item} onReview={onReview} onDocument={setDocument} />
          ))}
          {running && waiting !== "" && (
            <p className="thinking" role="status">
              <span className="spinner" /> {waiting}…
            </p>
          )}
          {unfinished && <GoOn text="Wield ended in the midst of this run." onGoOn={resume} />}
          {!running && last?.kind === "ending" && last.stop !== "done" && (
            <GoOn text="Nothing is lost: it can go on from here." onGoOn={resume} />
          )}
          {problem && <Problem>{problem}</Problem>}
        </div>
      </div>
      <div className="dock">
        {plan && <PlanView plan={plan} />}
        <Composer
          running={running}
          mode={id === undefined ? mode : undefined}
          onMode={setMode}
          onSend={say}
          onStop={() => void attempt(() => send(`/sessions/${id}/stop`))}
        />
      </div>
      {document !== undefined && <DocumentPanel id={document} onClose={() => setDocument(undefined)} />}
    </section>
  );
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
