import type { NewFile } from "../store/files.ts";

/**
 * A file to be saved, never shown by the browser as a page of this origin. Models and their code write these files: whatever is
 * in one, it is an attachment of no particular type, and should it be opened all the same, it may run and load nothing.
 */
export function attachment({
  name,
  bytes,
}: Pick<NewFile, "name"> & {
  bytes: NewFile["bytes"] | ReadableStream<Uint8Array<ArrayBuffer>>;
}): Response {
  const last = name.split("/").at(-1)?.toWellFormed() ?? "";
  // Quotes, backslashes and everything outside ASCII are only in the encoded form.
  const plain = last.replaceAll(/[^ -~]|["\\%]/g, "_");
  const encoded = encodeURIComponent(last).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return new Response(bytes instanceof ReadableStream ? bytes : new Uint8Array(bytes), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
