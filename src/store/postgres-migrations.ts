import { Failure } from "../failure/failure.ts";
import type { Row, Sql } from "./postgres-database.ts";

/** A step of the schema, forward only. A released step is never edited: the next one changes what it made. */
interface Migration {
  version: number;
  name: string;
  sql: string;
}

const store = `
  CREATE TABLE claims (
    session text PRIMARY KEY, epoch bigint NOT NULL, holder text NOT NULL, entries bigint NOT NULL, attempts integer NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE calls (
    seq bigint GENERATED ALWAYS AS IDENTITY, id text PRIMARY KEY, session text NOT NULL, tool text NOT NULL, at text NOT NULL,
    duration_ms double precision NOT NULL, ok boolean NOT NULL, error_code text, bytes bigint NOT NULL,
    tokens_in bigint NOT NULL, tokens_out bigint NOT NULL, approval text NOT NULL
  );
  CREATE INDEX calls_by_time ON calls (at);
  CREATE INDEX calls_by_tool ON calls (tool, at);
  CREATE TABLE results (
    seq bigint GENERATED ALWAYS AS IDENTITY, id text PRIMARY KEY, session text NOT NULL, tool text NOT NULL, at text NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX results_by_session ON results (session, seq);
  CREATE TABLE call_files (
    call text NOT NULL, place integer NOT NULL, name text NOT NULL, media_type text NOT NULL, size bigint NOT NULL,
    bytes bytea NOT NULL, PRIMARY KEY (call, place)
  );
  CREATE TABLE pending (
    id text PRIMARY KEY, workspace text NOT NULL, at text NOT NULL, body text NOT NULL
  );
  CREATE TABLE sessions (
    seq bigint GENERATED ALWAYS AS IDENTITY, id text PRIMARY KEY, workspace text NOT NULL, agent text NOT NULL, title text NOT NULL,
    at text NOT NULL, updated text NOT NULL
  );
  CREATE INDEX sessions_by_workspace ON sessions (workspace, updated);
  CREATE TABLE session_marks (session text PRIMARY KEY, title text, pinned boolean NOT NULL DEFAULT false);
  CREATE TABLE entries (
    session text NOT NULL, seq bigint NOT NULL, at text NOT NULL, data text NOT NULL, said text, PRIMARY KEY (session, seq)
  );
  CREATE TEXT SEARCH DICTIONARY wield_stem (TEMPLATE = snowball, LANGUAGE = english);
  CREATE TEXT SEARCH CONFIGURATION wield (COPY = simple);
  ALTER TEXT SEARCH CONFIGURATION wield
    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH wield_stem;
  CREATE TABLE documents (
    seq bigint GENERATED ALWAYS AS IDENTITY, id text PRIMARY KEY, workspace text NOT NULL, title text NOT NULL, kind text NOT NULL,
    version integer NOT NULL, updated text NOT NULL, change bigint NOT NULL, words tsvector NOT NULL
  );
  CREATE SEQUENCE document_changes;
  CREATE INDEX documents_by_change ON documents (workspace, change);
  CREATE INDEX documents_by_word ON documents USING gin (words);
  CREATE TABLE document_versions (
    document text NOT NULL REFERENCES documents (id) ON DELETE CASCADE, version integer NOT NULL, content text NOT NULL,
    description text NOT NULL, at text NOT NULL, PRIMARY KEY (document, version)
  );
  CREATE TABLE suggestions (
    seq bigint GENERATED ALWAYS AS IDENTITY, id text PRIMARY KEY,
    document text NOT NULL REFERENCES documents (id) ON DELETE CASCADE, body text NOT NULL, state text NOT NULL
  );
  CREATE INDEX suggestions_by_document ON suggestions (document, seq);
  CREATE TABLE plans (
    seq bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL, workspace text NOT NULL, body text NOT NULL,
    PRIMARY KEY (workspace, id)
  );
  CREATE TABLE held (
    seq bigint GENERATED ALWAYS AS IDENTITY, id text PRIMARY KEY, workspace text NOT NULL, description text NOT NULL,
    data bytea NOT NULL
  );
  CREATE INDEX held_by_workspace ON held (workspace, seq);
  CREATE TABLE session_states (session text PRIMARY KEY, state text NOT NULL);
  CREATE TABLE uses (
    seq bigint GENERATED ALWAYS AS IDENTITY, tool text NOT NULL, query text NOT NULL, PRIMARY KEY (tool, query)
  );
  CREATE TABLE kept_changes (
    seq bigint GENERATED ALWAYS AS IDENTITY, session text NOT NULL, id text NOT NULL, at text NOT NULL, data text NOT NULL,
    PRIMARY KEY (session, id)
  );
  CREATE INDEX kept_changes_in_order ON kept_changes (session, seq);
  CREATE TABLE kept_contents (hash text PRIMARY KEY, zstd bytea NOT NULL);
`;

