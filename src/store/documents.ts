export type DocumentKind = "text" | "code" | "sheet";

export interface DocumentSummary {
  id: string;
  title: string;
  kind: DocumentKind;
  /** The newest one. */
  version: number;
  /** ISO 8601, of that version. */
  updated: string;
}

export interface DocumentVersion extends DocumentSummary {
  content: string;
  /** What this version changed, in a sentence. */
  description: string;
}

/** One version in the history of a document. */
export interface VersionSummary {
  version: number;
  description: string;
  /** ISO 8601 */
  at: string;
}

export interface DocumentHit extends DocumentSummary {
  /** The part that matches, the words in «guillemets». */
  snippet: string;
}

export interface Suggestion {
  id: string;
  original: string;
  suggested: string;
  reason: string;
  state: "open" | "applied" | "dismissed";
}

/** Documents of one workspace. Every version is kept; the newest one is searched. */
export interface Documents {
  /** The same id again: the document that is already there. */
  create(document: {
    id: string;
    title: string;
    kind: DocumentKind;
    content: string;
  }): Promise<DocumentVersion>;
  /**
   * `change` gets the newest content, whoever wrote it. It is pure: when another writer is faster, it is called again with
   * what that writer made of the document. With `from`, any newer version than that one is a `CONFLICT`.
   */
  update(
    id: string,
    change: (content: string) => string,
    description: string,
    from?: number,
  ): Promise<DocumentVersion>;
  /** Newest first. */
  versions(id: string): Promise<VersionSummary[]>;
  /** With all versions and suggestions; nothing happens when it is not there. */
  delete(id: string): Promise<void>;
  read(id: string, version?: number): Promise<DocumentVersion>;
  /** Newest first; `before` is the last id of the page before. */
  list(page: { limit: number; before?: string }): Promise<{ documents: DocumentSummary[]; total: number }>;
  search(query: string, limit: number): Promise<DocumentHit[]>;
  suggest(id: string, suggestions: readonly Omit<Suggestion, "state">[]): Promise<Suggestion[]>;
  suggestions(id: string): Promise<Suggestion[]>;
  /** Applying makes a new version; a passage that is no longer there is a `CONFLICT`. */
  resolveSuggestion(suggestionId: string, state: "applied" | "dismissed"): Promise<Suggestion>;
}
