// For a chat in the browser: `streamText` behind a route of Hono, read by `useChat`. The routes of Next.js have the same bodies.
// npm install wield ai @ai-sdk/anthropic hono
// A question waits on the server, and the stream stays open until it is answered. While a tool is in the state
// `input-available`, the page gets the open questions with their diffs from `/api/approvals` and answers one by its id. The
// call runs with the arguments that were asked about, whatever the browser sends. Closing the request withdraws its
// questions. Protect the two routes for approvals as you protect the chat: whoever reaches them decides.
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  isStepCount,
  type LanguageModel,
  streamText,
  toUIMessageStream,
} from "ai";
import { Hono } from "hono";
import { type Answer, type Ask, createWield } from "wield";

export async function chatServer(folder: string, model: LanguageModel) {
  const open = new Map<string, { ask: Ask; answer(given: Answer): void }>();
  const wait = (ask: Ask, signal: AbortSignal) =>
    new Promise<Answer>((answer) => {
      open.set(ask.id, { ask, answer });
      signal.addEventListener("abort", () => open.delete(ask.id));
    });
  const wield = await createWield({
    workspace: folder,
    tools: "coding",
    asker: (asks, signal) => Promise.all(asks.map((ask) => wait(ask, signal))),
  });

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
  app.get("/api/approvals", (c) => {
    const asks = [...open.values()].map(({ ask }) => ask);
    return c.json(asks.map(({ id, tool, title, args, preview }) => ({ id, tool, title, args, preview })));
  });
  app.post("/api/approvals/:id", async (c) => {
    const id = c.req.param("id");
    const { approved } = await c.req.json();
    open.get(id)?.answer({ approved: approved === true });
    return open.delete(id) ? c.json({}) : c.notFound();
  });
  return { app, close: () => wield.close() };
}
