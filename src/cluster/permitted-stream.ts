import { Failure } from "../failure/failure.ts";

const lookMs = 2_000;

/** The stream while its reader may read it: it ends if the session is no longer shared, the token was revoked or the person removed. */
export function whilePermitted(
  stream: ReadableStream<Uint8Array>,
  permitted: () => Promise<unknown>,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream(
    {
      start: (controller) => {
        timer = setInterval(() => {
          permitted().catch((error: unknown) => {
            // A briefly unavailable database does not withdraw the permission.
            const isRefused =
              error instanceof Failure && ["PERMISSION_DENIED", "FILE_NOT_FOUND"].includes(error.code);
            if (!isRefused) return;
            clearInterval(timer);
            void reader.cancel();
            controller.close();
          });
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
