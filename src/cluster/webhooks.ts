import { createHmac, randomBytes } from "node:crypto";
import { Failure } from "../failure/failure.ts";
import type { Errand, Jobs } from "../jobs/jobs.ts";
import { decodeText, type PostgresDatabase, type Sql } from "../store/postgres-database.ts";
import { newId } from "../text/ids.ts";
import { audit, type Person } from "./people.ts";
import { runEnd, runEndOf } from "./run-end.ts";
import { webhookPlace } from "./sealed-rows.ts";
import { seal, unseal } from "./sealing.ts";
import { requireSecretKey } from "./secret-key.ts";
import { holdsSecret, type SecretsParts } from "./session-secrets.ts";

export const webhookEvents = ["session.ended", "approval.needed"] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

const answerMs = 10_000;
/** What people and models wrote; everything else of a delivery is Wield's own. */
const words = ["title", "note", "reason", "error"] as const;
const withheld = "Not shown here because it contains a secret.";

/** Adds a webhook. The secret that deliveries are signed with is returned once. */
export async function addWebhook(
  database: PostgresDatabase,
  person: Person,
  { url, events }: { url: string; events: readonly WebhookEvent[] },
  secretKey: string | undefined,
): Promise<{ id: string; secret: string }> {
  const id = newId("h");
  const secret = randomBytes(32).toString("base64url");
  await database.transaction(async (sql) => {
    await requireSecretKey(sql, secretKey);
    const sealed = seal(secret, webhookPlace(id), secretKey);
    await sql("INSERT INTO webhooks (id, url, events, sealed) VALUES ($1, $2, $3, $4)", [
      id,
      url,
      events.join(","),
      sealed,
    ]);
    await audit(sql, person.id, "webhook.add", id, `${new URL(url).origin} ${events.join(", ")}`);
  });
  return { id, secret };
}

export async function removeWebhook(database: PostgresDatabase, person: Person, id: string): Promise<void> {
  await database.transaction(async (sql) => {
    const removed = await sql("DELETE FROM webhooks WHERE id = $1 RETURNING id", [id]);
    if (removed.length === 0) throw new Failure("FILE_NOT_FOUND", "There is no such webhook.");
    await audit(sql, person.id, "webhook.remove", id);
  });
}

/** Runs in the transaction of the event: both happen or neither. */
export async function notifyWebhooks(
  sql: Sql,
  jobs: Pick<Jobs, "errand">,
  event: WebhookEvent,
  session: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const wanted = (await sql("SELECT id, events FROM webhooks")).filter(({ events }) =>
    String(events).split(",").includes(event),
  );
  if (wanted.length === 0) return;
  const [row] = await sql(
    `SELECT t.state, t.note, ${runEnd} AS run_end, t.branch, t.pull_request AS "pullRequest", p.name AS owner, j.name AS project, s.title FROM team_sessions t
       JOIN people p ON p.id = t.owner JOIN projects j ON j.id = t.project LEFT JOIN sessions s ON s.id = t.session
     WHERE t.session = $1`,
    [session],
  );
  if (!row) return;
  const { title, run_end: end, ...about } = row;
  const at = new Date().toISOString();
  const body = JSON.stringify({
    event,
    session,
    at,
    title: title === null ? "" : decodeText(title),
    ...about,
    ...runEndOf(end),
    ...more,
  });
  for (const { id } of wanted) await jobs.errand(sql, { kind: "delivery", webhook: String(id), event, body });
}

/** Rejects when the service did not take it: it is tried again later. */
export async function deliver(
  parts: SecretsParts & { secretKey: string | undefined },
  { webhook, event, body: written }: Extract<Errand, { kind: "delivery" }>,
  id: string,
): Promise<void> {
  const { database, secretKey } = parts;
  const [row] = await database.query("SELECT url, sealed FROM webhooks WHERE id = $1", [webhook]);
  if (!row) return;
  const secret = unseal(row["sealed"] as Buffer, webhookPlace(webhook), secretKey);
  const body = await withoutSecrets(parts, written);
  const answer = await fetch(String(row["url"]), {
    method: "POST",
    // Only the address that an admin set is called, and none that it redirects to.
    redirect: "error",
    signal: AbortSignal.timeout(answerMs),
    headers: {
      "content-type": "application/json",
      "x-wield-event": event,
      "x-wield-delivery": id,
      "x-wield-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body,
  }).then(
    async (response) => {
      await response.body?.cancel();
      return { ok: response.ok, words: `status ${response.status}` };
    },
    (error: unknown) => ({ ok: false, words: error instanceof Error ? error.message : "no answer" }),
  );
  await database.query("UPDATE webhooks SET last_at = now(), last_answer = $2 WHERE id = $1", [
    webhook,
    answer.words,
  ]);
  if (!answer.ok) throw new Error(`The webhook was not taken: ${answer.words}`);
}

/** A delivery in which no secret of the session leaves the team. */
async function withoutSecrets(parts: SecretsParts, written: string): Promise<string> {
  const body = JSON.parse(written) as Record<string, unknown>;
  const isSecret = await holdsSecret(parts, String(body["session"]));
  for (const name of words) {
    const text = body[name];
    if (typeof text === "string" && isSecret(text)) body[name] = withheld;
  }
  return JSON.stringify(body);
}
