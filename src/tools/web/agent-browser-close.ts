import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import type { Web } from "../../web/web.ts";

export const agentBrowserClose = (web: () => Web) =>
  defineTool({
    name: "agentBrowserClose",
    title: "Close the browser",
    description: "Close the browser and forget its pages and cookies. Call it when you are done browsing.",
    category: "Browser Automation",
    reveals: "nothing",
    loading: "deferred",
    can: ["fetch"],
    skill: "agent-browser",
    input: z.object({}),
    output: z.object({ closed: z.boolean().describe("False when no browser was open") }),
    idempotent: true,
    inOrder: true,
    execute: async () => ({ closed: await web().browser.close() }),
    examples: [{ title: "Done browsing", input: {} }],
    render: ({ closed }) => (closed ? "The browser is closed." : "No browser was open."),
  });
