import { rmSync } from "node:fs";

/** Removes what a test made. A process that was just stopped may still be writing there. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
