import { z } from "zod";
import { Failure } from "../../failure/failure.ts";
import type { DocumentVersion, Suggestion } from "../../store/documents.ts";
import { newId } from "../../text/ids.ts";
import { defineTool } from "../../tool/define-tool.ts";
import { documentId, type OpenDocuments } from "./document-output.ts";

export type Proposal = Pick<Suggestion, "original" | "suggested" | "reason">;
/** Asks a model how a document could be better; `UNAVAILABLE` where there is none. */
export type Suggest = (document: DocumentVersion, signal: AbortSignal) => Promise<readonly Proposal[]>;

/** A review takes seconds; without an answer until then there will be none. */
const patienceMs = 90_000;

export const requestSuggestions = (documents: OpenDocuments, suggest: Suggest) =>
  defineTool({
    name: "requestSuggestions",
    title: "Request suggestions",
    description:
      "Have a model review a document and suggest changes, which the person then applies or dismisses.",
    category: "Documents",
    input: z.object({ id: documentId }),
    output: z.object({
      suggestions: z.array(
        z.object({ id: z.string(), original: z.string(), suggested: z.string(), reason: z.string() }),
      ),
      dropped: z.number().describe("Proposals whose original is not in the document"),
    }),
    can: ["record"],
    timeoutMs: 120_000,
    effects: ({ id }) => [{ kind: "record", what: `suggestions for document ${id}`, shows: true }],
    execute: async ({ id }, { signal }) => {
      const document = await documents().read(id);
      const patience = AbortSignal.timeout(patienceMs);
      const proposals = await suggest(document, AbortSignal.any([signal, patience])).catch(
        (error: unknown) => {
          if (signal.aborted || !patience.aborted) throw error;
          throw new Failure(
            "TIMEOUT",
            `The reviewing model gave no answer within ${patienceMs / 1000} s. Review the document yourself: readDocument, then updateDocument with edits.`,
          );
        },
      );
      const usable = proposals.filter(
        ({ original, suggested }) =>
          original !== "" && original !== suggested && document.content.includes(original),
      );
      const kept = await documents().suggest(
        id,
        usable.map((proposal) => ({ id: newId("g"), ...proposal })),
      );
      return {
        suggestions: kept.map(({ state: _, ...suggestion }) => suggestion),
        dropped: proposals.length - usable.length,
      };
    },
    render: ({ suggestions }) =>
      suggestions.length === 0
        ? "The model has no suggestions."
        : suggestions.map((s) => `${s.id}: ${s.reason}\n- ${s.original}\n+ ${s.suggested}`).join("\n\n"),
    examples: [{ title: "Review a document", input: { id: "d_0123456789" } }],
  });
