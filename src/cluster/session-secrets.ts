import { keptSecrets } from "../app/flow.ts";
import { findSecret, type Secret } from "../approval/secrets.ts";
import type { PostgresDatabase } from "../store/postgres-database.ts";
import type { Store } from "../store/store.ts";
import type { Project, Repositories } from "./repositories.ts";

export interface SecretsParts {
  database: Pick<PostgresDatabase, "query">;
  store: Store;
  repositories: Pick<Repositories, "secretsOf">;
}

/**
 * Whether a text of a session holds a secret: by its shape, from what the session has read or from the repository's files that hold
 * secrets. Rejects where that cannot be found out: the text must wait then.
 */
export async function holdsSecret(
  { database, store, repositories }: SecretsParts,
  session: string,
): Promise<(text: string) => boolean> {
  const [row] = await database.query(
    `SELECT t.base, p.id, p.name, p.url, p.ref FROM team_sessions t JOIN projects p ON p.id = t.project
     WHERE t.session = $1`,
    [session],
  );
  const known: Secret[] = [...keptSecrets(await store.sessionStates().get(session))];
  if (row?.["base"])
    known.push(...(await repositories.secretsOf(row as unknown as Project, String(row["base"]))));
  return (text) => findSecret(text.replaceAll("\u200b", ""), known) !== undefined;
}
