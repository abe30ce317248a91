import { z } from "zod";
import { attachableTypes, type PersonMessage } from "../agent/attachments.ts";

const named = { name: z.string().trim().min(1).max(300), mediaType: z.string().max(100) };
const attachment = z.union([
  z.strictObject({ ...named, text: z.string().max(400_000) }),
  z.strictObject({
    ...named,
    mediaType: z
      .string()
      .refine((type) => attachableTypes.has(type), "Models read text, images and PDF files."),
    base64: z.base64().max(14_000_000),
  }),
]);

/** A message from the page: text, files, or both. */
export const messageFields = {
  text: z.string().trim().max(200_000),
  attachments: z.array(attachment).max(20).optional(),
};

export const requireContent = [
  ({ text, attachments }: { text: string; attachments?: unknown[] | undefined }) =>
    text !== "" || (attachments?.length ?? 0) > 0,
  "The message is empty.",
] as const;

export function messageIn({ text, attachments }: z.output<z.ZodObject<typeof messageFields>>): PersonMessage {
  return { text, ...(attachments && attachments.length > 0 && { attachments }) };
}
