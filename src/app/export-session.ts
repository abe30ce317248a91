import { sessionAsJsonLines, sessionAsMarkdown } from "../agent/export.ts";
import type { NewFile } from "../store/files.ts";
import type { LogEntry, SessionRecord } from "../store/store.ts";

export const exportFormats = ["md", "html", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A session as a file that can be kept or sent. JSON: one object a line, the log as it was written. */
export async function exportSession(
  record: SessionRecord,
  entries: readonly LogEntry[],
  format: ExportFormat,
): Promise<Pick<NewFile, "name" | "bytes">> {
  const name = `${fileNameOf(record.title)}.${format === "json" ? "jsonl" : format}`;
  if (format === "json") return { name, bytes: Buffer.from(sessionAsJsonLines(record, entries)) };
  const markdown = sessionAsMarkdown(record, entries);
  if (format === "md") return { name, bytes: Buffer.from(markdown) };
  const { htmlOf } = await import("../text/html.ts");
  return { name, bytes: Buffer.from(htmlOf(markdown, record.title || "Session")) };
}

function fileNameOf(title: string): string {
  const plain = title.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, "");
  return plain.slice(0, 60) || "session";
}
