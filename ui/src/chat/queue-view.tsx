import type { QueuedView } from "../../../src/api/api.ts";
import { plural } from "../parts/words.ts";

interface QueueProps {
  queued: readonly QueuedView[];
  onTakeBack(message: QueuedView): void;
}

/** Messages that wait until the agent is done, the next one first. */
export function QueueView({ queued, onTakeBack }: QueueProps) {
  return (
    <>
      <p className="unseen" role="status">
        {queued.length > 0 && `${plural(queued.length, "message")} to be sent when the agent is done`}
      </p>
      {queued.length > 0 && (
        <ol className="to-send" aria-label="To be sent next">
          {queued.map((message) => (
            <li key={message.id}>
              <span className="faint">Next</span>
              <span className="to-send-text" title={message.text}>
                {message.text}
              </span>
              <button
                type="button"
                className="quiet small"
                aria-label={`Take back: ${message.text}`}
                onClick={() => onTakeBack(message)}
              >
                Take back
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
