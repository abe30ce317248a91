import type { NotedOperations } from "../../tool/change-tool.ts";
import type { EditedFile } from "../../workspace/text-edit.ts";
import { readTextFile, type TextFile, withSetting } from "../../workspace/text-file.ts";
import type { FileOperation, Workspace } from "../../workspace/workspace.ts";
import { editNotes, type SyntaxCheck } from "./edit-notes.ts";
import { maxEditBytes, presentText, wholeFile } from "./whole-file.ts";

/** Collects changes of several files, each seeing what those before it left. Nothing is written. */
export interface ChangesInOrder {
  /** `make` gets the present file; it makes so many edits. */
  edit(path: string, count: number, make: (file: TextFile) => Promise<EditedFile>): Promise<void>;
  /** A whole file, in the encoding and with the line breaks of the one that is there. */
  write(path: string, content: string, mustBe?: "new"): Promise<void>;
  delete(path: string, recursive: boolean): void;
  move(from: string, to: string): void;
  result(): Promise<NotedOperations>;
}

export function changesInOrder(workspace: Workspace, check: SyntaxCheck): ChangesInOrder {
  const written = new Map<string, TextFile>();
  /** As they were before their first edit. */
  const originals = new Map<string, TextFile | undefined>();
  const movedFrom = new Map<string, string>();
  const gone = new Set<string>();
  const operations: FileOperation[] = [];
  const adapted: string[] = [];
  const edited = new Set<string>();
  let count = 0;
  const sourceOf = (path: string) => movedFrom.get(path) ?? path;
  const keep = (path: string, before: TextFile | undefined, after: TextFile) => {
    if (!originals.has(path)) originals.set(path, before);
    written.set(path, after);
    gone.delete(path);
  };
  return {
    async edit(path, edits, make) {
      const before =
        written.get(path) ??
        (await withSetting(
          workspace,
          path,
          await readTextFile(workspace, sourceOf(path), { maxBytes: maxEditBytes }),
        ));
      const { file, notes } = await make(before);
      keep(path, before, file);
      operations.push({ op: "write", path, bytes: file.bytes });
      count += edits;
      edited.add(path);
      adapted.push(...notes);
    },
    async write(path, content, mustBe) {
      const isNew = mustBe === "new" || gone.has(path);
      const before = isNew
        ? undefined
        : (written.get(path) ?? (await presentText(workspace, sourceOf(path))));
      const file = await wholeFile(workspace, path, content, before);
      keep(path, before, file);
      operations.push({ op: "write", path, bytes: file.bytes, createDirs: true, ...(mustBe && { mustBe }) });
    },
    delete(path, recursive) {
      written.delete(path);
      originals.delete(path);
      gone.add(path);
      operations.push({ op: "delete", path, recursive });
    },
    move(from, to) {
      const content = written.get(from);
      if (content) written.set(to, content);
      else movedFrom.set(to, sourceOf(from));
      written.delete(from);
      originals.delete(from);
      gone.add(from);
      gone.delete(to);
      operations.push({ op: "move", from, to, createDirs: true });
    },
    async result() {
      const notes = [...adapted];
      for (const [path, before] of originals) {
        const after = written.get(path);
        if (after) notes.push(...(await editNotes(path, before, after, check)));
      }
      return {
        operations,
        notes,
        ...(count > 0 && { edits: { count, files: edited.size, exact: adapted.length === 0 } }),
      };
    },
  };
}
