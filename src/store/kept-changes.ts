/**
 * One change to the files of a session, as it was asked of the workspace. Done again in the same order on the same base, all of
 * them give the same files, under the same change ids.
 */
export interface KeptChange {
  /** The id of the change in the journal; of a reversal, an id of its own. */
  id: string;
  at: string;
  /** What was asked, as JSON; `contents` names the contents that it refers to by their SHA-256. */
  data: unknown;
}

/** The changes of sessions, kept where another machine finds them. */
export interface KeptChanges {
  /** The same change again changes nothing. `contents` by their SHA-256 in hexadecimal. */
  add(session: string, change: KeptChange, contents: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** In the order in which they were added. */
  list(session: string): Promise<KeptChange[]>;
  /** Those of the named contents that are kept. */
  contents(hashes: readonly string[]): Promise<Map<string, Uint8Array>>;
}
