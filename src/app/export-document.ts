import { Failure } from "../failure/failure.ts";
import type { DocumentKind, DocumentVersion } from "../store/documents.ts";
import { docxOf } from "../text/docx.ts";

export type ExportFormat = "md" | "docx" | "csv" | "source";

/** The formats of each kind, the usual one first. */
export const exportFormats: Readonly<Record<DocumentKind, readonly ExportFormat[]>> = {
  text: ["md", "docx"],
  sheet: ["csv"],
  code: ["source"],
};

export interface ExportedFile {
  name: string;
  bytes: Buffer;
}

/** A document as a file. */
export function exportDocument(document: DocumentVersion, format?: string): ExportedFile {
  const { kind, title, content } = document;
  const formats = exportFormats[kind];
  const chosen = format === undefined ? formats[0] : formats.find((known) => known === format);
  const stem = stemOf(title);
  switch (chosen) {
    case "md":
      return { name: `${stem}.md`, bytes: Buffer.from(content) };
    case "docx":
      return { name: `${stem}.docx`, bytes: docxOf(content) };
    case "csv":
      return { name: `${stem}.csv`, bytes: Buffer.from(content) };
    case "source": {
      const named = /\.[a-z][a-z0-9]{0,9}$/i.test(stem);
      const name = named ? stem : `${stem}.${endingOf(content)}`;
      return { name, bytes: Buffer.from(content) };
    }
    default:
      throw new Failure(
        "INVALID_INPUT",
        `A ${kind} document can be saved as ${formats.join(" or ")}, not as ${JSON.stringify(format)}.`,
      );
  }
}

/** The title as a file name on any system: no separators, no control characters, no leading dot. */
function stemOf(title: string): string {
  const plain = title
    .normalize("NFC")
    .replaceAll(/[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff/\\:*?"<>|]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^[. ]+/, "")
    .replace(/\.+$/, "");
  return [...plain].slice(0, 80).join("").trim() || "document";
}

/** For code whose title has no file name: what its first lines say. */
function endingOf(content: string): string {
  const start = content.slice(0, 2000);
  if (/^#!.*\bpython/.test(start) || /^(?:from \w[\w.]* import |import \w+\s*$|def \w+\(.*\):)/m.test(start))
    return "py";
  if (/^#!.*\b(?:ba|z|da)?sh\b/.test(start)) return "sh";
  if (/^\s*<(?:!doctype html|html)\b/i.test(start)) return "html";
  if (/^(?:import .* from |export |const |let |function )/m.test(start)) return "js";
  if (/^package \w+$/m.test(start)) return "go";
  if (/^\s*[[{]/.test(start) && /[\]}]\s*$/.test(content)) return "json";
  return "txt";
}
