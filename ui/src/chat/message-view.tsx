import { memo, useEffect } from "react";
import type { SessionView } from "../../../src/api/api.ts";
import type { CallOutput, CallPart, ChatMessage, ChatPart, Ending } from "../../../src/api/chat.ts";
import { Markdown } from "../parts/markdown.tsx";
import { count, plural } from "../parts/words.ts";
import { useFetched } from "../server/use-server.ts";
import { CallCard } from "./call-card.tsx";
import { SearchView, SourcesView } from "./sources-view.tsx";

export interface Reactions {
  onReview(): void;
  onDocument(id: string): void;
}

interface MessageProps extends Reactions {
  message: ChatMessage;
  /** Its run is active. */
  live: boolean;
}

/** Memoised: only the message that changes is rendered again. */
export const MessageView = memo(function MessageView({ message, live, ...reactions }: MessageProps) {
  const { role, parts, metadata } = message;
  if (role === "user") {
    return (
      <article className="said" aria-label="You">
        {parts.map((part) => (part.type === "text" ? part.text : ""))}
      </article>
    );
  }
  return (
    <>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended, so positions are stable
        <PartView key={at} part={part} live={live} {...reactions} />
      ))}
      {metadata?.sources && <SourcesView sources={metadata.sources} />}
      {metadata && <EndingView ending={metadata} />}
    </>
  );
});

interface PartProps extends Reactions {
  part: ChatPart;
  live: boolean;
}

/** Each delta copies the message, so parts are compared field by field. */
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

function EndingView({ ending }: { ending: Ending }) {
  const { stop, message, steps, usage, costUsd } = ending;
  const how = stop === "aborted" ? "Stopped" : stop === "done" ? message : message || stop;
  const cost = costUsd === undefined ? "" : ` · $${costUsd.toFixed(4)}`;
  return (
    <p className={stop === "error" ? "ending bad" : "ending"}>
      {how && <strong>{how}</strong>}
      <span>
        {plural(steps, "step")} · {count(usage.inputTokens)} tokens in, {count(usage.outputTokens)} out{cost}
      </span>
    </p>
  );
}
