// `streamText` behind a route of Hono; `POST` in app/api/chat/route.ts of Next.js has the same body. `useChat` reads the answer, and the server decides who approves.
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  type LanguageModel,
  streamText,
  toUIMessageStream,
} from "ai";
import { Hono } from "hono";
import { type Ask, createWield } from "wield";

export async function chatServer(
  folder: string,
  model: LanguageModel,
  approve: (ask: Ask) => { approved: boolean },
): Promise<{ app: Hono; close(): Promise<void> }> {
  const wield = await createWield({ workspace: folder, tools: "coding", approve });
  const app = new Hono();
  app.post("/api/chat", async (c) => {
    const { messages } = await c.req.json();
    const result = streamText({
      model,
      messages: await convertToModelMessages(messages),
      tools: wield.tools.forAiSdk(),
      stopWhen: isStepCount(20),
      abortSignal: c.req.raw.signal,
    });
    return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) });
  });
  return { app, close: () => wield.close() };
}
