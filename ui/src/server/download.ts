import { headers, RequestError } from "./api.ts";

/** Fetches a file with the page's token and hands it to the browser to save. */
export async function download(path: string): Promise<void> {
  const response = await fetch(`/api${path}`, { headers: headers() });
  if (!response.ok) {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    throw new RequestError(response.status, error);
  }
  const disposition = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  const link = document.createElement("a");
  const url = URL.createObjectURL(await response.blob());
  link.href = url;
  link.download = encoded === undefined ? "download" : decodeURIComponent(encoded);
  link.click();
  // The browser has begun to save by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
