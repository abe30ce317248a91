import type { ExportedFile } from "../app/export-document.ts";

/**
 * A file to be saved, never shown by the browser as a page of this origin: whatever is in it, it is an attachment, its type is
 * not guessed, and should it be opened all the same, it may run and load nothing.
 */
export function attachment({ name, mediaType, bytes }: ExportedFile): Response {
  // Quotes, backslashes and everything outside ASCII are only in the encoded form.
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": mediaType,
      "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
