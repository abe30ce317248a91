import type { Database } from "./database.ts";

/**
 * What was said in a session, as marks: one bit for each three bytes that stand next to each other, whatever the case of ASCII
 * letters. A search reads the logs of only those sessions whose marks have all of its own.
 */
export const sessionWordsSchema = `
  CREATE TABLE IF NOT EXISTS session_words (session TEXT PRIMARY KEY, through INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS session_word_marks (session TEXT PRIMARY KEY, marks BLOB NOT NULL) STRICT;
`;
/** With the words of a long session, a quarter of the bits is set. */
const markBytes = 1 << 13;

/** The number of the bit of each three bytes. */
function marksOf(text: string): Uint16Array {
  const bytes = Buffer.from(text);
  const marks = new Uint16Array(Math.max(0, bytes.length - 2));
  let last = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte;
    last = ((last << 8) | lower) & 0xffffff;
    if (index >= 2) marks[index - 2] = Math.imul(last, 0x9e3779b1) >>> 16;
  }
  return marks;
}

interface SpokenEntry {
  seq: number;
  /** JSON, as it is stored. */
  text: string;
  kind: unknown;
}

/** A session that has a row here has the marks of all its entries: each gets them in the transaction that stores it. */
export function sessionWords({ sql, transaction }: Database) {
  const read = (session: string): Uint8Array | undefined => {
    const row = sql(
      "SELECT marks FROM session_words LEFT JOIN session_word_marks USING (session) WHERE session = ?",
    ).get(session);
    return row && ((row["marks"] as Uint8Array | null) ?? new Uint8Array(markBytes));
  };
  const add = (session: string, marks: Uint8Array, entries: readonly SpokenEntry[]) => {
    let isNew = false;
    for (const { kind, text } of entries) {
      if (kind !== "user" && kind !== "step") continue;
      for (const mark of marksOf(text)) {
        const [at, bit] = [mark >>> 3, 1 << (mark & 7)];
        const byte = marks[at] ?? 0;
        if ((byte & bit) !== 0) continue;
        marks[at] = byte | bit;
        isNew = true;
      }
    }
    if (isNew) sql("INSERT OR REPLACE INTO session_word_marks VALUES (?, ?)").run(session, marks);
    const through = entries.at(-1)?.seq ?? 0;
    sql("INSERT OR REPLACE INTO session_words VALUES (?, ?)").run(session, through);
    return marks;
  };
  const catchUp = (session: string): Uint8Array => {
    const entries = sql(
      "SELECT seq, data, data ->> 'kind' AS kind FROM entries WHERE session = ? ORDER BY seq",
    )
      .all(session)
      .map(({ seq, data, kind }) => ({ seq: Number(seq), text: String(data), kind }));
    return add(session, new Uint8Array(markBytes), entries);
  };

  return {
    /** Inside the transaction that stores the entry. */
    note(session: string, entry: SpokenEntry): void {
      const row = sql("SELECT through FROM session_words WHERE session = ?").get(session);
      const isFirst = () =>
        !sql("SELECT 1 FROM entries WHERE session = ? AND seq <> ?").get(session, entry.seq);
      if (row ? Number(row["through"]) === entry.seq - 1 : isFirst())
        add(session, read(session) ?? new Uint8Array(markBytes), [entry]);
      // An entry between them has no marks: all are made anew when they are needed.
      else sql("DELETE FROM session_words WHERE session = ?").run(session);
    },
    /** False when nobody can have said this in the session. Entries that were stored without marks get them first. */
    maySay(session: string, words: string): boolean {
      let marks = read(session);
      try {
        marks ??= transaction(() => catchUp(session));
      } catch {
        // In a store that cannot be written to, the log itself is read.
        return true;
      }
      return marksOf(words).every((mark) => ((marks[mark >>> 3] ?? 0) & (1 << (mark & 7))) !== 0);
    },
  };
}
