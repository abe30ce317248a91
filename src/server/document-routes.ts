import { Hono } from "hono";
import { z } from "zod";
import type { DocumentDiffView, DocumentsView, DocumentView } from "../api/documents.ts";
import { exportDocument, exportFormats } from "../app/export-document.ts";
import type { Wield } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { diffTexts } from "../text/diff.ts";
import { attachment } from "./attachment.ts";
import { bodyOf } from "./body.ts";
import type { Chats } from "./chats.ts";

const pageSize = 50;
const saveSchema = z.strictObject({
  content: z.string().max(4_000_000),
  /** The version that was edited. */
  from: z.int().min(1),
  /** A version whose content is restored; left out: the person edited. */
  restored: z.int().min(1).optional(),
  /** The chat beside which it was edited: its agent learns of the edit. */
  session: z.string().optional(),
});
const resolveSchema = z.strictObject({ state: z.enum(["applied", "dismissed"]) });

/** Documents as the page shows them; `changed` makes all pages fetch again. */
export function documentRoutes(wield: Wield, chats: Chats, changed: () => void): Hono {
  const app = new Hono();
  const documents = wield.store.documents(wield.project);

  app.get("/", async (c) => {
    const query = (c.req.query("query") ?? "").slice(0, 500).trim();
    const before = c.req.query("before");
    const { documents: page, total } = await documents.list({
      limit: pageSize + 1,
      ...(before && { before }),
    });
    if (query !== "")
      return c.json({ documents: await documents.search(query, pageSize), total } satisfies DocumentsView);
    const shown = page.slice(0, pageSize);
    const next = page.length > pageSize ? shown.at(-1)?.id : undefined;
    return c.json({ documents: shown, total, ...(next && { next }) } satisfies DocumentsView);
  });

  app.get("/:id", async (c) => {
    const id = c.req.param("id");
    const version = versionIn(c.req.query("version"));
    const document = await documents.read(id, version);
    const versions = await documents.versions(id);
    const suggestions = (await documents.suggestions(id)).filter(({ state }) => state === "open");
    const formats = [...exportFormats[document.kind]];
    return c.json({ ...document, versions, suggestions, formats } satisfies DocumentView);
  });

  app.get("/:id/diff", async (c) => {
    const id = c.req.param("id");
    const after = await documents.read(id, versionIn(c.req.query("to")));
    const before = await documents.read(id, versionIn(c.req.query("from")));
    const { diff, added, removed } = diffTexts(after.title, before.content, after.content);
    const view = { from: before.version, to: after.version, diff, added, removed };
    return c.json(view satisfies DocumentDiffView);
  });

  app.get("/:id/file", async (c) => {
    const document = await documents.read(c.req.param("id"), versionIn(c.req.query("version")));
    return attachment(exportDocument(document, c.req.query("format")));
  });

  app.post("/:id", async (c) => {
    const { content, from, restored, session } = await bodyOf(c.req.raw, saveSchema);
    const what = restored === undefined ? "edited by the person" : `restored version ${restored}`;
    const saved = await documents.update(c.req.param("id"), () => content, what, from);
    const { id, title, version } = saved;
    if (session !== undefined)
      await chats.tellLater(
        session,
        `The person changed document ${id} (${title}): it is at version ${version} now (${what}). Read it with readDocument before you update it.`,
      );
    changed();
    return c.json({ version });
  });

  app.delete("/:id", async (c) => {
    await documents.delete(c.req.param("id"));
    changed();
    return c.json({});
  });

  app.post("/suggestions/:suggestion", async (c) => {
    const { state } = await bodyOf(c.req.raw, resolveSchema);
    const resolved = await documents.resolveSuggestion(c.req.param("suggestion"), state);
    changed();
    return c.json(resolved);
  });
  return app;
}

function versionIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Failure("INVALID_INPUT", "A version is a number of at least 1.");
  return Number(text);
}
