import { Failure } from "../failure/failure.ts";
import { newId } from "../text/ids.ts";
import type { Database } from "./database.ts";

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
  create(document: { title: string; kind: DocumentKind; content: string }): DocumentVersion;
  /** `change` gets the newest content, whoever wrote it last, and no other writer comes between. */
  update(id: string, change: (content: string) => string, description: string): DocumentVersion;
  read(id: string, version?: number): DocumentVersion;
  /** Newest first; `before` is the last id of the page before. */
  list(page: { limit: number; before?: string }): { documents: DocumentSummary[]; total: number };
  search(query: string, limit: number): DocumentHit[];
  suggest(id: string, suggestions: readonly Omit<Suggestion, "id" | "state">[]): Suggestion[];
  suggestions(id: string): Suggestion[];
  /** Applying makes a new version; a passage that is no longer there is a `CONFLICT`. */
  resolveSuggestion(suggestionId: string, state: "applied" | "dismissed"): Suggestion;
}

const schema = `
  CREATE TABLE IF NOT EXISTS documents (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL,
    version INTEGER NOT NULL, updated TEXT NOT NULL, change INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS documents_by_change ON documents (workspace, change);
  CREATE TABLE IF NOT EXISTS document_versions (
    document TEXT NOT NULL, version INTEGER NOT NULL, content TEXT NOT NULL, description TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (document, version)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS suggestions (
    id TEXT PRIMARY KEY, document TEXT NOT NULL, original TEXT NOT NULL, suggested TEXT NOT NULL, reason TEXT NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE IF NOT EXISTS document_words USING fts5 (title, content, tokenize = 'porter unicode61');
`;
const summary = "d.id, d.title, d.kind, d.version, d.updated";

