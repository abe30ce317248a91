/** How much of one kind a store keeps or would remove. */
export interface Amount {
  count: number;
  bytes: number;
}

export const storeKinds = ["sessions", "calls", "documents", "plans", "approvals"] as const;
export type StoreKind = (typeof storeKinds)[number];

/** Data older than this time is removed. ISO 8601; undefined: keep everything. */
export interface StoreLimits {
  before: Readonly<Partial<Record<StoreKind, string>>>;
  /** The limit for everything together; above it the oldest sessions are removed, except pinned ones. */
  bytes: number;
}

/** Keeps a store within its limits. */
export interface Upkeep {
  usage(): Promise<Record<StoreKind, Amount>>;
  /** What the limits would remove now. */
  beyond(limits: StoreLimits): Promise<Record<StoreKind, Amount>>;
  /** Removes it and returns the amount; at most `sessions` at once. Removed data is overwritten on disk. */
  remove(limits: StoreLimits, mostSessions?: number): Promise<Record<StoreKind, Amount>>;
  /** After a removal: empties the write-ahead log and, with `shrink`, reduces the size of the file. */
  compact(shrink: boolean): Promise<void>;
}
