import { useRef, useState } from "react";
import type { AttachmentBody } from "../../../src/api/sessions.ts";
import { Icon } from "../parts/icon.tsx";
import { visible } from "../parts/visible.ts";

/** A file in the composer, not sent yet. */
export interface Attached {
  id: number;
  body: AttachmentBody;
}

const images = /^image\/(png|jpeg|gif|webp)$/;
/** Providers refuse images that are much larger. */
const mostImageBytes = 3_500_000;
const mostPixels = 2000;
const mostBytes = 10_000_000;
const mostText = 400_000;

/** The files of the next message: pasted, dropped or chosen. */
export function useAttachments() {
  const [attached, setAttached] = useState<readonly Attached[]>([]);
  const [problem, setProblem] = useState<string>();
  const next = useRef(0);
  const put = (bodies: readonly AttachmentBody[]) =>
    setAttached((known) => [...known, ...bodies.map((body) => ({ id: next.current++, body }))]);
  const add = async (files: Iterable<File>) => {
    setProblem(undefined);
    for (const file of files)
      await read(file).then(
        (body) => put([body]),
        (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
      );
  };
  const remove = (id: number) => setAttached((known) => known.filter((each) => each.id !== id));
  const clear = () => {
    setAttached([]);
    setProblem(undefined);
  };
  return { attached, problem, add, put, remove, clear };
}

export type Attachments = ReturnType<typeof useAttachments>;

export function AttachmentsView({ attached, problem, remove }: Attachments) {
  return (
    <>
      {attached.length > 0 && (
        <ul className="attached" aria-label="Attached files">
          {attached.map(({ id, body }) => (
            <li key={id}>
              {urlOf(body) ? (
                <img src={urlOf(body)} alt={visible(body.name)} />
              ) : (
                <Icon name="file" size={14} />
              )}
              <span>{visible(body.name)}</span>
              <button
                type="button"
                className="quiet small"
                aria-label={`Remove ${visible(body.name)}`}
                onClick={() => remove(id)}
              >
                <Icon name="cross" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p className="asked bad-text" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** An image as an address that the page may show. */
export function urlOf(body: AttachmentBody): string | undefined {
  if (!("base64" in body) || !images.test(body.mediaType)) return undefined;
  return `data:${body.mediaType};base64,${body.base64}`;
}

async function read(file: File): Promise<AttachmentBody> {
  const name = file.name || "pasted file";
  if (images.test(file.type)) {
    const { blob, mediaType } = await smallEnough(file);
    return { name, mediaType, base64: await base64Of(blob) };
  }
  if (file.size > mostBytes) throw new Error(`${name} is larger than 10 MB. ${elsewhere}`);
  if (file.type === "application/pdf") return { name, mediaType: file.type, base64: await base64Of(file) };
  const text = decoded(await file.arrayBuffer());
  if (text === undefined) throw new Error(`${name} is neither text, an image nor a PDF. ${elsewhere}`);
  if (text.length > mostText) throw new Error(`${name} is too long to attach. ${elsewhere}`);
  return { name, mediaType: file.type || "text/plain", text };
}

const elsewhere = "Put it into the folder and mention it with @.";

function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Large images are scaled down; smaller ones stay as they are. */
async function smallEnough(file: File): Promise<{ blob: Blob; mediaType: string }> {
  if (file.size <= mostImageBytes) return { blob: file, mediaType: file.type };
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, mostPixels / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const mediaType = "image/jpeg";
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, mediaType, 0.85));
  if (!blob) throw new Error(`${file.name} is too large and could not be scaled down.`);
  return { blob, mediaType };
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
