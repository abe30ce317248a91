import type { Contents } from "./contents.ts";
import type { Entry, Journal, PreImages } from "./journal.ts";
import { contentsRemoved, isReversible, type Step, totalSize } from "./step.ts";
import { createYielder } from "./yielder.ts";

/**
 * Saves the contents that the steps remove, within the cap for one change and the quota for all. A change that does
 * not fit is still made, with a notice; a full disk fails it. The entries in `spare` keep their contents.
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
  const notice = `To stay within the journal's quota, the ${changes} can no longer be undone.`;
  return { complete: true, files, notices: dropped > 0 ? [notice] : [] };
}

/** Why steps cannot be undone, if that is known in advance. */
export function whyIrreversible(steps: readonly Step[], capBytes: number): string | undefined {
  if (!isReversible(steps))
    return "it removes a pipe, socket, device or file whose name is not UTF-8, which cannot be recreated.";
  const size = totalSize(contentsRemoved(steps));
  return size > capBytes
    ? `it replaces ${size} bytes, more than the ${capBytes} that are kept of one change.`
    : undefined;
}

function without(reason: string): PreImages {
  return { complete: false, files: [], notices: [`This change cannot be undone: ${reason}`] };
}
