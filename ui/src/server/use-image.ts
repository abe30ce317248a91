import { useEffect, useState } from "react";
import { fetchFile } from "./download.ts";

/** An image of the server as an address that the page may show; undefined while it is loaded, or without a path. */
export function useImage(path: string | undefined, mediaType: string): string | undefined {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    if (path === undefined) return;
    const left = new AbortController();
    fetchFile(path, left.signal)
      .then(({ blob }) => dataUrl(blob, mediaType))
      .then(
        (url) => !left.signal.aborted && setShown(url),
        () => undefined,
      );
    return () => left.abort();
  }, [path, mediaType]);
  return shown;
}

/** Images of the page may come from data only. */
export function dataUrl(blob: Blob, mediaType: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([blob], { type: mediaType }));
  });
}
