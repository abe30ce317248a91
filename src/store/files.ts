import type { CallFile } from "../events/events.ts";

/** A file that a call hands over, such as a chart: kept so that a person can look at it and save it. */
export interface NewFile {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** Files of calls. When they take more than the limit, those of the oldest calls go first. */
export interface Files {
  /** In the order in which they were handed over, by call. */
  list(callIds: readonly string[]): Promise<ReadonlyMap<string, CallFile[]>>;
  /** `index` counts from 0. */
  read(callId: string, index: number): Promise<NewFile | undefined>;
}
