import type { NotedOperations } from "../../tool/change-tool.ts";
import type { FileOperation, Workspace } from "../../workspace/workspace.ts";
import { maxEditBytes } from "./edit-file.ts";

/** Collects changes of several files, each seeing what those before it left. Nothing is written. */
export interface ChangesInOrder {
  /** `make` gets the present bytes. */
  edit(path: string, make: (bytes: Buffer) => { bytes: Buffer; notes: string[] }): Promise<void>;
  write(path: string, bytes: Buffer, mustBe?: "new"): void;
  delete(path: string, recursive: boolean): void;
  move(from: string, to: string): void;
  result(): NotedOperations;
}

export function changesInOrder(workspace: Workspace): ChangesInOrder {
  const written = new Map<string, Buffer>();
  const movedFrom = new Map<string, string>();
  const operations: FileOperation[] = [];
  const notes: string[] = [];
  const present = async (path: string): Promise<Buffer> => {
    const known = written.get(path);
    return known ?? (await workspace.read(movedFrom.get(path) ?? path, { maxBytes: maxEditBytes })).bytes;
  };
  return {
    async edit(path, make) {
      const edited = make(await present(path));
      written.set(path, edited.bytes);
      operations.push({ op: "write", path, bytes: edited.bytes });
      notes.push(...edited.notes);
    },
    write(path, bytes, mustBe) {
      written.set(path, bytes);
      operations.push({ op: "write", path, bytes, createDirs: true, ...(mustBe && { mustBe }) });
    },
    delete(path, recursive) {
      written.delete(path);
      operations.push({ op: "delete", path, recursive });
    },
    move(from, to) {
      const content = written.get(from);
      if (content) written.set(to, content);
      else movedFrom.set(to, movedFrom.get(from) ?? from);
      operations.push({ op: "move", from, to, createDirs: true });
    },
    result: () => ({ operations, notes }),
  };
}
