import { Worker } from "node:worker_threads";
import type { Readable } from "./readable-text.ts";
import { limitWork } from "./work-limit.ts";

/**
 * Extracts the readable text of an HTML page. It always returns a result: the simple extraction if the better one
 * takes too long.
 */
export interface PageReader {
  read(html: string, url: string): Promise<Readable>;
  close(): Promise<void>;
}

const maxCharacters = 2_000_000;

/** `workMs`: the CPU time that one page may use. */
export function createPageReader(options: { workMs: number }): PageReader {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const stop = async () => {
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  };

  const readNow = async (html: string, url: string): Promise<Readable> => {
    worker ??= startWorker();
    const current = worker;
    const done = Promise.withResolvers<Readable | undefined>();
    let draft: Readable | undefined;
    const onMessage = (message: { draft?: Readable; page?: Readable }) => {
      draft = message.draft ?? draft;
      if (!message.draft) done.resolve(message.page ?? draft);
    };
    const giveUp = () => done.resolve(undefined);
    const endLimit = limitWork(current, options.workMs, giveUp);
    current.on("message", onMessage);
    current.on("error", giveUp);
    current.ref();
    current.postMessage({ html: html.slice(0, maxCharacters), url });
    const page = await done.promise;
    endLimit();
    current.off("message", onMessage);
    current.off("error", giveUp);
    current.unref();
    if (!page) await stop();
    return page ?? draft ?? withoutTags(html);
  };

  return {
    read(html, url) {
      const mine = last.then(() => readNow(html, url));
      last = mine;
      return mine;
    },
    close: stop,
  };
}

/** Beside this file in the sources; in the built package at its top, while this may stand in `chunks/`. */
function startWorker(): Worker {
  const here = import.meta.url;
  const file = here.endsWith(".ts")
    ? "./page-worker.ts"
    : here.includes("/chunks/")
      ? "../page-worker.js"
      : "./page-worker.js";
  return new Worker(new URL(file, here), {
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    env: {},
  });
}

/** The fallback for a page that the parser cannot handle. */
function withoutTags(html: string): Readable {
  const text = html
    .slice(0, maxCharacters)
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/\s*\n\s*/g, "\n");
  return { title: "", author: "", published: "", text: text.trim(), needsScripts: false };
}
