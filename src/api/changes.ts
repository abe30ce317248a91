// What calls changed in files.

/** What would happen to a file. */
export interface FileDiffView {
  path: string;
  change: "create" | "modify" | "delete" | "move";
  from?: string;
  diff: string;
  /** Lines. */
  added: number;
  removed: number;
}

export interface ChangeView {
  id: string;
  callId: string;
  tool: string;
  description: string;
  at: string;
  state: "done" | "undone";
  undoable: boolean;
  notices: string[];
  files: { path: string; change: "create" | "modify" | "delete" | "move"; from?: string; diff: string }[];
}

/** The changes of a call that can still be undone or redone. */
export interface CallChangeView {
  id: string;
  callId: string;
  state: "done" | "undone";
  /** Its paths. */
  files: string[];
  /** Lines, in all its files. */
  added: number;
  removed: number;
}