export function openDocuments(db: Database, workspace: string): Documents {
  db.exec(schema);

  const find = (id: string) => {
    const row = db
      .sql(`SELECT d.seq, ${summary} FROM documents d WHERE id = ? AND workspace = ?`)
      .get(id, workspace);
    if (!row) throw missing(id);
    return row as unknown as DocumentSummary & { seq: number };
  };
  const read = (id: string, version?: number): DocumentVersion => {
    const { seq: _, ...document } = find(id);
    const row = db
      .sql(
        "SELECT version, content, description, at FROM document_versions WHERE document = ? AND version = ?",
      )
      .get(id, version ?? document.version);
    if (!row) {
      const message = `Document ${id} has the versions 1 to ${document.version}; there is no version ${version}.`;
      throw new Failure("INVALID_INPUT", message);
    }
    const { at, ...rest } = row as unknown as {
      at: string;
      version: number;
      content: string;
      description: string;
    };
    return { ...document, ...rest, updated: at };
  };
  const addVersion = (id: string, version: number, content: string, description: string, at: string) => {
    db.sql("INSERT INTO document_versions VALUES (?, ?, ?, ?, ?)").run(id, version, content, description, at);
  };
  const write = (id: string, change: (content: string) => string, description: string): DocumentVersion => {
    const { seq, title, version } = find(id);
    const content = change(read(id).content);
    const at = new Date().toISOString();
    addVersion(id, version + 1, content, description, at);
    db.sql(`UPDATE documents SET version = ?, updated = ?, change = ${nextChange} WHERE seq = ?`).run(
      version + 1,
      at,
      seq,
    );
    db.sql("UPDATE document_words SET title = ?, content = ? WHERE rowid = ?").run(title, content, seq);
    return read(id);
  };

  return {
    create: ({ title, kind, content }) =>
      db.alone(() => {
        const id = newId("d");
        const at = new Date().toISOString();
        const { lastInsertRowid } = db
          .sql(
            `INSERT INTO documents (id, workspace, title, kind, version, updated, change) VALUES (?, ?, ?, ?, 1, ?, ${nextChange})`,
          )
          .run(id, workspace, title, kind, at);
        addVersion(id, 1, content, "created", at);
        db.sql("INSERT INTO document_words (rowid, title, content) VALUES (?, ?, ?)").run(
          lastInsertRowid,
          title,
          content,
        );
        return read(id);
      }),
    update: (id, change, description) => db.alone(() => write(id, change, description)),
    read,
    list: ({ limit, before }) => {
      const documents = db
        .sql(
          `SELECT ${summary} FROM documents d WHERE workspace = ? AND (? IS NULL OR change < (SELECT change FROM documents WHERE id = ?)) ORDER BY change DESC LIMIT ?`,
        )
        .all(workspace, before ?? null, before ?? null, limit) as unknown as DocumentSummary[];
      const { total } = db
        .sql("SELECT count(*) AS total FROM documents WHERE workspace = ?")
        .get(workspace) as {
        total: number;
      };
      return { documents, total };
    },
    search: (query, limit) => {
      const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
      const hits = (match: string) =>
        db
          .sql(
            `SELECT ${summary}, snippet(document_words, 1, '«', '»', '…', 24) AS snippet FROM document_words w JOIN documents d ON d.seq = w.rowid WHERE document_words MATCH ? AND d.workspace = ? ORDER BY bm25(document_words, 4.0, 1.0), d.seq LIMIT ?`,
          )
          .all(match, workspace, limit) as unknown as DocumentHit[];
      if (words.length === 0) return [];
      // Quoted, a word is a word: FTS5 has operators of its own. All words first; any of them when none has all.
      const quoted = words.map((word) => `"${word}"`);
      const all = hits(quoted.join(" "));
      return all.length > 0 || words.length === 1 ? all : hits(quoted.join(" OR "));
    },
    suggest: (id, suggestions) =>
      db.alone(() => {
        find(id);
        return suggestions.map(({ original, suggested, reason }) => {
          const suggestion: Suggestion = {
            id: newId("g"),
            original,
            suggested,
            reason,
            state: "open",
          };
          db.sql("INSERT INTO suggestions VALUES (?, ?, ?, ?, ?, 'open')").run(
            suggestion.id,
            id,
            original,
            suggested,
            reason,
          );
          return suggestion;
        });
      }),
    suggestions: (id) =>
      db
        .sql(
          "SELECT id, original, suggested, reason, state FROM suggestions WHERE document = ? ORDER BY rowid",
        )
        .all(find(id).id) as unknown as Suggestion[],
    resolveSuggestion: (suggestionId, state) =>
      db.alone(() => {
        const row = db.sql("SELECT * FROM suggestions WHERE id = ?").get(suggestionId);
        if (!row)
          throw new Failure("INVALID_INPUT", `There is no suggestion ${JSON.stringify(suggestionId)}.`);
        const { document, ...suggestion } = row as unknown as Suggestion & { document: string };
        if (suggestion.state !== "open") {
          throw new Failure("CONFLICT", `Suggestion ${suggestionId} was ${suggestion.state} already.`);
        }
        if (state === "applied")
          write(document, (content) => replaceOnce(content, suggestion), suggestion.reason);
        db.sql("UPDATE suggestions SET state = ? WHERE id = ?").run(state, suggestionId);
        return { ...suggestion, state };
      }),
  };
}

/** The order of changes; times may be equal. */
const nextChange = "(SELECT coalesce(max(change), 0) + 1 FROM documents)";

function replaceOnce(content: string, { original, suggested }: Suggestion): string {
  const at = content.indexOf(original);
  if (at < 0) {
    throw new Failure(
      "CONFLICT",
      "The passage is no longer in the document. Dismiss this suggestion and ask for new ones.",
    );
  }
  return content.slice(0, at) + suggested + content.slice(at + original.length);
}

function missing(id: string): Failure {
  return new Failure(
    "FILE_NOT_FOUND",
    `There is no document ${JSON.stringify(id)} here. listDocuments shows the ids, searchDocuments finds them by words.`,
  );
}
