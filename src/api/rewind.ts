import type { FileDiffView } from "./changes.ts";

/** A message of the person that a conversation can be rewound to; `entry` names it. */
export interface RewindMessage {
  entry: number;
  at: string;
  text: string;
}

/** What a rewind to before a message would do. */
export interface RewindView {
  /** The message, to be changed and sent again. */
  text: string;
  /** Messages of the person that would go. */
  messages: number;
  files: FileDiffView[];
  /** Build output whose old contents are no longer kept. */
  left: string[];
  /** Why the files cannot be rewound; the conversation alone can. */
  conflict?: string;
}

export interface RewoundView {
  text: string;
  /** Paths that were changed. */
  files: string[];
  left: string[];
}

/** What is left of a conversation for the model, after it was summarised. */
export interface CompactView {
  /** Tokens of a request. */
  before: number;
  after: number;
  kept: {
    /** The person's words. */
    said: string[];
    done: string;
    plan: string;
    /** Results that can still be read by id. */
    readable: string;
  };
}
