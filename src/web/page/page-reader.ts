import { Worker } from "node:worker_threads";
import type { Readable } from "./readable-text.ts";
import { limitWork } from "./work-limit.ts";

/**
 * Extracts the readable text of an HTML page. It always returns a result: the simple extraction if the better one
 * takes too long.
 */
export interface PageReader {
  /** `withinMs`: of the clock, with the wait for other pages; default: only the CPU time counts. */
  read(html: string, url: string, withinMs?: number): Promise<Readable>;
  close(): Promise<void>;
}

const maxCharacters = 2_000_000;
/** What a thread that is stopped in time may take to end. */
const graceMs = 500;

/** `workMs`: the CPU time that one page may use. */
export function createPageReader(options: { workMs: number }): PageReader {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const stop = async () => {
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  };

  const readNow = async (html: string, url: string, until: number): Promise<Readable> => {
    const left = until - performance.now();
    if (left <= 0) return withoutTags(html);
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
    const late = left === Number.POSITIVE_INFINITY ? undefined : setTimeout(giveUp, left);
    current.on("message", onMessage);
    current.on("error", giveUp);
    current.ref();
    current.postMessage({ html: html.slice(0, maxCharacters), url });
    const page = await done.promise;
    endLimit();
    clearTimeout(late);
    current.off("message", onMessage);
    current.off("error", giveUp);
    current.unref();
    if (!page) await stop();
    return page ?? draft ?? withoutTags(html);
  };

  return {
    async read(html, url, withinMs = Number.POSITIVE_INFINITY) {
      const until = performance.now() + withinMs;
      const mine = last.then(() => readNow(html, url, until));
      last = mine;
      if (withinMs === Number.POSITIVE_INFINITY) return mine;
      // Another page may be read before it.
      const late = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => late.resolve(undefined), withinMs + graceMs);
      const page = await Promise.race([mine, late.promise]);
      clearTimeout(timer);
      return page ?? withoutTags(html);
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

/** The fallback for a page that the parser cannot handle: one pass, as such a page may be made to keep a reader busy. */
function withoutTags(html: string): Readable {
  const given = html.slice(0, maxCharacters);
  const texts: string[] = [];
  let at = 0;
  for (let open = given.indexOf("<"); open >= 0; open = given.indexOf("<", at)) {
    texts.push(given.slice(at, open));
    at = endOfTag(given, open);
    if (at === given.length) break;
  }
  const lines = [...texts, given.slice(at)].join(" ").split("\n");
  const text = lines
    .map((line) => line.replaceAll(/[ \t]+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
  return { title: "", author: "", published: "", text, needsScripts: false };
}

/** Behind the tag that begins there, and behind what it holds where that is no text. The end of the text where it is not closed. */
function endOfTag(html: string, open: number): number {
  const name = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1];
  const closing = name && new RegExp(`</${name}`, "gi");
  if (closing) closing.lastIndex = open;
  const last = closing ? (closing.exec(html)?.index ?? -1) : open;
  const end = last < 0 ? -1 : html.indexOf(">", last);
  return end < 0 ? html.length : end + 1;
}
