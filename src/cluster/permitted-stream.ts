import { Failure } from "../failure/failure.ts";

const lookMs = 2_000;
/** So many looks in a row without an answer: the database is away. */
const mostUnanswered = 3;

/**
 * The stream while its reader may read it: it ends if the session is no longer shared, the token was revoked or the person removed.
 * It also ends while the database is away: whoever connects again is told so.
 */
export function whilePermitted(
  stream: ReadableStream<Uint8Array>,
  permitted: () => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let timer: NodeJS.Timeout | undefined;
  let unanswered = 0;
  return new ReadableStream(
    {
      start: (controller) => {
        const end = () => {
          clearInterval(timer);
          void reader.cancel();
          controller.close();
        };
        timer = setInterval(() => {
          if (unanswered === mostUnanswered) return end();
          unanswered++;
          permitted().then(
            () => {
              unanswered = 0;
            },
            (error: unknown) => {
              const isRefused =
                error instanceof Failure && ["PERMISSION_DENIED", "FILE_NOT_FOUND"].includes(error.code);
              if (isRefused) end();
            },
          );
        }, lookMs);
      },
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        clearInterval(timer);
        try {
          controller.close();
        } catch {
          // It was ended already.
        }
      },
      cancel: (reason) => {
        clearInterval(timer);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
