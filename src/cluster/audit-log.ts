import type { AuditView } from "../api/team.ts";
import type { Sql } from "../store/postgres-database.ts";

export interface AuditFilter {
  /** A name, or what stands for a person, such as "command line". */
  person?: string | undefined;
  /** One action, or all whose name begins with it: "session" means session.start, session.stop and so on. */
  action?: string | undefined;
}

/** What actions are about; each begins with one of these. */
export const auditGroups = [
  ...["session", "ask", "question", "person", "token", "key", "project", "limit"],
  ...["schedule", "webhook", "hook", "sign-in"],
] as const;

/** Who did what, newest first; `before`: older than this line. */
export async function auditLines(
  sql: Sql,
  { person, action }: AuditFilter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<AuditView[]> {
  const rows = await sql(
    `SELECT a.seq, a.at, a.person, coalesce(p.name, a.person) AS name, a.action, a.subject,
       CASE WHEN a.action = 'schedule.run' THEN regexp_replace(a.detail, ': [^:]*$', '')
         ELSE coalesce(s.name, c.name, a.subject) END AS about, a.detail
     FROM audit a LEFT JOIN people p ON p.id = a.person LEFT JOIN people s ON s.id = a.subject
       LEFT JOIN schedules c ON c.id = a.subject
     WHERE ($1::text IS NULL OR p.name = $1 OR a.person = $1)
       AND ($2::text IS NULL OR a.action = $2 OR starts_with(a.action, $2 || '.'))
       AND ($3::bigint IS NULL OR a.seq < $3)
     ORDER BY a.seq DESC LIMIT $4`,
    [person ?? null, action ?? null, before ?? null, limit],
  );
  return rows.map((row) => ({ ...(row as unknown as AuditView), at: (row["at"] as Date).toISOString() }));
}

const atOnce = 2000;
const columns = ["seq", "at", "person", "name", "action", "subject", "about", "detail"] as const;
export type AuditFormat = "csv" | "jsonl";

/** All of it, read piece by piece while it is saved. */
export function exportAudit(
  sql: Sql,
  filter: AuditFilter,
  format: AuditFormat,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder();
  let before: string | undefined;
  return new ReadableStream({
    start: (controller) => {
      if (format === "csv") controller.enqueue(text.encode(`${columns.join(",")}\r\n`));
    },
    pull: async (controller) => {
      const lines = await auditLines(sql, filter, { before, limit: atOnce });
      before = lines.at(-1)?.seq;
      const written = lines.map(format === "csv" ? csvLine : (line) => `${JSON.stringify(line)}\n`);
      if (written.length > 0) controller.enqueue(text.encode(written.join("")));
      if (lines.length < atOnce) controller.close();
    },
  });
}

function csvLine(line: AuditView): string {
  return `${columns.map((name) => csvCell(line[name])).join(",")}\r\n`;
}

/** A spreadsheet would run a cell that begins like a formula. */
function csvCell(value: string): string {
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
