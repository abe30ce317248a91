import type { Send, WebRequest } from "../transport.ts";
import { decodeText } from "./charset.ts";
import { isHtml, mediaType, refuseBinaryBody, refuseBinaryType } from "./media-type.ts";
import type { PageReader } from "./page-reader.ts";
import { readableText } from "./readable-text.ts";

export interface Page {
  /** Where it came from, after redirects. */
  url: string;
  status: number;
  headers: Record<string, string>;
  /** As sent, decoded to text. */
  body: string;
  /** What a model reads: HTML as Markdown, everything else as it is. */
  text: string;
  title: string;
  needsScripts: boolean;
  /** From the Retry-After header; the model sees it and decides. */
  retryAfterSeconds?: number;
}

/** A page that came at the last moment still gets this time to be read. */
const leastMs = 1_000;

/** `timeoutMs` covers the request and the reading of what it brings: what is not read by then is shown without its tags. */
export async function fetchPage(send: Send, reader: PageReader, request: WebRequest): Promise<Page> {
  const started = performance.now();
  const { url, status, headers, bytes } = await send({
    ...request,
    inspect: (head) => refuseBinaryType(mediaType(head.headers)),
  });
  const type = mediaType(headers);
  refuseBinaryBody(bytes, type);
  const body = decodeText(bytes, headers["content-type"] ?? "");
  const retryAfterSeconds = retryAfter(headers["retry-after"]);
  const sent = { url, status, headers, body, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  return isHtml(type) || (type === "" && /^\s*<(?:!doctype html|html)/i.test(body))
    ? readPage(reader, sent, remainingMs(request, started))
    : { ...sent, text: body, title: "", needsScripts: false };
}

function remainingMs({ timeoutMs }: WebRequest, started: number): number | undefined {
  return timeoutMs === undefined ? undefined : Math.max(leastMs, timeoutMs - (performance.now() - started));
}

/** The page with its HTML made readable. */
export async function readPage(
  reader: PageReader,
  sent: Pick<Page, "url" | "status" | "headers" | "body" | "retryAfterSeconds">,
  withinMs?: number,
): Promise<Page> {
  const page = await reader.read(sent.body, sent.url, withinMs);
  return { ...sent, text: readableText(page), title: page.title, needsScripts: page.needsScripts };
}

/** Seconds, or a date; both forms are in use. */
export function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
