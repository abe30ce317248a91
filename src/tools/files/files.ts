import type { SyntaxCheck } from "./edit-notes.ts";

export interface FileServices {
  /** The most lines one read returns. */
  readLines(): number;
  /** For what edits may have broken; asked only where it can tell at once. */
  syntax: SyntaxCheck;
}

/** Tools that read, change and list files. Each is loaded when it is wanted: a command needs one. */
export const fileTools = {
  list_directory: async () => (await import("./list-directory.ts")).listDirectory,
  list_files: async () => (await import("./list-files.ts")).listFiles,
  read_file: async (services: FileServices) => (await import("./read-file.ts")).readFile(services.readLines),
  write_file: async (services: FileServices) => (await import("./write-file.ts")).writeFile(services.syntax),
  delete_file: async () => (await import("./delete-file.ts")).deleteFile,
  move_file: async () => (await import("./move-file.ts")).moveFile,
  edit_file: async (services: FileServices) => (await import("./edit-file.ts")).editFile(services.syntax),
  create_file: async () => (await import("./create-file.ts")).createFile,
  replace_in_file: async (services: FileServices) =>
    (await import("./replace-in-file.ts")).replaceInFile(services.syntax),
  edit_files: async (services: FileServices) => (await import("./edit-files.ts")).editFiles(services.syntax),
  apply_patch: async (services: FileServices) =>
    (await import("./apply-patch.ts")).applyPatch(services.syntax),
  edit_notebook: async () => (await import("./edit-notebook.ts")).editNotebook,
  undo: async () => (await import("./undo.ts")).undo,
  redo: async () => (await import("./redo.ts")).redo,
};
