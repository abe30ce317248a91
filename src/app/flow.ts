import {
  type FlowControl,
  joinSeen,
  nothingSeen,
  type Seen,
  type WorkspaceFacts,
} from "../approval/provenance.ts";
import { namesOfFolder } from "../approval/secret-values.ts";
import { isSecretPath, type Secret } from "../approval/secrets.ts";
import type { SessionState, SessionStates } from "../store/session-states.ts";
import { globMatcher } from "../text/glob.ts";
import type { Lineage } from "./lineage.ts";

interface Kept {
  seen: Seen;
  secrets: readonly Secret[];
}

const mostSecrets = 200;

/** What each session has seen, kept with the session: a later process and agents that are delegated to know it, too. */
export class Flow implements FlowControl {
  readonly workspace: WorkspaceFacts;
  readonly #states: () => SessionStates;
  readonly #lineage: Lineage;
  readonly #ofWorkspace: () => Promise<readonly Secret[]>;
  readonly #kept = new Map<string, Kept>();
  /** Sessions that end with this process: what single calls have seen need not be stored. */
  readonly #isPassing: (session: string) => boolean;

  constructor(parts: {
    states: () => SessionStates;
    lineage: Lineage;
    facts: { trusted: () => boolean; public: readonly string[]; root: string };
    /** Values that files of the workspace and the environment hold. */
    secrets: () => Promise<readonly Secret[]>;
    isPassing: (session: string) => boolean;
  }) {
    const isPublic = parts.facts.public.map((pattern) => globMatcher(pattern));
    this.workspace = {
      get trusted() {
        return parts.facts.trusted();
      },
      names: namesOfFolder(parts.facts.root),
      isPublic: (path) => !isSecretPath(path) && isPublic.some((matches) => matches(path)),
    };
    this.#states = parts.states;
    this.#lineage = parts.lineage;
    this.#ofWorkspace = parts.secrets;
    this.#isPassing = parts.isPassing;
  }

  async seen(session: string): Promise<Seen> {
    return (await this.#load(session)).seen;
  }

  /** The same at once, for a session that was opened here. */
  known(session: string): Seen {
    return this.#kept.get(this.#lineage.top(session))?.seen ?? nothingSeen;
  }

  /** With what another process has added: for a session that is opened, perhaps again. */
  async reload(session: string): Promise<void> {
    const top = this.#lineage.top(session);
    if (this.#isPassing(top)) return;
    const stored = flowOf(await this.#states().get(top));
    if (stored) this.#kept.set(top, merged(stored, await this.#load(session)));
  }

  async add(session: string, seen: Seen, secrets: readonly Secret[]): Promise<void> {
    const top = this.#lineage.top(session);
    const before = await this.#load(session);
    const joined = joinSeen(before.seen, seen);
    const news = secrets.filter(({ value }) => !before.secrets.some((known) => known.value === value));
    if (!joined && news.length === 0) return;
    const kept = {
      seen: joined ?? before.seen,
      secrets: withinLimit([...before.secrets, ...news]),
    };
    this.#kept.set(top, kept);
    if (this.#isPassing(top)) return;
    // What cannot be stored now holds in this process, and is stored with the next.
    await this.#states()
      .change(top, (state) => ({ ...state, flow: merged(flowOf(state), kept) }))
      .catch(() => undefined);
  }

  async secrets(session: string): Promise<readonly Secret[]> {
    return [...(await this.#ofWorkspace()), ...(await this.#load(session)).secrets];
  }

  async #load(session: string): Promise<Kept> {
    const top = this.#lineage.top(session);
    const known = this.#kept.get(top);
    if (known) return known;
    const kept = this.#isPassing(top) ? undefined : flowOf(await this.#states().get(top));
    const found = kept ?? { seen: nothingSeen, secrets: [] };
    this.#kept.set(top, found);
    return found;
  }
}

/** The newest of each source in turn, so that no source can displace those of another. Secrets of secret files all stay. */
function withinLimit(secrets: readonly Secret[]): readonly Secret[] {
  const behind = new Map<string, number>();
  const ranked = secrets
    .toReversed()
    .filter(({ lasting }) => !lasting)
    .map((secret) => {
      const rank = behind.get(secret.source ?? "") ?? 0;
      behind.set(secret.source ?? "", rank + 1);
      return { secret, rank };
    });
  if (ranked.length <= mostSecrets) return secrets;
  const first = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, mostSecrets);
  const stays = new Set(first.map(({ secret }) => secret));
  return secrets.filter((secret) => secret.lasting || stays.has(secret));
}

/** What a session has read that must not leave, from its stored state. */
export function keptSecrets(state: SessionState | undefined): readonly Secret[] {
  return flowOf(state)?.secrets ?? [];
}

function flowOf(state: SessionState | undefined): Kept | undefined {
  return state?.["flow"] as Kept | undefined;
}

function merged(known: Kept | undefined, kept: Kept): Kept {
  if (!known) return kept;
  const values = new Set(known.secrets.map(({ value }) => value));
  const secrets = [...known.secrets, ...kept.secrets.filter(({ value }) => !values.has(value))];
  return { seen: joinSeen(known.seen, kept.seen) ?? known.seen, secrets: withinLimit(secrets) };
}
