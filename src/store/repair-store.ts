import { DatabaseSync } from "node:sqlite";
import { type SavedTable, salvage } from "./salvage.ts";

/**
 * Creates a new store at `to` from what can be read of the damaged one. Sessions of which only the log is left are
 * assigned to the folder `here`, because nothing else says where they belonged.
 */
export function repairStore(damaged: string, to: string, here: string): SavedTable[] {
  const [ofSessions, ofDocuments] = ["SELECT id FROM sessions", "SELECT id FROM documents"];
  const keys = {
    ...{ entries: ofSessions, session_states: ofSessions, session_marks: ofSessions },
    document_versions: ofDocuments,
  };
  const saved = salvage(damaged, to, { keys });
  using db = new DatabaseSync(to);
  const has = (table: string) => saved.some(({ name }) => name === table);
  if (has("sessions") && has("entries"))
    db.prepare(
      `INSERT OR IGNORE INTO sessions (id, workspace, agent, title, at, updated)
       SELECT session, ?, 'code', coalesce(substr(min(CASE WHEN data ->> 'kind' = 'user' THEN data ->> 'text' END), 1, 80), 'A saved session'),
         min(at), max(at) FROM entries GROUP BY session`,
    ).run(here);
  // They are made anew from the logs.
  for (const table of ["session_words", "session_word_marks"])
    if (has(table)) db.exec(`DELETE FROM ${table}`);
  if (has("documents") && has("document_versions")) {
    // A document whose newest version is lost falls back to the newest remaining one.
    db.exec(`
      DELETE FROM documents WHERE id NOT IN (SELECT document FROM document_versions);
      UPDATE documents SET version = (SELECT max(version) FROM document_versions WHERE document = id);
      INSERT INTO document_words (rowid, title, content)
        SELECT d.seq, d.title, v.content FROM documents d
        JOIN document_versions v ON v.document = d.id AND v.version = d.version;`);
  }
  return saved;
}
