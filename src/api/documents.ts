// Documents and their versions.

export interface DocumentSummaryView {
  id: string;
  title: string;
  kind: "text" | "code" | "sheet";
  version: number;
  updated: string;
  /** Of a search: the part that matches, the words in «guillemets». */
  snippet?: string;
}

/** A page of documents, the last changed first, or what a search found, best first. */
export interface DocumentsView {
  documents: DocumentSummaryView[];
  /** Of all documents. */
  total: number;
  /** The next page begins before this one. */
  next?: string;
}

/** One version of a document; `updated` and `description` are of this version. */
export interface DocumentView extends DocumentSummaryView {
  content: string;
  description: string;
  /** All, newest first. */
  versions: { version: number; description: string; at: string }[];
  /** Those that are open. */
  suggestions: { id: string; original: string; suggested: string; reason: string }[];
  /** What it can be saved as, the usual format first. */
  formats: ("md" | "docx" | "csv" | "source")[];
}

export interface DocumentDiffView {
  from: number;
  to: number;
  /** Unified; empty when there is no difference, or too much of it. */
  diff: string;
  added: number;
  removed: number;
}