const team = `
  CREATE TABLE people (
    id text PRIMARY KEY, name text NOT NULL UNIQUE, role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer', 'bot')),
    subject text UNIQUE, at timestamptz NOT NULL DEFAULT now(), removed boolean NOT NULL DEFAULT false
  );
  CREATE TABLE tokens (
    digest text PRIMARY KEY, person text NOT NULL REFERENCES people (id), at timestamptz NOT NULL DEFAULT now(),
    expires timestamptz
  );
  CREATE TABLE projects (
    id text PRIMARY KEY, name text NOT NULL UNIQUE, url text NOT NULL, ref text NOT NULL, at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE team_sessions (
    session text PRIMARY KEY, owner text NOT NULL REFERENCES people (id), project text NOT NULL REFERENCES projects (id),
    shared boolean NOT NULL DEFAULT false, profile text, model text, state text NOT NULL, note text, base text, branch text,
    handed_over integer NOT NULL DEFAULT 0, stop boolean NOT NULL DEFAULT false, at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX team_sessions_by_owner ON team_sessions (owner, at);
  CREATE TABLE messages (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, session text NOT NULL, body text NOT NULL,
    by_person text NOT NULL, begun bigint, at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX messages_by_session ON messages (session, seq);
  CREATE TABLE patches (session text PRIMARY KEY, zstd bytea NOT NULL);
  CREATE TABLE asks (
    id text PRIMARY KEY, session text NOT NULL, digest text NOT NULL, body text NOT NULL, answer text, answered_by text,
    problem text, closed boolean NOT NULL DEFAULT false, at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX asks_by_session ON asks (session) WHERE NOT closed;
  CREATE TABLE secrets (
    owner text NOT NULL, name text NOT NULL, sealed bytea NOT NULL, at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner, name)
  );
  CREATE TABLE workers (
    id text PRIMARY KEY, host text NOT NULL, version text NOT NULL, places integer NOT NULL, running integer NOT NULL,
    seen timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE audit (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(), person text NOT NULL,
    action text NOT NULL, subject text NOT NULL, detail text NOT NULL DEFAULT ''
  );
  CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''The audit log is only added to.''; END';
  CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit EXECUTE FUNCTION audit_stays();
`;

const operation = `
  ALTER TABLE tokens ADD COLUMN scopes text;
  CREATE TABLE spending (
    session text NOT NULL, seq bigint NOT NULL, owner text NOT NULL, project text NOT NULL, top text NOT NULL, model text NOT NULL,
    tokens_in bigint NOT NULL, tokens_out bigint NOT NULL, usd double precision, at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (session, seq)
  );
  CREATE INDEX spending_by_top ON spending (top);
  CREATE INDEX spending_by_time ON spending (at);
  CREATE INDEX spending_by_owner ON spending (owner, at);
  CREATE TABLE cost_limits (owner text PRIMARY KEY, usd double precision NOT NULL CHECK (usd >= 0));
  CREATE TABLE schedules (
    id text PRIMARY KEY, name text NOT NULL UNIQUE, project text NOT NULL REFERENCES projects (id),
    owner text NOT NULL REFERENCES people (id), cron text NOT NULL, zone text NOT NULL, profile text, prompt text NOT NULL,
    last_at timestamptz, last_session text, problem text, at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE webhooks (
    id text PRIMARY KEY, url text NOT NULL, events text NOT NULL, sealed bytea NOT NULL, last_at timestamptz, last_answer text,
    at timestamptz NOT NULL DEFAULT now()
  );
`;

const replies = "ALTER TABLE team_sessions ADD COLUMN reply text";

