import type { Contents } from "./contents.ts";
import type { Entry, Journal, PreImages } from "./journal.ts";
import { contentsRemoved, isReversible, type Step, totalSize } from "./step.ts";
import { createYielder } from "./yielder.ts";

/**
 * Saves what the steps take away, as far as the cap for one change and the quota for all allow; what does not fit is
 * told, and never refused; a disk that cannot take it fails the change. The entries in `spare` keep what they have.
 */
export async function keepPreImages(
  journal: Journal,
  contents: Contents,
  steps: readonly Step[],
  capBytes: number,
  spare: readonly Entry[],
): Promise<PreImages> {
  const reason = whyIrreversible(steps, capBytes);
  if (reason !== undefined) return without(reason);
  const files = contentsRemoved(steps);
  const dropped = journal.makeSpace(files, spare);
  if (dropped === null)
    return without(
      "what it replaces does not fit into the journal's quota (`journal.bytesInAll` in the settings).",
    );
  const turn = createYielder();
  for (const file of files) {
    contents.keep(file);
    if (journal.blobs.isFull) await journal.blobs.flush();
    await turn();
  }
  await journal.blobs.sync();
  const changes = dropped === 1 ? "oldest change" : `${dropped} oldest changes`;
  const notice = `To stay within the journal's quota, the ${changes} can no longer be taken back.`;
  return { complete: true, files, notices: dropped > 0 ? [notice] : [] };
}

/** Why steps cannot be taken back, when that is known before they are taken. */
export function whyIrreversible(steps: readonly Step[], capBytes: number): string | undefined {
  if (!isReversible(steps))
    return "it removes a pipe, socket, device or oddly named file, which cannot be made again.";
  const size = totalSize(contentsRemoved(steps));
  return size > capBytes
    ? `it replaces ${size} bytes, more than the ${capBytes} that are kept of one change.`
    : undefined;
}

function without(reason: string): PreImages {
  return { complete: false, files: [], notices: [`This change cannot be taken back: ${reason}`] };
}
