import { Failure } from "../failure/failure.ts";
import type { Fingerprint } from "./workspace.ts";

/** Says what changed at a path between two states. */
export function whatChanged(path: string, expected: Fingerprint, actual: Fingerprint): string {
  if (actual === "absent") return `\`${path}\` no longer exists`;
  if (expected === "absent") return `\`${path}\` exists now and did not before`;
  const [kind, mode, content] = expected.split(":", 3);
  const [kindNow, modeNow, contentNow] = actual.split(":", 3);
  if (kind !== kindNow) return `\`${path}\` was ${named(kind)} and is now ${named(kindNow)}`;
  if (kind === "link")
    return `\`${path}\` points to \`${actual.slice(5)}\` now, not to \`${expected.slice(5)}\``;
  if (kind === "file" && content === contentNow)
    return `the mode of \`${path}\` changed from ${mode} to ${modeNow}`;
  return kind === "directory" ? `what is in \`${path}\` changed` : `the content of \`${path}\` changed`;
}

export function conflict(path: string, expected: Fingerprint, actual: Fingerprint): Failure {
  const message = `Nothing was changed, because ${whatChanged(path, expected, actual)}. Read it again and base the change on the current content.`;
  return new Failure("CONFLICT", message, { stale: [path], expected, actual });
}

function named(kind: string | undefined): string {
  if (kind === "file" || kind === "directory") return `a ${kind}`;
  return kind === "link" ? "a symlink" : "something else";
}
