import { RequestError, request } from "./api.ts";

/** A file from the server, with the page's token. */
export async function fetchFile(path: string, signal?: AbortSignal): Promise<{ name: string; blob: Blob }> {
  const response = await request(path, signal && { signal });
  if (!response.ok) {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    throw new RequestError(response.status, error);
  }
  const disposition = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  const name = encoded === undefined ? "download" : decodeURIComponent(encoded);
  return { name, blob: await response.blob() };
}

/** Hands a file to the browser to save. */
export async function download(path: string): Promise<void> {
  const { name, blob } = await fetchFile(path);
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to save by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
