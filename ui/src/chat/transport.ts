import type { ChatTransport } from "ai";
import type { ChatChunk, ChatMessage } from "../../../src/api/chat.ts";
import { send } from "../server/api.ts";
import type { Stream } from "../server/stream.ts";

type Chunks = ReadableStream<ChatChunk>;

/**
 * Connects one session with `useChat`. Messages are posted; the reply is read from the page's single event stream, which
 * reconnects automatically. Leaving a chat ends the reading, not the run.
 */
export class SessionTransport implements ChatTransport<ChatMessage> {
  readonly resumeStreamIsReplay = true;
  readonly #session: string;
  readonly #stream: Stream;
  /** A run that was already active, from its beginning. */
  #found: Chunks | undefined;
  #reading = 0;

  constructor(session: string, stream: Stream) {
    this.#session = session;
    this.#stream = stream;
  }

  /** Whether a reader consumes this session's events. */
  get reading(): boolean {
    return this.#reading > 0;
  }

  /** Starts reading now, and passes the events on when the chat resumes. */
  found(chunks: readonly ChatChunk[], left: AbortSignal): void {
    this.#found = this.#read(chunks, left);
  }

  sendMessages: ChatTransport<ChatMessage>["sendMessages"] = async ({ messages, body, abortSignal }) => {
    const failed = new AbortController();
    // Before posting: events may arrive before the response.
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
