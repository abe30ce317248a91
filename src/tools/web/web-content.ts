import { z } from "zod";
import { pieceEnd } from "../../text/piece.ts";
import { bytesWithin } from "../../text/tokens.ts";
import { fenceUntrusted } from "../../text/untrusted.ts";

/** The provenance of content, part of every result with untrusted content. */
export const provenanceOutput = z.object({
  source: z.string(),
  trust: z.literal("untrusted"),
  sha256: z.string(),
});

export const urlInput = z.string().min(1).describe("A whole URL, such as https://example.com/page");

export interface Content {
  /** Wield's own facts, above the fence. */
  head: string[];
  text: string;
  source: string;
  /** Where in the whole `text` begins, and how long the whole is. */
  start: number;
  total: number;
  /** The call that reads on from a place in the whole. */
  readOn(from: number): string;
}

/** Fenced content, cut to the budget where a paragraph ends, with how much is shown and the call for the rest. */
export function renderContent(content: Content): [string, (budget: number) => string] {
  return [renderPiece(content, content.text.length), (budget) => renderWithin(content, budget)];
}

function renderWithin(content: Content, budget: number): string {
  const remaining = bytesWithin(budget);
  const empty = Buffer.byteLength(renderPiece(content, 0));
  // In bytes a piece can only be longer than in characters, so this shrinks from above to what fits.
  let length = Math.min(content.text.length, Math.max(0, remaining - empty));
  for (;;) {
    const end = pieceEnd(content.text, 0, length);
    const shown = renderPiece(content, end);
    const over = Buffer.byteLength(shown) - remaining;
    if (over <= 0 || end === 0) return shown;
    length = Math.min(end - 1, Math.floor((end * remaining) / (remaining + over)));
  }
}

function renderPiece({ head, text, source, start, total, readOn }: Content, end: number): string {
  const lines = [...head, fenceUntrusted(text.slice(0, end), source)];
  const next = start + end;
  if (start > 0 || next < total) {
    const count = (n: number) => n.toLocaleString("en-US");
    const rest = next < total ? ` Read on: ${readOn(next)}` : "";
    lines.push(`Characters ${count(start + 1)}–${count(next)} of ${count(total)}.${rest}`);
  }
  return lines.join("\n");
}
