import { z } from "zod";
import { findInText } from "../../text/find-in-text.ts";
import { pieceEnd } from "../../text/piece.ts";
import type { KeptPage } from "../../web/web.ts";
import { type Content, renderContent } from "./web-content.ts";

/** Characters that a search within a page shows at most. */
const mostFound = 6_000;

export const findInput = z.string().min(1).max(200).optional().describe("Only the places with these words");

export const pieceOutput = {
  text: z.string().describe("The readable part that starts at `start`, or the places that `find` asked for"),
  start: z.number(),
  total: z.number().describe("Characters of the whole readable text"),
  page: z.string(),
  nextCursor: z.string().optional(),
  found: z.number().optional().describe("Places from `start` on that `find` matches"),
};

/** What a call shows of a page from `start` on: a piece of it, or only the places with some words. */
export function pieceOf({ id, page: { text } }: KeptPage, start: number, most: number, find?: string) {
  const common = { total: text.length, page: id };
  if (find === undefined) {
    const end = pieceEnd(text, start, most);
    const next = end < text.length ? { nextCursor: `${id}:${end}` } : {};
    return { ...common, text: text.slice(start, end), start, ...next };
  }
  const { places, count, isCut } = findInText(text, find, start, mostFound);
  const shown = places.map(
    ({ from, to }) =>
      `[characters ${(from + 1).toLocaleString("en-US")}–${to.toLocaleString("en-US")}]\n${text.slice(from, to)}`,
  );
  const end = places.at(-1)?.to ?? text.length;
  return {
    ...{ ...common, text: shown.join("\n\n"), start, found: count },
    ...(isCut && { nextCursor: `${id}:${end}` }),
  };
}

interface Shown extends Omit<Content, "readOn"> {
  page: string;
  found?: number | undefined;
  nextCursor?: string | undefined;
  /** The call that continues at a cursor. */
  callFrom(cursor: string): string;
}

export function renderPieceOf({ found, nextCursor, page, callFrom, ...content }: Shown, find = "") {
  const { head, text, total } = content;
  if (found === undefined)
    return renderContent({ ...content, readOn: (from) => callFrom(`${page}:${from}`) });
  const words = JSON.stringify(find);
  const size = total.toLocaleString("en-US");
  if (found === 0)
    return `${[...head, `No place in the page's ${size} characters has ${words}. Try other words, or read it without find.`].join("\n")}`;
  const places = found === 1 ? "One place has" : `${found} places have`;
  const rest = nextCursor === undefined ? "" : ` More of them: ${callFrom(nextCursor)}`;
  const about = `${places} ${words}, of ${size} characters in all.${rest}`;
  return renderContent({
    ...{ ...content, head: [...head, about], start: 0, total: text.length },
    readOn: (from) => callFrom(nextCursor ?? `${page}:${from}`),
  });
}
