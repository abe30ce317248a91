import { Failure } from "../failure/failure.ts";
import type { Database } from "./database.ts";
import { missingDocument, overtaken, replaceOnce } from "./document-failures.ts";
import type {
  DocumentHit,
  DocumentSummary,
  Documents,
  DocumentVersion,
  Suggestion,
  VersionSummary,
} from "./documents.ts";

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

export function sqliteDocuments(store: Database, workspace: string): Documents {
  const db = store.withTables(schema);

  const find = (id: string) => {
    const row = db
      .sql(`SELECT d.seq, ${summary} FROM documents d WHERE id = ? AND workspace = ?`)
      .get(id, workspace);
    return row as unknown as (DocumentSummary & { seq: number }) | undefined;
  };
  const read = (id: string, version?: number): DocumentVersion => {
    const found = find(id);
    if (!found) throw missingDocument(id);
    const { seq: _, ...document } = found;
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
  /** Compare and set: false when the document is no longer at the version that the content was made from. */
  const addIfStill = (from: DocumentVersion, content: string, description: string): boolean => {
    const { id, title, version } = from;
    const at = new Date().toISOString();
    const row = db
      .sql(
        `UPDATE documents SET version = ?, updated = ?, change = ${nextChange} WHERE id = ? AND version = ? RETURNING seq`,
      )
      .get(version + 1, at, id, version);
    if (!row) return false;
    addVersion(id, version + 1, content, description, at);
    db.sql("UPDATE document_words SET title = ?, content = ? WHERE rowid = ?").run(
      ...[title, content, Number(row["seq"])],
    );
    return true;
  };

  return {
    create: async ({ id, title, kind, content }) =>
      db.transaction(() => {
        if (find(id)) return read(id);
        const at = new Date().toISOString();
        const { lastInsertRowid } = db
          .sql(
            `INSERT INTO documents (id, workspace, title, kind, version, updated, change) VALUES (?, ?, ?, ?, 1, ?, ${nextChange})`,
          )
          .run(id, workspace, title, kind, at);
        addVersion(id, 1, content, "created", at);
        db.sql("INSERT INTO document_words (rowid, title, content) VALUES (?, ?, ?)").run(
          ...[lastInsertRowid, title, content],
        );
        return read(id);
      }),
    update: async (id, change, description, from) => {
      // Whoever loses was overtaken by a writer that succeeded, so this ends.
      for (;;) {
        const newest = read(id);
        if (from !== undefined && newest.version !== from) {
          // Saved before, and only the answer was lost.
          if (newest.version === from + 1 && newest.content === change(read(id, from).content)) return newest;
          throw overtaken(newest.version, from);
        }
        const content = change(newest.content);
        if (db.transaction(() => addIfStill(newest, content, description)))
          return read(id, newest.version + 1);
      }
    },
    versions: async (id) => {
      if (!find(id)) throw missingDocument(id);
      return db
        .sql(
          "SELECT version, description, at FROM document_versions WHERE document = ? ORDER BY version DESC",
        )
        .all(id) as unknown as VersionSummary[];
    },
    delete: async (id) =>
      db.transaction(() => {
        const found = find(id);
        if (!found) return;
        db.sql("DELETE FROM document_words WHERE rowid = ?").run(found.seq);
        db.sql("DELETE FROM suggestions WHERE document = ?").run(id);
        db.sql("DELETE FROM document_versions WHERE document = ?").run(id);
        db.sql("DELETE FROM documents WHERE id = ?").run(id);
      }),
    read: async (id, version) => read(id, version),
    list: async ({ limit, before }) => {
      const documents = db
        .sql(
          `SELECT ${summary} FROM documents d WHERE workspace = ? AND (? IS NULL OR change < (SELECT change FROM documents WHERE id = ?)) ORDER BY change DESC LIMIT ?`,
        )
        .all(workspace, before ?? null, before ?? null, limit) as unknown as DocumentSummary[];
      const row = db.sql("SELECT count(*) AS total FROM documents WHERE workspace = ?").get(workspace);
      return { documents, total: Number(row?.["total"]) };
    },
    search: async (query, limit) => {
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
    suggest: async (id, suggestions) =>
      db.transaction(() => {
        if (!find(id)) throw missingDocument(id);
        const insert = db.sql("INSERT OR IGNORE INTO suggestions VALUES (?, ?, ?, ?, ?, 'open')");
        return suggestions.map((suggestion): Suggestion => {
          insert.run(suggestion.id, id, suggestion.original, suggestion.suggested, suggestion.reason);
          return { ...suggestion, state: "open" };
        });
      }),
    suggestions: async (id) => {
      if (!find(id)) throw missingDocument(id);
      return db
        .sql(
          "SELECT id, original, suggested, reason, state FROM suggestions WHERE document = ? ORDER BY rowid",
        )
        .all(id) as unknown as Suggestion[];
    },
    resolveSuggestion: async (suggestionId, state) =>
      db.transaction(() => {
        const row = db.sql("SELECT * FROM suggestions WHERE id = ?").get(suggestionId);
        if (!row || !find(String(row["document"])))
          throw new Failure("INVALID_INPUT", `There is no suggestion ${JSON.stringify(suggestionId)}.`);
        const { document, ...suggestion } = row as unknown as Suggestion & { document: string };
        if (suggestion.state !== "open") {
          throw new Failure("CONFLICT", `Suggestion ${suggestionId} was ${suggestion.state} already.`);
        }
        if (state === "applied") {
          const from = read(document);
          addIfStill(from, replaceOnce(from.content, suggestion), suggestion.reason);
        }
        db.sql("UPDATE suggestions SET state = ? WHERE id = ?").run(state, suggestionId);
        return { ...suggestion, state };
      }),
  };
}

/** The order of changes; times may be equal. */
const nextChange = "(SELECT coalesce(max(change), 0) + 1 FROM documents)";
