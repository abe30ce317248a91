import { useEffect, useState } from "react";
import type { CallFile } from "../../../src/events/events.ts";
import { Problem } from "../parts/feedback.tsx";
import { Icon } from "../parts/icon.tsx";
import { Sheet } from "../parts/sheet.tsx";
import { visible } from "../parts/visible.ts";
import { bytes } from "../parts/words.ts";
import { wordsOf } from "../server/api.ts";
import { download, fetchFile } from "../server/download.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { dataUrl } from "../server/use-image.ts";

/** Images that are shown. As the source of an image, none of them can run anything, an SVG included. */
const images: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/svg+xml",
]);
/** Larger ones are only offered to be saved. */
const mostShown = 8_000_000;
const mostTable = 1_000_000;

/** The files that a call handed over: images and tables are shown, all can be saved. */
export function CallFiles({ call, files }: { call: string; files: readonly CallFile[] }) {
  const { problem, attempt } = useAttempts();
  return (
    <section className="call-files" aria-label="Files">
      {problem && <Problem>{problem}</Problem>}
      {placed(call, files).map(({ path, file }) => (
        <figure key={path}>
          <Preview path={path} file={file} />
          <figcaption>
            <Icon name="file" size={14} />
            <span className="grow">{visible(file.name)}</span>
            <span className="faint">{bytes(file.size)}</span>
            <button
              type="button"
              className="small"
              aria-label={`Download ${visible(file.name)}`}
              onClick={() => void attempt(() => download(path))}
            >
              <Icon name="download" size={14} />
            </button>
          </figcaption>
        </figure>
      ))}
    </section>
  );
}

/** What can be shown comes first. */
function placed(call: string, files: readonly CallFile[]) {
  const all = files.map((file, index) => ({ path: `/calls/${call}/files/${index}`, file }));
  return all.toSorted((a, b) => Number(!!previewOf(b.file)) - Number(!!previewOf(a.file)));
}

function previewOf({ mediaType, size }: CallFile): "image" | "table" | undefined {
  if (images.has(mediaType) && size <= mostShown) return "image";
  return mediaType === "text/csv" && size <= mostTable ? "table" : undefined;
}

/** A place of fixed height, so that nothing moves when the file arrives. */
function Preview({ path, file }: { path: string; file: CallFile }) {
  const { name, mediaType } = file;
  const kind = previewOf(file);
  const isImage = kind === "image";
  const { blob, problem } = useFile(kind && path);
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    if (!blob) return;
    let gone = false;
    const read = isImage ? dataUrl(blob, mediaType) : blob.text();
    void read.then((text) => !gone && setShown(text));
    return () => {
      gone = true;
    };
  }, [blob, isImage, mediaType]);
  if (!kind) return null;
  return (
    <div className="file-preview" data-kind={kind}>
      {problem && <p className="faint pad">{problem}</p>}
      {isImage && shown !== undefined && <img src={shown} alt={visible(name)} />}
      {kind === "table" && shown !== undefined && <Sheet csv={shown} label={visible(name)} />}
    </div>
  );
}

function useFile(path: string | undefined): { blob?: Blob; problem?: string } {
  const [state, setState] = useState<{ blob?: Blob; problem?: string }>({});
  useEffect(() => {
    if (path === undefined) return;
    const left = new AbortController();
    fetchFile(path, left.signal).then(
      ({ blob }) => setState({ blob }),
      (error: unknown) => {
        if (!left.signal.aborted) setState({ problem: wordsOf(error) });
      },
    );
    return () => left.abort();
  }, [path]);
  return state;
}
