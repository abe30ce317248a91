import { setTimeout as sleep } from "node:timers/promises";
import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { askedToWait } from "../model/model-error.ts";
import { keyOf, providers } from "../model/providers.ts";
import type { PostgresDatabase } from "../store/postgres-database.ts";
import { sha256 } from "../text/digest.ts";

/** Where a provider did not say how long. */
const usualMs = 5_000;
const longestMs = 10 * 60_000;
/** How often somebody who waits looks again: the wait may have been shortened. */
const lookMs = 2_000;
/** So that not all begin again at the same moment. */
const spreadMs = 1_000;

/**
 * A model that respects what its provider told any worker of the team: after "too many requests", nobody asks under the same key before
 * the time is over.
 */
export function pacedModel(
  model: LanguageModelV4,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  database: Pick<PostgresDatabase, "query">,
): LanguageModelV4 {
  const account = accountOf(name, env);
  const paced = async <T>(
    { abortSignal }: LanguageModelV4CallOptions,
    ask: () => PromiseLike<T>,
  ): Promise<T> => {
    await untilAllowed(database, account, abortSignal);
    try {
      return await ask();
    } catch (error) {
      if (APICallError.isInstance(error) && error.statusCode === 429)
        await noteWait(database, account, askedToWait(error) ?? usualMs);
      throw error;
    }
  };
  return {
    ...{ specificationVersion: model.specificationVersion, provider: model.provider, modelId: model.modelId },
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => paced(options, () => model.doGenerate(options)),
    doStream: (options) => paced(options, () => model.doStream(options)),
  };
}

/** Limits are of a key: a person's own is not held up by the team's. */
function accountOf(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const provider = name.split("/")[0] ?? name;
  const known = providers.find(({ id }) => id === provider);
  const key = known && keyOf(known, env);
  return key === undefined ? provider : `${provider} ${sha256(key).slice(0, 16)}`;
}

async function untilAllowed(
  database: Pick<PostgresDatabase, "query">,
  account: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  let hasWaited = false;
  for (let left = await msLeft(database, account); left > 0; left = await msLeft(database, account)) {
    await sleep(Math.min(left, lookMs), undefined, signal ? { signal } : {});
    hasWaited = true;
  }
  if (hasWaited) await sleep(Math.random() * spreadMs, undefined, signal ? { signal } : {});
}

/** By the clock of the database. Without the database nobody waits: the session itself stops then. */
async function msLeft(database: Pick<PostgresDatabase, "query">, account: string): Promise<number> {
  const left =
    "SELECT extract(epoch FROM until - now()) * 1000 AS ms FROM provider_waits WHERE account = $1 AND until > now()";
  const [row] = await database.query(left, [account]).catch(() => []);
  return Number(row?.["ms"] ?? 0);
}

async function noteWait(
  database: Pick<PostgresDatabase, "query">,
  account: string,
  ms: number,
): Promise<void> {
  await database
    .query(
      `INSERT INTO provider_waits (account, until) VALUES ($1, now() + $2 * interval '1 ms')
       ON CONFLICT (account) DO UPDATE SET until = greatest(provider_waits.until, excluded.until)`,
      [account, Math.min(ms, longestMs)],
    )
    .catch(() => undefined);
}