const management = `
  ALTER TABLE tokens ADD COLUMN id text NOT NULL UNIQUE DEFAULT 't_' || replace(gen_random_uuid()::text, '-', '');
  ALTER TABLE tokens ADD COLUMN label text NOT NULL DEFAULT '';
  ALTER TABLE tokens ADD COLUMN used timestamptz;
  ALTER TABLE projects ADD COLUMN removed boolean NOT NULL DEFAULT false;
  ALTER TABLE projects ADD COLUMN checked timestamptz;
  ALTER TABLE projects ADD COLUMN problem text;
  ALTER TABLE secrets ADD COLUMN set_by text;
`;

const requests = `
  ALTER TABLE projects ADD COLUMN result text NOT NULL DEFAULT 'branch' CHECK (result IN ('branch', 'pull-request'));
  ALTER TABLE team_sessions ADD COLUMN result text CHECK (result IN ('branch', 'pull-request'));
  ALTER TABLE team_sessions ADD COLUMN pull_request text;
  CREATE TABLE provider_waits (account text PRIMARY KEY, until timestamptz NOT NULL);
`;

const questions = `
  CREATE TABLE questions (
    id text PRIMARY KEY, session text NOT NULL, body text NOT NULL, answer text, answered_by text,
    closed boolean NOT NULL DEFAULT false, at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX questions_by_session ON questions (session) WHERE NOT closed;
`;

const reading = "CREATE INDEX audit_by_subject ON audit (subject, action)";

const secretKey = `
  CREATE TABLE secret_key (one boolean PRIMARY KEY DEFAULT true CHECK (one), salt bytea NOT NULL, digest bytea NOT NULL);
`;

const madeTokens = `
  ALTER TABLE tokens ADD COLUMN parent text REFERENCES tokens (id) ON DELETE CASCADE;
  CREATE INDEX tokens_by_parent ON tokens (parent);
`;

const pushed = `
  ALTER TABLE team_sessions ADD COLUMN pushed text[];
  ALTER TABLE team_sessions ADD COLUMN pushed_changes integer;
`;

export const migrations: readonly Migration[] = [
  { version: 1, name: "the store", sql: store },
  { version: 2, name: "people, projects and their sessions", sql: team },
  { version: 3, name: "cost, limits, schedules, webhooks and scopes of tokens", sql: operation },
  { version: 4, name: "where answers of sessions are written", sql: replies },
  { version: 5, name: "tokens by id, checked and removed projects, who set a key", sql: management },
  { version: 6, name: "pull requests, and how long a provider asked to wait", sql: requests },
  { version: 7, name: "questions of agents", sql: questions },
  { version: 8, name: "the audit log by subject", sql: reading },
  { version: 9, name: "a check value of the secret key", sql: secretKey },
  { version: 10, name: "tokens that end with the one that made them", sql: madeTokens },
  { version: 11, name: "the commits that sessions pushed", sql: pushed },
  { version: 12, name: "which files a result may show", sql: "ALTER TABLE results ADD COLUMN reach text" },
];

export const newestVersion = migrations.length;
/** Any number; the same in every process that migrates. */
const migrationLock = 718_281_828;

/** Inside one transaction: what is missing is added, by one process at a time. The versions that were added. */
export async function migrateStore(sql: Sql): Promise<number[]> {
  await sql("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
  await sql(
    "CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())",
  );
  const known = await versionsIn(sql);
  const missing = migrations.filter(({ version }) => !known.includes(version));
  for (const { version, name, sql: text } of missing) {
    await sql(text);
    await sql("INSERT INTO migrations (version, name) VALUES ($1, $2)", [version, name]);
  }
  return missing.map(({ version }) => version);
}

/** 0: nothing there yet. */
export async function schemaVersion(query: Sql): Promise<number> {
  const [there] = await query("SELECT to_regclass('migrations') IS NOT NULL AS there");
  if (there?.["there"] !== true) return 0;
  return Math.max(0, ...(await versionsIn(query)));
}

/** Rejects a database that `wield migrate` of this version has not prepared. */
export async function requireSchema(query: Sql): Promise<void> {
  const version = await schemaVersion(query);
  if (version >= newestVersion) return;
  throw new Failure(
    "UNAVAILABLE",
    version === 0
      ? "This database is empty. Prepare it with: wield migrate --database postgres://…"
      : `This database has version ${version} of the schema and this Wield needs ${newestVersion}. Run: wield migrate --database postgres://…`,
  );
}

async function versionsIn(query: Sql): Promise<number[]> {
  const rows: Row[] = await query("SELECT version FROM migrations ORDER BY version");
  return rows.map(({ version }) => Number(version));
}
