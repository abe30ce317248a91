import { z } from "zod";
import { untrustedFrom } from "../../text/untrusted.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { fetchEffect } from "../../tool/effects.ts";
import { cursorInput } from "../../tool/path-input.ts";
import type { Web } from "../../web/web.ts";
import { findInput, pieceOf, pieceOutput, renderPieceOf } from "./page-piece.ts";
import { provenanceOutput, urlInput } from "./web-content.ts";

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
    input: z.object({ url: urlInput, cursor: cursorInput, find: findInput }),
    output: z.object({
      url: z.string().describe("Where it came from, after redirects"),
      status: z.number(),
      title: z.string(),
      ...pieceOutput,
      text: z.string().max(maxCharacters),
      note: z.string().optional(),
      provenance: provenanceOutput,
    }),
    can: ["fetch"],
    idempotent: true,
    effects: ({ url, cursor }) => (cursor === undefined ? [fetchEffect(web().check(url).href, "GET")] : []),
    execute: async ({ url, cursor, find }, { signal }) => {
      const { id, page, start, note } =
        cursor === undefined
          ? { note: undefined, ...(await web().browse(url, signal)), start: 0 }
          : { note: undefined, ...web().readOn(cursor) };
      return {
        url: page.url,
        status: page.status,
        title: page.title,
        ...pieceOf({ id, page }, start, maxCharacters, find),
        ...(note !== undefined && { note }),
        provenance: untrustedFrom(page.url, page.text),
      };
    },
    render: ({ url, status, note, ...piece }, { url: asked, find }) =>
      renderPieceOf(
        {
          ...piece,
          head: [...(status === 200 ? [] : [`Status ${status}`]), ...(note === undefined ? [] : [note])],
          source: url,
          callFrom: (cursor) => `browseWeb(${JSON.stringify({ url: asked, cursor, find })})`,
        },
        find,
      ),
    examples: [{ title: "An article", input: { url: "https://example.com/blog/post" } }],
  });
