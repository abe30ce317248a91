import { createWield, type Wield, type WieldOptions } from "../app/wield.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import type { Claim } from "../store/store.ts";
import { builtinNames } from "../toolsets/toolsets.ts";
import { Asks } from "./asks.ts";
import type { SessionCode } from "./commit-indexes.ts";
import { keepingWork, replayWork } from "./kept-work.ts";
import { Questions } from "./questions.ts";
import { retryUntilAvailable } from "./retrying-store.ts";
import { sessionStore } from "./session-store.ts";
import { noteSpending } from "./spending.ts";
import type { TeamSession } from "./team.ts";

/** They write to the repository itself, which another worker would not have: the worker pushes the result instead. */
const withoutTools = new Set([
  "git_commit",
  "git_push",
  "git_branch",
  "git_stash",
  "git_worktree",
  "pull_request",
]);

/** What sessions of a team are offered. */
export const sessionTools = builtinNames.filter((name) => !withoutTools.has(name));

interface SessionWieldParts {
  claim: Claim;
  /** Writes only while the claim holds. */
  fenced: PostgresDatabase;
  row: TeamSession;
  folder: string;
  /** Where git finds the folder's repository. */
  git: NonNullable<WieldOptions["gitWorktree"]>;
  /** The index of the code that the session began with. */
  code: SessionCode;
  env: Readonly<Record<string, string | undefined>>;
  /** The keys of the session's owner, as variables. */
  keys: Readonly<Record<string, string>>;
  options: Pick<WieldOptions, "customTools" | "settings" | "mode"> | undefined;
  /** Why nothing may be written any more; undefined: it may. */
  over(): string | undefined;
  /** The session must continue elsewhere. */
  lose(why: string): void;
  /** A step was paid for. */
  spent(): Promise<void>;
  /** The log has grown. */
  appended(entries: number): void;
  /** Approval requests were asked or closed. */
  asksChanged(): void;
  /** A new approval request, in the transaction that writes it. */
  asked(sql: Sql, ask: Record<string, unknown>): Promise<void>;
}

/** Wield for one session of a team: on the worker's files, with the team's database as its store. */
export async function openSessionWield(
  parts: SessionWieldParts,
): Promise<{ wield: Wield; asks: Asks; questions: Questions }> {
  const { claim, fenced, row, folder, over, lose } = parts;
  const { session } = claim;
  const patience = { over, lost: lose };
  const store = sessionStore({
    ...{ claim, root: folder, project: row.project, owner: row.owner, appended: parts.appended },
    ...patience,
    used: (by, entry) =>
      retryUntilAvailable(patience, async () => {
        const spender = { owner: row.owner, project: row.project, top: session };
        if (await noteSpending(fenced, spender, by, entry, wield.cost.priceOf)) await parts.spent();
      }),
  });
  const kept = store.keptChanges();
  const asks = new Asks({
    session,
    title: async () => (await store.session(session))?.title ?? "",
    database: fenced,
    toolOf: (name) => wield.tools.registry.get(name),
    over: () => over() !== undefined,
    changed: parts.asksChanged,
    asked: parts.asked,
  });
  const questions = new Questions({
    ...{ session, database: fenced, over: () => over() !== undefined },
    title: async () => (await store.session(session))?.title ?? "",
    ...{ changed: parts.asksChanged, asked: parts.asked },
  });
  const wield: Wield = await createWield({
    ...parts.options,
    workspace: folder,
    gitWorktree: parts.git,
    sharedCode: parts.code,
    sharedMachine: true,
    store,
    asker: asks.asker,
    elicit: questions.elicit,
    env: { ...withoutOwn(parts.env), ...parts.keys },
    tools: sessionTools,
    // After a crash of this machine, another folder is made of what is kept.
    durable: false,
    around: async (opened) => {
      await parts.code.lookAt(opened);
      await replayWork(opened, await kept.list(session), kept);
      return keepingWork(opened, session, kept, () =>
        lose("A change could not be stored, so another worker continues from the last stored one."),
      );
    },
  });
  return { wield, asks, questions };
}

/** The worker's own secrets are removed: they would reach hooks and programs of a session. */
function withoutOwn(env: SessionWieldParts["env"]): SessionWieldParts["env"] {
  const own = new Set([
    ...["WIELD_SECRET_KEY", "WIELD_DATABASE", "WIELD_GITHUB_SECRET", "WIELD_GITLAB_TOKEN"],
    ...["WIELD_GITHUB_REPLY_TOKEN", "WIELD_GITLAB_REPLY_TOKEN", "WIELD_OIDC_CLIENT_SECRET"],
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.has(name)));
}
