// Runs in a separate thread: reading a large page takes seconds, and a hostile one may never end.
import { parentPort } from "node:worker_threads";
import { readable } from "./readable.ts";

parentPort?.on("message", ({ html, url }: { html: string; url: string }) => {
  try {
    const page = readable(html, url, (draft) => parentPort?.postMessage({ draft }));
    parentPort?.postMessage({ page });
  } catch (thrown) {
    parentPort?.postMessage({ problem: String(thrown) });
  }
});
