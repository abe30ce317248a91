import { diffTexts } from "../text/diff.ts";
import { canonicalJson } from "../text/digest.ts";

/** Whether two inputs mean different calls. */
export function differs(one: unknown, other: unknown): boolean {
  return one !== other && canonicalJson(one) !== canonicalJson(other);
}

/** Tells the model what the person made of its call before approving it. */
export function editedNotice(proposed: Record<string, unknown>, final: Record<string, unknown>): string {
  const fields = new Set([...Object.keys(proposed), ...Object.keys(final)]);
  const changes = [...fields].flatMap((field) => {
    const before = proposed[field];
    const after = final[field];
    if (!differs(before ?? null, after ?? null)) return [];
    if (typeof before === "string" && typeof after === "string" && `${before}${after}`.includes("\n")) {
      return [`${field}:\n${withoutHeader(diffTexts(field, before, after).diff)}`];
    }
    return [`${field}: ${canonicalJson(before ?? null)} → ${canonicalJson(after ?? null)}`];
  });
  return `The person edited this call before approving it (- yours, + theirs):\n${changes.join("\n")}`;
}

function withoutHeader(diff: string): string {
  return diff.split("\n").slice(2).join("\n").trimEnd();
}
