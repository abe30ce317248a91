import { costOf } from "../agent/limits.ts";
import type { LogData } from "../agent/log.ts";
import { Failure } from "../failure/failure.ts";
import type { Price } from "../model/prices.ts";
import { lostClaim } from "../store/claims.ts";
import { fenceSource, type PostgresDatabase, type Sql } from "../store/postgres-database.ts";
import type { LogEntry } from "../store/store.ts";

/** Whose limit is the team's. */
export const teamLimit = "";

export interface Spender {
  owner: string;
  project: string;
  /** The session that a person speaks with. */
  top: string;
}

/**
 * Records the usage of a model step. It is written before the step's entry: the answer must be paid for even if it is
 * lost.
 */
export async function noteSpending(
  { query, fence }: Pick<PostgresDatabase, "query" | "fence">,
  { owner, project, top }: Spender,
  session: string,
  { seq, data }: LogEntry,
  priceOf: (model: string) => Price | undefined,
): Promise<boolean> {
  const entry = data as LogData;
  if (entry.kind !== "step" && entry.kind !== "summary") return false;
  const { usage, model = "" } = entry;
  const price = priceOf(model);
  const { from, values } = fenceSource(fence, 10);
  const noted = await query(
    `INSERT INTO spending (session, seq, owner, project, top, model, tokens_in, tokens_out, usd)
     SELECT $1::text, $2::bigint, $3::text, $4::text, $5::text, $6::text, $7::bigint, $8::bigint, $9::float8 ${from}
     ON CONFLICT (session, seq) DO UPDATE SET tokens_in = excluded.tokens_in, tokens_out = excluded.tokens_out, usd = excluded.usd
     RETURNING seq`,
    [
      ...[session, seq, owner, project, top, model, usage.inputTokens, usage.outputTokens],
      ...[price ? costOf(usage, price) : null, ...values],
    ],
  );
  if (noted.length === 0) throw lostClaim(top);
  return true;
}

/** Why this person's sessions may not go on this month, for everybody who reads them; undefined: they may. */
export async function limitReached(sql: Sql, owner: string): Promise<string | undefined> {
  const over = await reachedLimit(sql, owner);
  return (
    over &&
    `The cost limit of ${over.isOfTeam ? "the team" : "this person"}, ${over.usd} a month, is reached. An admin can raise it; otherwise sessions can go on next month.`
  );
}

/** Refuses what this person wants to begin. */
export async function requireWithinLimit(sql: Sql, owner: string): Promise<void> {
  const over = await reachedLimit(sql, owner);
  if (!over) return;
  throw new Failure(
    "LIMIT_EXCEEDED",
    `${over.isOfTeam ? "The team's" : "Your"} cost limit of ${over.usd} a month is reached. An admin can raise it; otherwise you can continue next month.`,
  );
}

/** Whose limit holds for this person's sessions, in words; undefined: there is none. */
export async function limitOn(sql: Sql, owner: string): Promise<string | undefined> {
  const [limit] = await sql("SELECT owner FROM cost_limits WHERE owner IN ('', $1) ORDER BY owner LIMIT 1", [
    owner,
  ]);
  return limit && (limit["owner"] === teamLimit ? "the team" : "this person");
}

/** A limit that cannot be applied stops the work: nobody would notice that it does not hold. */
export function withoutPrice(model: string, whose: string): string {
  return `No price is known for the model ${model}, so the cost limit of ${whose} cannot be applied and no session runs with this model. Choose a model with a known price, or let an admin fetch prices on the workers (wield prices --refresh), set one in their settings (prices), or remove the limit.`;
}

/** The same after a step, where the limit is newer than the run. */
export async function stepWithoutPrice(sql: Sql, owner: string, top: string): Promise<string | undefined> {
  const [last] = await sql(
    "SELECT model, usd FROM spending WHERE top = $1 ORDER BY at DESC, seq DESC LIMIT 1",
    [top],
  );
  const whose = last?.["usd"] === null ? await limitOn(sql, owner) : undefined;
  return whose && withoutPrice(String(last?.["model"]), whose);
}

async function reachedLimit(
  sql: Sql,
  owner: string,
): Promise<{ isOfTeam: boolean; usd: string } | undefined> {
  const rows = await sql(
    `SELECT l.owner, l.usd, (
       SELECT coalesce(sum(s.usd), 0) FROM spending s
       WHERE s.at >= ${monthStart} AND (l.owner = '' OR s.owner = l.owner)
     ) AS spent FROM cost_limits l WHERE l.owner IN ('', $1)`,
    [owner],
  );
  const over = rows.find(({ usd, spent }) => Number(spent) >= Number(usd));
  return over && { isOfTeam: over["owner"] === teamLimit, usd: `$${Number(over["usd"]).toFixed(2)}` };
}

/** For the whole team with `teamLimit`; null takes the limit away. */
export async function setLimit(sql: Sql, owner: string, usd: number | null): Promise<void> {
  if (usd === null) await sql("DELETE FROM cost_limits WHERE owner = $1", [owner]);
  else
    await sql(
      "INSERT INTO cost_limits (owner, usd) VALUES ($1, $2) ON CONFLICT (owner) DO UPDATE SET usd = excluded.usd",
      [owner, usd],
    );
}

/** By the clock of the database, in UTC: the same on every machine. */
export const monthStart = "date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'";
