import { useEffect, useRef, useState } from "react";
import { FileChange } from "../changes/file-change.tsx";
import { Problem } from "../parts/feedback.tsx";
import { wordsOf } from "../server/api.ts";
import { fetchFile } from "../server/download.ts";
import { filesIn } from "./patch.ts";

/** What a session changed, file by file. */
export function PatchDialog({ id, onClose }: { id: string; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [patch, setPatch] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const left = new AbortController();
    fetchFile(`/sessions/${id}/patch`, left.signal)
      .then(({ blob }) => blob.text())
      .then(setPatch, (error: unknown) => {
        if (!left.signal.aborted) setProblem(wordsOf(error));
      });
    return () => left.abort();
  }, [id]);
  const files = patch === undefined ? [] : filesIn(patch);
  return (
    <dialog ref={dialog} className="rewind patch" aria-labelledby="patch-title" onClose={onClose}>
      <h2 id="patch-title">What this session changed</h2>
      {problem && <Problem>{problem}</Problem>}
      {patch === undefined && !problem && <p className="faint">Loading…</p>}
      {patch !== undefined && files.length === 0 && (
        <p className="faint">Nothing: what it changed, it changed back.</p>
      )}
      <div className="patch-files">
        {files.map((file) => (
          <FileChange key={file.path} file={file} />
        ))}
      </div>
      <div className="row">
        <span className="grow" />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </dialog>
  );
}
