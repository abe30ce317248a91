import type { FilePart, TextPart } from "ai";
import { estimateTokens } from "../text/tokens.ts";
import type { Source } from "./sources.ts";

/** A file that the person attached to a message: text as it is, an image or a PDF in base64. */
export type Attachment = { name: string; mediaType: string } & ({ text: string } | { base64: string });

export interface PersonMessage {
  text: string;
  attachments?: readonly Attachment[];
  /** What the numbers in it refer to; results that follow are numbered from there on. */
  sources?: readonly Source[];
}

/** What models read as a separate file; anything else must be text. */
export const attachableTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
]);

/** The approximate number of tokens that a provider counts for one image. */
const tokensOfImage = 1600;

export function personMessage(said: string | PersonMessage): PersonMessage {
  return typeof said === "string" ? { text: said } : said;
}

/** What the model is sent. */
export function contentOf({ text, attachments = [] }: PersonMessage): string | (TextPart | FilePart)[] {
  if (attachments.length === 0) return text;
  return [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...attachments.map((attached): TextPart | FilePart => {
      const { name: filename, mediaType } = attached;
      if ("text" in attached)
        return { type: "text", text: `The person attached ${filename}:\n${fenced(attached.text)}` };
      return { type: "file", filename, mediaType, data: { type: "data", data: attached.base64 } };
    }),
  ];
}

/** The message as text only, for summaries and exports. */
export function inWords({ text, attachments = [] }: PersonMessage): string {
  const names = attachments.map(({ name }) => name).join(", ");
  return names === "" ? text : `${text}\n(attached: ${names})`.trimStart();
}

/** Messages in tokens; the size of an image in bytes does not determine its cost. */
export function tokensOfMessages(messages: unknown): number {
  let images = 0;
  const text = JSON.stringify(messages, (key, value) => {
    if (key !== "data" || typeof value !== "string") return value;
    images++;
    return "";
  });
  return estimateTokens(text) + images * tokensOfImage;
}

/** A fence that the text itself does not contain. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
