/** What a store keeps, or would remove, of one kind. */
export interface Amount {
  count: number;
  bytes: number;
}

export const storeKinds = ["sessions", "calls", "documents", "plans", "approvals"] as const;
export type StoreKind = (typeof storeKinds)[number];

/** Until when things are kept: what is older goes. ISO 8601; undefined: for ever. */
export interface StoreLimits {
  before: Readonly<Partial<Record<StoreKind, string>>>;
  /** Of everything together; above it the oldest sessions go. Those that are pinned stay. */
  bytes: number;
}

/** Keeps a store within its limits. */
export interface Upkeep {
  usage(): Promise<Record<StoreKind, Amount>>;
  /** What the limits would remove now. */
  beyond(limits: StoreLimits): Promise<Record<StoreKind, Amount>>;
  /** Removes it and says how much it was; at most so many sessions at once. What is removed is overwritten on disk. */
  remove(limits: StoreLimits, mostSessions?: number): Promise<Record<StoreKind, Amount>>;
  /** After things were removed: nothing of them is left beside the file, and, with `shrink`, the file takes less space. */
  compact(shrink: boolean): Promise<void>;
}
