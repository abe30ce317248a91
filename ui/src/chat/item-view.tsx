import { memo } from "react";
import { Markdown } from "../parts/markdown.tsx";
import { count, plural } from "../parts/words.ts";
import { CallCard } from "./call-card.tsx";
import type { Item } from "./transcript.ts";

interface ItemProps {
  item: Item;
  onReview(): void;
  onDocument(id: string): void;
}

/** Only the item that changes is drawn again, however long the conversation is. */
export const ItemView = memo(function ItemView({ item, onReview, onDocument }: ItemProps) {
  switch (item.kind) {
    case "said":
      return (
        <article className="said" aria-label="You">
          {item.text}
        </article>
      );
    case "words":
      return (
        <article className="words" aria-label="Agent">
          {item.reasoning !== "" && (
            <details className="reasoning">
              <summary>Thoughts</summary>
              <Markdown text={item.reasoning} />
            </details>
          )}
          {item.text !== "" && <Markdown text={item.text} />}
        </article>
      );
    case "call":
      return <CallCard call={item} onReview={onReview} onDocument={onDocument} />;
    case "notice":
      return <p className="notice">{item.text}</p>;
    case "ending":
      return <Ending item={item} />;
  }
});

function Ending({ item }: { item: Extract<Item, { kind: "ending" }> }) {
  const { stop, message, steps, usage, costUsd } = item;
  const how = stop === "aborted" ? "Stopped" : stop === "done" ? "" : message || stop;
  const cost = costUsd === undefined ? "" : ` · $${costUsd.toFixed(4)}`;
  const numbers = `${plural(steps, "step")} · ${count(usage.inputTokens)} tokens in, ${count(usage.outputTokens)} out${cost}`;
  return (
    <p className={stop === "error" ? "ending bad" : "ending"}>
      {how && <strong>{how}</strong>}
      {stop === "done" && message && <strong>{message}</strong>}
      <span>{numbers}</span>
    </p>
  );
}
