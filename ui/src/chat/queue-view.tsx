import type { QueuedView } from "../../../src/api/sessions.ts";
import { plural } from "../parts/words.ts";

interface QueueProps {
  queued: readonly QueuedView[];
  onWithdraw(message: QueuedView): void;
}

/** Queued messages, the next one first. */
export function QueueView({ queued, onWithdraw }: QueueProps) {
  return (
    <>
      <p className="unseen" role="status">
        {queued.length > 0 && `${plural(queued.length, "message")} queued`}
      </p>
      {queued.length > 0 && (
        <ol className="to-send" aria-label="Queue">
          {queued.map((message) => (
            <li key={message.id}>
              <span className="faint">Next</span>
              <span className="to-send-text" title={message.text}>
                {message.text || message.attached.join(", ")}
              </span>
              <button
                type="button"
                className="quiet small"
                aria-label={`Withdraw: ${message.text}`}
                onClick={() => onWithdraw(message)}
              >
                Withdraw
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
