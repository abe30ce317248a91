import { z } from "zod";
import type { HarvestedEntry } from "../../sandbox/sandbox.ts";
import { imageType } from "../../text/image-type.ts";
import { imagePixels } from "./image-size.ts";

export const outputFile = z.object({ name: z.string(), mediaType: z.string(), base64: z.string() });
type OutputFile = z.infer<typeof outputFile>;

const caps = { images: 10, imageBytes: 5_000_000, pixels: 25_000_000, bytes: 20_000_000 };

/** What a run wrote, as files to hand on: images apart, the rest by kind; what is too much is only named. */
export function outputFiles(entries: readonly HarvestedEntry[]): {
  images: OutputFile[];
  files: OutputFile[];
  omitted: string[];
} {
  const images: OutputFile[] = [];
  const files: OutputFile[] = [];
  const omitted: string[] = [];
  let remaining = caps.bytes;
  for (const entry of entries.toSorted((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }))) {
    if (entry.kind !== "file") continue;
    const { path, bytes } = entry;
    if (bytes.length > remaining) {
      omitted.push(`${path} (${bytes.length} bytes)`);
      continue;
    }
    remaining -= bytes.length;
    const image = imageType(bytes);
    const file = {
      name: path,
      mediaType: image ?? mediaTypeOf(path, bytes),
      base64: bytes.toString("base64"),
    };
    const showable =
      image !== undefined &&
      images.length < caps.images &&
      bytes.length <= caps.imageBytes &&
      imagePixels(bytes) <= caps.pixels;
    (showable ? images : files).push(file);
  }
  return { images, files, omitted };
}

const byEnding: Record<string, string> = {
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  json: "application/json",
  html: "text/html",
  xml: "application/xml",
  svg: "image/svg+xml",
  zip: "application/zip",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

/** Images and PDF are known by their bytes alone; a name may only say which kind of other file it is. */
function mediaTypeOf(path: string, bytes: Buffer): string {
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") return "application/pdf";
  return byEnding[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
}
