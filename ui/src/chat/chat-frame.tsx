import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "../parts/icon.tsx";

interface FrameProps {
  running: boolean;
  /** Begins at the top: a page to be read, not a conversation. */
  fromTop?: boolean;
  /** The number of the person's messages: after sending one, the view scrolls to the end. */
  said?: number;
  children: ReactNode;
  dock: ReactNode;
  /** Shown beside the conversation. */
  document?: ReactNode;
}

/** Layout: the conversation, the input below it, and a panel beside it. */
export function ChatFrame({ running, fromTop = false, said = 0, children, dock, document }: FrameProps) {
  const { scroller, away, toEnd } = useStickyScroll(fromTop);
  useEffect(() => {
    if (said > 0) toEnd();
  }, [said, toEnd]);
  return (
    <section className="chat" aria-label="Chat" data-document={document !== undefined}>
      <h1 className="unseen">Chat</h1>
      <div className="scroller" ref={scroller}>
        <div className="column" role="log" aria-label="Conversation" aria-busy={running}>
          {children}
        </div>
      </div>
      <div className="dock">
        {away && (
          <button type="button" className="round to-end" aria-label="Scroll to the end" onClick={toEnd}>
            <Icon name="down" />
          </button>
        )}
        {dock}
      </div>
      {document}
    </section>
  );
}

/** Keeps the view at the end while content grows, unless the person has scrolled up. */
function useStickyScroll(fromTop: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(!fromTop);
  const [away, setAway] = useState(false);
  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    atEnd.current = true;
    setAway(false);
    box.scrollTop = box.scrollHeight;
  }, []);
  useEffect(() => {
    const box = scroller.current;
    const content = box?.firstElementChild;
    if (!box || !content) return;
    let height = 0;
    const look = () => {
      // Scrolling because content grew is not the person's.
      if (box.scrollHeight !== height) return;
      atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
      setAway(!atEnd.current);
    };
    const grown = new ResizeObserver(() => {
      if (atEnd.current) box.scrollTop = box.scrollHeight;
      height = box.scrollHeight;
    });
    grown.observe(content);
    // The input below may grow: what was at the end stays in view.
    grown.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, []);
  return { scroller, away, toEnd };
}
