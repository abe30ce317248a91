import { z } from "zod";
import { untrustedFrom } from "../../text/untrusted.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { fetchEffect } from "../../tool/effects.ts";
import { cursorInput } from "../../tool/path-input.ts";
import type { Web } from "../../web/web.ts";
import { findInput, pieceOf, pieceOutput, renderPieceOf } from "./page-piece.ts";
import { provenanceOutput, urlInput } from "./web-content.ts";

const maxPiece = 40_000;

export const webFetch = (web: () => Web) =>
  defineTool({
    name: "web_fetch",
    title: "Fetch from the web",
    description:
      "Fetch a URL over http or https. HTML comes as readable Markdown, other text as it is; long content comes in pieces, read on with the cursor. Binary content and addresses inside private networks are refused. For pages that need scripts use browseWeb.",
    category: "Web",
    input: z
      .object({
        url: urlInput,
        method: z.enum(["GET", "POST"]).default("GET"),
        headers: z.record(z.string(), z.string()).optional(),
        body: z.string().optional().describe("Sent with POST"),
        timeout: z.number().min(0.1).max(120).default(30).describe("Seconds"),
        cursor: cursorInput,
        find: findInput,
      })
      .refine(({ method, body }) => body === undefined || method === "POST", {
        message: "A body is only sent with method POST.",
        path: ["body"],
      }),
    output: z.object({
      status: z.number(),
      headers: z.record(z.string(), z.string()),
      body: z.string().describe("The whole body as sent"),
      url: z.string().describe("Where it came from, after redirects"),
      title: z.string(),
      ...pieceOutput,
      retryAfterSeconds: z.number().optional(),
      provenance: provenanceOutput,
    }),
    can: ["fetch"],
    timeoutMs: 150_000,
    // With a cursor nothing is sent: the page is still here.
    effects: ({ url, method, cursor }) =>
      cursor === undefined ? [fetchEffect(web().check(url).href, method)] : [],
    execute: async ({ url, method, headers, body, timeout, cursor, find }, { signal }) => {
      const { id, page, start } =
        cursor === undefined
          ? {
              ...(await web().fetch({
                url,
                method,
                timeoutMs: timeout * 1000,
                signal,
                ...(headers && { headers }),
                ...(body !== undefined && { body }),
              })),
              start: 0,
            }
          : web().readOn(cursor);
      const { text: _, needsScripts: __, ...sent } = page;
      return {
        ...sent,
        ...pieceOf({ id, page }, start, maxPiece, find),
        provenance: untrustedFrom(page.url, page.body),
      };
    },
    render: (value, input) => {
      const { status, headers, url, retryAfterSeconds, ...piece } = value;
      // Outside the untrusted block stand only values that cannot contain instructions.
      const type = /^[\w.+/-]{1,80}/.exec(headers["content-type"] ?? "")?.[0] ?? "no type";
      const head = [
        `Status ${status}, ${type}${url === input.url ? "" : `, from ${url}`}`,
        ...(retryAfterSeconds === undefined
          ? []
          : [`The server asks to wait ${retryAfterSeconds} s (Retry-After).`]),
      ];
      const callFrom = (cursor: string) =>
        `web_fetch(${JSON.stringify({ url: input.url, cursor, find: input.find })})`;
      return renderPieceOf({ ...piece, head, source: url, callFrom }, input.find);
    },
    examples: [
      { title: "A page", input: { url: "https://example.com/docs" } },
      {
        title: "A JSON API",
        input: {
          url: "https://api.example.com/items",
          method: "POST",
          headers: { "content-type": "application/json" },
          body: '{"name":"x"}',
        },
      },
    ],
  });
