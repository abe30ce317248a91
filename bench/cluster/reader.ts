import type { PageEvent } from "../../src/api/api.ts";

/** The last text of a message, as its chunks tell it. */
export class LastText {
  text = "";

  /** True at the end of the run. */
  take(chunk: { type: string; delta?: unknown; messageMetadata?: unknown }): boolean {
    if (chunk.type === "text-start" || chunk.type === "reset-step") this.text = "";
    if (chunk.type === "text-delta") this.text += String(chunk.delta);
    return chunk.type === "finish" && chunk.messageMetadata !== undefined;
  }
}

/** What a page hears. */
export async function* eventsIn(response: Response): AsyncGenerator<PageEvent> {
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
