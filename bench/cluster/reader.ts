import { setTimeout as sleep } from "node:timers/promises";
import type { PageEvent } from "../../src/api/api.ts";
import type { SessionView } from "../../src/api/sessions.ts";

/** The last text of a message, as its chunks tell it. */
class LastText {
  text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** True at the end of the run. */
  take(chunk: { type: string; delta?: unknown; messageMetadata?: unknown }): boolean {
    if (chunk.type === "text-start" || chunk.type === "reset-step") this.text = "";
    if (chunk.type === "text-delta") this.text += String(chunk.delta);
    return chunk.type === "finish" && chunk.messageMetadata !== undefined;
  }
}

/** What a page hears. */
async function* eventsIn(response: Response): AsyncGenerator<PageEvent> {
  let rest = "";
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data !== undefined) yield JSON.parse(data) as PageEvent;
    }
  }
}

export interface Reader {
  /** From any web process. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Live events that came. */
  events: number;
}

/** Like a page: the session as it is, then its events; again after a doubt or a lost connection. The text of the last message. */
export async function readSession(reader: Reader, id: string): Promise<string> {
  for (;;) {
    const leave = new AbortController();
    try {
      const answer = await reader.fetch(`/api/sessions/${id}`, { signal: leave.signal });
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      const view = (await answer.json()) as SessionView;
      const text = view.messages.at(-1)?.parts.findLast((part) => part.type === "text")?.text ?? "";
      if (!view.session.running && view.messages.length > 1) return text;
      // A run whose last words are in the log already has only its end to tell.
      const last = new LastText(text);
      for (const chunk of view.chunks ?? []) last.take(chunk);
      const stream = await reader.fetch(`/api/events?session=${id}`, {
        signal: AbortSignal.any([leave.signal, AbortSignal.timeout(30_000)]),
        headers: { "last-event-id": view.cursor },
      });
      for await (const event of eventsIn(stream)) {
        reader.events++;
        if (event.type === "resync") break;
        if (event.type === "chunk" && last.take(event.chunk)) return last.text;
      }
    } catch {
      await sleep(200);
    } finally {
      leave.abort();
    }
  }
}
