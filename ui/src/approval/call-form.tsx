import { useEffect, useRef, useState } from "react";
import type { AskAnswer, AskView } from "../../../src/api/approvals.ts";
import { Icon } from "../parts/icon.tsx";
import { visible } from "../parts/visible.ts";
import { hrefOf, useRoute } from "../server/route.ts";
import { AskBody, type Draft } from "./ask-body.tsx";
import { AskFooter } from "./ask-footer.tsx";
import { WhoseChat } from "./whose-chat.tsx";

interface CallProps {
  ask: AskView;
  /** The number of requests in its step, including this one. */
  together: readonly AskView[];
  drafts: Readonly<Record<string, Draft>>;
  onDraft(id: string, draft: Draft): void;
  busy: boolean;
  onAnswer(answers: readonly (readonly [AskView, AskAnswer])[]): void;
  onLater(): void;
}

/** Files that were looked at, by request: they stay so when the person decides later. */
const looked = new Map<string, ReadonlySet<number>>();

/** An approval request: what the call would do, in an editable form. */
export function CallForm({ ask, together, drafts, onDraft, busy, onAnswer, onLater }: CallProps) {
  const { item } = useRoute();
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus is on the dialog, so that no stray key answers it.
  useEffect(() => heading.current?.focus(), []);
  const approval = (each: AskView, remember: Pick<AskAnswer, "remember" | "width"> = {}) =>
    [each, { approved: true, ...edited(drafts[each.id]), ...remember }] as const;
  const [seen, setSeen] = useState(() => looked.get(ask.id) ?? new Set([0]));
  looked.set(ask.id, seen);
  const body = useRef<HTMLDivElement>(null);
  const ends = useRef(new WeakSet<Element>());
  const isCareful = ask.warnings.length > 0;
  const [hint, setHint] = useState<string>();
  const unseen = ask.files.length - ask.files.filter((_, at) => seen.has(at)).length;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for its button
    <div
      ref={body}
      className="question"
      onKeyDown={(event) => {
        // A key that was pressed before the dialog opened is not an answer.
        if (event.key !== "Enter" || event.repeat || busy || !(event.ctrlKey || event.metaKey)) return;
        // What is dangerous or was not all looked at needs a click of its own.
        const isRead = unseen === 0 && body.current !== null && !isUnread(body.current, ends.current);
        if (isCareful || !isRead)
          setHint(
            isCareful ? "This needs a click on Approve." : "Look at all of it first, or click Approve.",
          );
        else onAnswer([approval(ask)]);
      }}
      onScrollCapture={({ target }) => {
        if (target instanceof Element && isAtEnd(target)) ends.current.add(target);
      }}
    >
      <header>
        <span className="approval-icon">
          <Icon name="shield" size={18} />
        </span>
        <div>
          <h2 id="approval-title" ref={heading} tabIndex={-1}>
            {ask.title}
          </h2>
          <p>
            {reasonOf(ask)}
            {ask.chat ? (
              <>
                {ask.chat.id !== item && (
                  <>
                    {" · in "}
                    <a href={hrefOf("chat", ask.chat.id)} onClick={onLater}>
                      {visible(ask.chat.title) || "a chat"}
                    </a>
                  </>
                )}
                <WhoseChat chat={ask.chat} />
              </>
            ) : (
              <> · called {ask.byPerson ? "by you" : "outside a chat"}</>
            )}
          </p>
        </div>
        <button type="button" className="quiet" onClick={onLater} aria-label="Decide later">
          <Icon name="cross" />
        </button>
      </header>
      {ask.again && <p className="banner">{ask.again}</p>}
      <AskBody
        ask={ask}
        draft={drafts[ask.id] ?? {}}
        onDraft={(draft) => onDraft(ask.id, draft)}
        seen={seen}
        onSeen={(at) => setSeen(new Set([...seen, at]))}
      />
      {hint !== undefined && (
        <p className="banner" role="status">
          {hint}
        </p>
      )}
      <AskFooter
        ask={ask}
        together={together.every(({ warnings }) => warnings.length === 0) ? together.length : 1}
        careful={isCareful}
        edited={Object.keys(edited(drafts[ask.id])).length > 0}
        unseen={unseen}
        busy={busy}
        onApprove={(remember) => onAnswer([approval(ask, remember)])}
        onApproveAll={() => onAnswer(together.map((each) => approval(each)))}
        onDeny={(reason) => onAnswer([[ask, { approved: false, ...(reason && { reason }) }]])}
      />
    </div>
  );
}

function isAtEnd({ scrollTop, clientHeight, scrollHeight }: Element): boolean {
  return scrollTop + clientHeight >= scrollHeight - slack;
}

const slack = 4;

/** Whether something in it goes on below its edge, and its end was never scrolled to. */
function isUnread(place: Element, ends: WeakSet<Element>): boolean {
  return [...place.querySelectorAll("*")].some(
    (each) =>
      each.scrollHeight > each.clientHeight + slack &&
      /auto|scroll/.test(getComputedStyle(each).overflowY) &&
      !isAtEnd(each) &&
      !ends.has(each),
  );
}

/** The person's edits in the server's format. */
function edited({ contents = {}, args }: Draft = {}): Pick<AskAnswer, "contents" | "modifiedArgs"> {
  if (args !== undefined) return { modifiedArgs: args };
  return Object.keys(contents).length > 0 ? { contents } : {};
}

/** Paths are in the list of files: what is said about one there is not repeated. */
function reasonOf({ reason, files }: AskView): string {
  return files.length === 0 ? reason : reason.replace(/ — it \w+ .+, which needs your approval$/, "");
}
