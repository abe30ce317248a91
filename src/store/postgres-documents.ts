import { Failure } from "../failure/failure.ts";
import { missingDocument, overtaken, replaceOnce } from "./document-failures.ts";
import type { DocumentKind, DocumentSummary, Documents, DocumentVersion, Suggestion } from "./documents.ts";
import {
  decodeText,
  encodeText,
  type PostgresDatabase,
  type Row,
  type Sql,
  searchable,
} from "./postgres-database.ts";

const summary = "d.id, d.title, d.kind, d.version, d.updated";
/** `tsvector` has a limit; what stands behind so much text is not searched. */
const mostSearched = 400_000;
const words = `setweight(to_tsvector('wield', $1), 'A') || to_tsvector('wield', $2)`;

export function postgresDocuments(db: PostgresDatabase, workspace: string): Documents {
  const find = async (sql: Sql, id: string, lock = ""): Promise<DocumentSummary | undefined> => {
    const found = `SELECT ${summary} FROM documents d WHERE id = $1 AND workspace = $2 ${lock}`;
    return (await sql(found, [id, workspace])).map(summaryOf)[0];
  };
  const read = async (sql: Sql, id: string, version?: number): Promise<DocumentVersion> => {
    const document = await find(sql, id);
    if (!document) throw missingDocument(id);
    const [row] = await sql(
      "SELECT version, content, description, at FROM document_versions WHERE document = $1 AND version = $2",
      [id, version ?? document.version],
    );
    if (!row) {
      const message = `Document ${id} has the versions 1 to ${document.version}; there is no version ${version}.`;
      throw new Failure("INVALID_INPUT", message);
    }
    return {
      ...document,
      version: Number(row["version"]),
      content: decodeText(row["content"]),
      description: decodeText(row["description"]),
      updated: String(row["at"]),
    };
  };
  const addVersion = (
    sql: Sql,
    id: string,
    version: number,
    content: string,
    description: string,
    at: string,
  ) =>
    sql("INSERT INTO document_versions VALUES ($1, $2, $3, $4, $5)", [
      ...[id, version, encodeText(content), encodeText(description), at],
    ]);
  /** Compare and set: false when the document is no longer at the version that the content was made from. */
  const addIfStill = async (sql: Sql, from: DocumentVersion, content: string, description: string) => {
    const { id, title, version } = from;
    const at = new Date().toISOString();
    const rows = await sql(
      `UPDATE documents SET version = $3::integer + 1, updated = $4, change = nextval('document_changes'), words = ${words}
       WHERE id = $5 AND version = $3 RETURNING id`,
      [plain(title), plain(content), version, at, id],
    );
    if (rows.length === 0) return false;
    await addVersion(sql, id, version + 1, content, description, at);
    return true;
  };

  return {
    create: ({ id, title, kind, content }) =>
      db.transaction(async (sql) => {
        const at = new Date().toISOString();
        const rows = await sql(
          `INSERT INTO documents (words, id, workspace, title, kind, version, updated, change)
           VALUES (${words}, $3, $4, $5, $6, 1, $7, nextval('document_changes')) ON CONFLICT DO NOTHING RETURNING id`,
          [plain(title), plain(content), id, workspace, encodeText(title), kind, at],
        );
        if (rows.length > 0) await addVersion(sql, id, 1, content, "created", at);
        return read(sql, id);
      }),
    update: async (id, change, description, from) => {
      // Whoever loses was overtaken by a writer that succeeded, so this ends.
      for (;;) {
        const newest = await read(db.query, id);
        if (from !== undefined && newest.version !== from) {
          // Saved before, and only the answer was lost.
          const isSaved = newest.version === from + 1;
          if (isSaved && newest.content === change((await read(db.query, id, from)).content)) return newest;
          throw overtaken(newest.version, from);
        }
        const content = change(newest.content);
        if (await db.transaction((sql) => addIfStill(sql, newest, content, description)))
          return read(db.query, id, newest.version + 1);
      }
    },
    versions: async (id) => {
      if (!(await find(db.query, id))) throw missingDocument(id);
      const all =
        "SELECT version, description, at FROM document_versions WHERE document = $1 ORDER BY version DESC";
      return (await db.query(all, [id])).map(({ version, description, at }) => ({
        version: Number(version),
        description: decodeText(description),
        at: String(at),
      }));
    },
    delete: async (id) => {
      await db.write("DELETE FROM documents WHERE id = $1 AND workspace = $2", [id, workspace]);
    },
    read: (id, version) => read(db.query, id, version),
    list: async ({ limit, before }) => {
      const rows = await db.query(
        `SELECT ${summary} FROM documents d WHERE workspace = $1
           AND ($2::text IS NULL OR change < (SELECT change FROM documents WHERE id = $2)) ORDER BY change DESC LIMIT $3`,
        [workspace, before ?? null, limit],
      );
      const [row] = await db.query("SELECT count(*) AS total FROM documents WHERE workspace = $1", [
        workspace,
      ]);
      return { documents: rows.map(summaryOf), total: Number(row?.["total"]) };
    },
    search: async (query, limit) => {
      const wanted = plain(query).match(/[\p{L}\p{N}]+/gu) ?? [];
      const hits = async (operator: string) => {
        const rows = await db.query(
          `SELECT ${summary}, v.content, ts_rank_cd('{0.25, 0.25, 0.5, 1.0}', d.words, q) AS rank, q::text AS q
           FROM documents d JOIN document_versions v ON v.document = d.id AND v.version = d.version,
             to_tsquery('wield', $1) AS q
           WHERE d.words @@ q AND d.workspace = $2 ORDER BY rank DESC, d.seq LIMIT $3`,
          [wanted.join(` ${operator} `), workspace, limit],
        );
        return Promise.all(
          rows.map(async (row) => {
            const headline =
              "SELECT ts_headline('wield', $1, $2::tsquery, 'StartSel=«, StopSel=», MaxWords=24, MinWords=12') AS snippet";
            const [made] = await db.query(headline, [
              searchable(decodeText(row["content"])).slice(0, mostSearched),
              row["q"],
            ]);
            return { ...summaryOf(row), snippet: String(made?.["snippet"]) };
          }),
        );
      };
      if (wanted.length === 0) return [];
      // All words first; any of them when no document has all.
      const all = await hits("&");
      return all.length > 0 || wanted.length === 1 ? all : hits("|");
    },
    suggest: (id, suggestions) =>
      db.transaction(async (sql) => {
        if (!(await find(sql, id))) throw missingDocument(id);
        for (const suggestion of suggestions)
          await sql(
            "INSERT INTO suggestions (id, document, body, state) VALUES ($1, $2, $3, 'open') ON CONFLICT DO NOTHING",
            [...[suggestion.id, id, JSON.stringify(suggestion)]],
          );
        return suggestions.map((suggestion) => ({ ...suggestion, state: "open" as const }));
      }),
    suggestions: async (id) => {
      if (!(await find(db.query, id))) throw missingDocument(id);
      const all = "SELECT body, state FROM suggestions WHERE document = $1 ORDER BY seq";
      return (await db.query(all, [id])).map(suggestionOf);
    },
    resolveSuggestion: (suggestionId, state) =>
      db.transaction(async (sql) => {
        const [row] = await sql("SELECT * FROM suggestions WHERE id = $1 FOR UPDATE", [suggestionId]);
        const document = row && String(row["document"]);
        // Locked: nobody makes another version in between.
        if (!row || document === undefined || !(await find(sql, document, "FOR UPDATE")))
          throw new Failure("INVALID_INPUT", `There is no suggestion ${JSON.stringify(suggestionId)}.`);
        const suggestion = suggestionOf(row);
        if (suggestion.state !== "open")
          throw new Failure("CONFLICT", `Suggestion ${suggestionId} was ${suggestion.state} already.`);
        if (state === "applied") {
          const from = await read(sql, document);
          await addIfStill(sql, from, replaceOnce(from.content, suggestion), suggestion.reason);
        }
        await sql("UPDATE suggestions SET state = $2 WHERE id = $1", [suggestionId, state]);
        return { ...suggestion, state };
      }),
  };
}

/** As words are compared: without accents, as in the embedded store. */
function plain(text: string): string {
  return searchable(text).slice(0, mostSearched).normalize("NFD").replace(/\p{M}/gu, "");
}

function summaryOf(row: Row): DocumentSummary {
  return {
    id: String(row["id"]),
    title: decodeText(row["title"]),
    kind: String(row["kind"]) as DocumentKind,
    version: Number(row["version"]),
    updated: String(row["updated"]),
  };
}

function suggestionOf(row: Row): Suggestion {
  const { id, original, suggested, reason } = JSON.parse(String(row["body"])) as Suggestion;
  return { id, original, suggested, reason, state: String(row["state"]) as Suggestion["state"] };
}
