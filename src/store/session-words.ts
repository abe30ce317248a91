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

export function sessionWords({ sql, transaction }: Database) {
  const read = (session: string): Uint8Array | undefined => {
    const row = sql("SELECT marks FROM session_word_marks WHERE session = ?").get(session);
    return row && (row["marks"] as Uint8Array);
  };
  const add = (session: string, entries: readonly SpokenEntry[], through: number) => {
    const marks = read(session) ?? new Uint8Array(markBytes);
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
    sql("INSERT OR REPLACE INTO session_words VALUES (?, ?)").run(session, through);
  };
  const throughOf = (session: string) =>
    Number(sql("SELECT through FROM session_words WHERE session = ?").get(session)?.["through"] ?? -1);

  const catchUp = (session: string) => {
    const entries = sql(
      "SELECT seq, data, data ->> 'kind' AS kind FROM entries WHERE session = ? AND seq > ? ORDER BY seq",
    )
      .all(session, throughOf(session))
      .map(({ seq, data, kind }) => ({ seq: Number(seq), text: String(data), kind }));
    const last = entries.at(-1);
    if (last) add(session, entries, last.seq);
  };

  return {
    /** Inside the transaction that stores the entry. */
    note(session: string, entry: SpokenEntry): void {
      const before = sql("SELECT max(seq) AS last FROM entries WHERE session = ? AND seq < ?");
      const last = Number(before.get(session, entry.seq)?.["last"] ?? -1);
      if (throughOf(session) === last) add(session, [entry], entry.seq);
    },
    /** False when nobody can have said this in the session. Entries that were stored without marks get them first. */
    maySay(session: string, words: string): boolean {
      const last = sql("SELECT max(seq) AS last FROM entries WHERE session = ?").get(session)?.["last"];
      try {
        if (throughOf(session) < Number(last ?? -1)) transaction(() => catchUp(session));
      } catch {
        // In a store that cannot be written to, the log itself is read.
        return true;
      }
      const marks = read(session) ?? new Uint8Array(markBytes);
      return marksOf(words).every((mark) => ((marks[mark >>> 3] ?? 0) & (1 << (mark & 7))) !== 0);
    },
  };
}
