import { Failure } from "../failure/failure.ts";
import type { Suggestion } from "./documents.ts";

export function replaceOnce(content: string, { original, suggested }: Suggestion): string {
  const at = content.indexOf(original);
  if (at < 0) {
    throw new Failure(
      "CONFLICT",
      "The passage is no longer in the document. Dismiss this suggestion and ask for new ones.",
    );
  }
  return content.slice(0, at) + suggested + content.slice(at + original.length);
}

export function overtaken(newest: number, from: number): Failure {
  return new Failure(
    "CONFLICT",
    `The document is at version ${newest} now; this change was made from version ${from}. Compare them, then save again.`,
    { version: newest },
  );
}

export function missingDocument(id: string): Failure {
  return new Failure(
    "FILE_NOT_FOUND",
    `There is no document ${JSON.stringify(id)} here. listDocuments shows the ids, searchDocuments finds them by words.`,
  );
}
