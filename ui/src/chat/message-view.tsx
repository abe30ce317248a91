import { memo, useEffect } from "react";
import type { CallOutput, CallPart, ChatMessage, ChatPart, Ending } from "../../../src/api/chat.ts";
import type { SessionView } from "../../../src/api/sessions.ts";
import { Markdown } from "../parts/markdown.tsx";
import { count, plural } from "../parts/words.ts";
import { useFetched } from "../server/use-server.ts";
import { CallCard } from "./call-card.tsx";
import { CopyAction, MessageAction, useMessageActions } from "./message-actions.tsx";
import { SaidView } from "./said-view.tsx";
import { ReportView, SearchView } from "./sources-view.tsx";

export interface Reactions {
  onReview(): void;
  /** Who answers its approval requests, where that is somebody else. */
  waitsFor?: string | undefined;
  onDocument(id: string): void;
}

interface MessageProps extends Reactions {
  message: ChatMessage;
  /** Of a message of the person: its place in the session's log. Of a run: that of the message it answers. */
  entry?: number | undefined;
  /** The place of the next message of the person. */
  next?: number | undefined;
  /** Its run is active. */
  live: boolean;
}

/** Memoised: only the message that changes is rendered again. */
export const MessageView = memo(function MessageView({
  message,
  entry,
  next,
  live,
  ...reactions
}: MessageProps) {
  const { role, parts, metadata } = message;
  if (role === "user") {
    return <SaidView message={message} entry={entry} />;
  }
  return (
    <>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended, so positions are stable
        <PartView key={at} part={{ ...part }} live={live} {...reactions} />
      ))}
      {metadata?.sources && <ReportView />}
      {metadata && <EndingView ending={metadata} answer={answerIn(parts)} entry={entry} next={next} />}
    </>
  );
});

interface PartProps extends Reactions {
  part: ChatPart;
  live: boolean;
}

/** Parts are compared field by field with a copy: the first message of a stream is changed in place. */
const PartView = memo(
  function PartView({ part, live, ...reactions }: PartProps) {
    switch (part.type) {
      case "text":
        return (
          part.text !== "" && (
            <article className="words" aria-label="Agent">
              <Markdown text={part.text} />
            </article>
          )
        );
      case "reasoning":
        return (
          <details className="reasoning">
            <summary>Thoughts</summary>
            <Markdown text={part.text} />
          </details>
        );
      case "dynamic-tool":
        return (
          <CallCard
            call={part as CallPart}
            live={live}
            below={<DelegatedRun call={part as CallPart} live={live} />}
            {...reactions}
          />
        );
      case "data-notice":
        return <p className="notice">{part.data}</p>;
      case "data-search":
        return <SearchView search={part.data} />;
      default:
        return null;
    }
  },
  (before, after) =>
    before.live === after.live &&
    before.onReview === after.onReview &&
    before.waitsFor === after.waitsFor &&
    before.onDocument === after.onDocument &&
    isSame(before.part, after.part),
);

const nothing = () => undefined;

/** The run that a call delegated to: what it was asked, its calls, and its report. */
function DelegatedRun({ call, live }: { call: CallPart; live: boolean }) {
  const { delegated, progress } = (call.output ?? {}) as Partial<CallOutput>;
  return delegated === undefined ? null : <RunView session={delegated} live={live} progress={progress} />;
}

interface RunViewProps {
  session: string;
  live: boolean;
  progress: string | undefined;
}

function RunView({ session, live, progress }: RunViewProps) {
  const { data, again } = useFetched<SessionView>(`/sessions/${session}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each call of the run is progress
  useEffect(again, [progress, live]);
  return (
    <section className="delegated" aria-label={`Run ${session}`}>
      {data?.messages.map((message) => (
        <MessageView key={message.id} message={message} live={live} onReview={nothing} onDocument={nothing} />
      ))}
    </section>
  );
}

function isSame(one: ChatPart, other: ChatPart): boolean {
  const fields = Object.entries(one);
  const others = other as unknown as Record<string, unknown>;
  return (
    fields.length === Object.keys(other).length && fields.every(([name, value]) => others[name] === value)
  );
}

/** The words after the last call, or all of them. */
function answerIn(parts: readonly ChatPart[]): string {
  const after = parts.slice(parts.findLastIndex(({ type }) => type === "dynamic-tool") + 1);
  const words = (some: readonly ChatPart[]) =>
    some.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n\n");
  return words(after) || words(parts);
}

interface EndingProps {
  ending: Ending;
  answer: string;
  entry: number | undefined;
  next: number | undefined;
}

function EndingView({ ending, answer, entry, next }: EndingProps) {
  const actions = useMessageActions();
  const { stop, message, steps, usage, costUsd } = ending;
  const how = stop === "aborted" ? "Stopped" : stop === "done" ? message : message || stop;
  const cost = !costUsd ? "" : ` · $${costUsd.toFixed(4)}`;
  return (
    <p className={stop === "error" ? "ending bad" : "ending"}>
      {how && <strong>{how}</strong>}
      <span>
        {plural(steps, "step")} · {count(usage.inputTokens)} tokens in, {count(usage.outputTokens)} out{cost}
      </span>
      <span className="message-actions">
        {answer !== "" && <CopyAction text={answer} label="Copy answer" />}
        {actions?.free && entry !== undefined && (
          <MessageAction
            icon="retry"
            label="Retry"
            title="Ask the same again; this answer is removed, files stay as they are"
            onClick={() => actions.again(entry)}
          />
        )}
        {actions?.free && (
          <MessageAction
            icon="fork"
            label="Fork from here"
            title="Fork: a copy of the chat up to here"
            onClick={() => actions.fork(next)}
          />
        )}
      </span>
    </p>
  );
}
