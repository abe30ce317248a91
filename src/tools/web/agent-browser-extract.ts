import { z } from "zod";
import { untrustedFrom } from "../../text/untrusted.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput } from "../../tool/path-input.ts";
import { extractTypes } from "../../web/browser/look.ts";
import type { Web } from "../../web/web.ts";
import { provenanceOutput, renderContent } from "./web-content.ts";

const maxContent = 60_000;

export const agentBrowserExtract = (web: () => Web) =>
  defineTool({
    name: "agentBrowserExtract",
    title: "Read from the page",
    description:
      "Read the page in the browser, or one element of it: its text, HTML, the value of a field, or a fresh accessibility snapshot.",
    category: "Browser Automation",
    loading: "deferred",
    can: ["fetch"],
    skill: "agent-browser",
    input: z.object({
      ref: z
        .string()
        .min(1)
        .optional()
        .describe("Name of an element in the snapshot; left out: the whole page"),
      extractType: z.enum(extractTypes).default("text"),
      cursor: cursorInput,
    }),
    output: z.object({
      url: z.string(),
      content: z.string(),
      start: z.number(),
      total: z.number().describe("Characters of the whole"),
      nextCursor: z.string().optional(),
      provenance: provenanceOutput,
    }),
    idempotent: true,
    inOrder: true,
    execute: async ({ ref, extractType, cursor }) => {
      const { url, content } = await web().browser.extract(ref, extractType);
      const start = Math.min(Number(cursor ?? 0) || 0, content.length);
      const end = Math.min(start + maxContent, content.length);
      return {
        url,
        content: content.slice(start, end),
        start,
        total: content.length,
        ...(end < content.length && { nextCursor: String(end) }),
        provenance: untrustedFrom(url, content),
      };
    },
    render: ({ url, content, start, total }, { ref, extractType }) =>
      renderContent({
        head: [],
        text: content,
        source: url,
        start,
        total,
        readOn: (from) =>
          `agentBrowserExtract(${JSON.stringify({ ...(ref && { ref }), extractType, cursor: String(from) })})`,
      }),
    examples: [
      { title: "The text of the page", input: {} },
      { title: "What a field holds", input: { ref: "@e4", extractType: "value" } },
    ],
  });
