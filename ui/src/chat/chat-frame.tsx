import { type ReactNode, useEffect, useRef } from "react";

interface FrameProps {
  running: boolean;
  children: ReactNode;
  dock: ReactNode;
  /** Beside the conversation. */
  document?: ReactNode;
}

/** The conversation, what stands below it, and what stands beside it. */
export function ChatFrame({ running, children, dock, document = false }: FrameProps) {
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
