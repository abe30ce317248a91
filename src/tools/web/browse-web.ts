import { z } from "zod";
import { pieceEnd } from "../../text/piece.ts";
import { untrustedFrom } from "../../text/untrusted.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { cursorInput } from "../../tool/path-input.ts";
import type { Web } from "../../web/web.ts";
import { fetchEffect } from "./fetch-effect.ts";
import { provenanceOutput, renderContent, urlInput } from "./web-content.ts";

const maxCharacters = 15_000;

export const browseWeb = (web: () => Web) =>
  defineTool({
    name: "browseWeb",
    title: "Browse the web",
    description:
      "Read a web page: its article, documentation or table as Markdown, up to 15,000 characters a call, without navigation and banners. Pages that scripts make are opened in a browser.",
    category: "Web Content",
    loading: "deferred",
    skill: "web-reading",
    input: z.object({ url: urlInput, cursor: cursorInput }),
    output: z.object({
      url: z.string().describe("Where it came from, after redirects"),
      status: z.number(),
      title: z.string(),
      text: z.string().max(maxCharacters),
      start: z.number(),
      total: z.number().describe("Characters of the whole text"),
      page: z.string(),
      nextCursor: z.string().optional(),
      note: z.string().optional(),
      provenance: provenanceOutput,
    }),
    can: ["fetch"],
    idempotent: true,
    effects: ({ url, cursor }) => (cursor === undefined ? [fetchEffect(web().check(url).href, "GET")] : []),
    execute: async ({ url, cursor }, { signal }) => {
      const { id, page, start, note } =
        cursor === undefined
          ? { note: undefined, ...(await web().browse(url, signal)), start: 0 }
          : { note: undefined, ...web().readOn(cursor) };
      const end = pieceEnd(page.text, start, maxCharacters);
      return {
        url: page.url,
        status: page.status,
        title: page.title,
        text: page.text.slice(start, end),
        start,
        total: page.text.length,
        page: id,
        ...(end < page.text.length && { nextCursor: `${id}:${end}` }),
        ...(note !== undefined && { note }),
        provenance: untrustedFrom(page.url, page.text),
      };
    },
    render: ({ url, status, text, start, total, page, note }, input) =>
      renderContent({
        head: [...(status === 200 ? [] : [`Status ${status}`]), ...(note === undefined ? [] : [note])],
        text,
        source: url,
        start,
        total,
        readOn: (from) => `browseWeb(${JSON.stringify({ url: input.url, cursor: `${page}:${from}` })})`,
      }),
    examples: [{ title: "An article", input: { url: "https://example.com/blog/post" } }],
  });
