import type { ChatTransport } from "ai";
import type { ChatChunk, ChatMessage } from "../../../src/api/chat.ts";
import { send } from "../server/api.ts";
import type { Stream } from "../server/stream.ts";

type Chunks = ReadableStream<ChatChunk>;

/**
 * Carries one session between the server and `useChat`. Words are posted; what comes of them is read from the page's one
 * event stream, which goes on by itself after a lost connection. Leaving a message ends the reading, never the run.
 */
export class SessionTransport implements ChatTransport<ChatMessage> {
  readonly resumeStreamIsReplay = true;
  readonly #session: string;
  readonly #stream: Stream;
  /** A run that was found going on, from its beginning. */
  #found: Chunks | undefined;
  #reading = 0;

  constructor(session: string, stream: Stream) {
    this.#session = session;
    this.#stream = stream;
  }

  /** Whether somebody takes what the stream says of this session. */
  get reading(): boolean {
    return this.#reading > 0;
  }

  /** Reads from here on, and hands it over when the chat resumes. */
  found(chunks: readonly ChatChunk[], left: AbortSignal): void {
    this.#found = this.#read(chunks, left);
  }

  sendMessages: ChatTransport<ChatMessage>["sendMessages"] = async ({ messages, body, abortSignal }) => {
    const failed = new AbortController();
    // Before the word is sent: what comes of it may be here before the answer.
    const chunks = this.#read([], AbortSignal.any([failed.signal, ...(abortSignal ? [abortSignal] : [])]));
    const text = messages.at(-1)?.parts.map((part) => (part.type === "text" ? part.text : "")) ?? [];
    try {
      await send(`/sessions/${this.#session}/messages`, { text: text.join(""), ...body });
    } catch (error) {
      failed.abort();
      throw error;
    }
    return chunks;
  };

  reconnectToStream: ChatTransport<ChatMessage>["reconnectToStream"] = async () => {
    const found = this.#found;
    this.#found = undefined;
    return found ?? null;
  };

  #read(before: readonly ChatChunk[], left: AbortSignal): Chunks {
    let stop = () => {};
    return new ReadableStream<ChatChunk>({
      start: (controller) => {
        const end = () => {
          stop();
          controller.close();
        };
        let begun = before.length > 0;
        const unlisten = this.#stream.listen((event) => {
          if (event.type !== "chunk") return;
          begun ||= event.chunk.type === "start";
          if (!begun) return;
          controller.enqueue(event.chunk);
          if (event.chunk.type === "finish") end();
        });
        this.#reading++;
        stop = () => {
          unlisten();
          left.removeEventListener("abort", end);
          this.#reading--;
          stop = () => {};
        };
        for (const chunk of before) controller.enqueue(chunk);
        left.addEventListener("abort", end, { once: true });
        if (before.at(-1)?.type === "finish") end();
      },
      cancel: () => stop(),
    });
  }
}
