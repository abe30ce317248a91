/** Something of one workspace that waits for a person's word, as bytes that its owner understands. */
export interface HeldRecord {
  id: string;
  description: string;
  data: Uint8Array;
}

/** At most 32 are kept in a workspace; the oldest make space for new ones. */
export interface HeldRecords {
  /** The same id again changes nothing. */
  save(record: HeldRecord): Promise<void>;
  get(id: string): Promise<HeldRecord | undefined>;
  drop(id: string): Promise<void>;
  /** Oldest first. */
  ids(): Promise<string[]>;
}

export const keptHeld = 32;
