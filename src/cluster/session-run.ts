import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Agent } from "../agent/agent.ts";
import type { LogData } from "../agent/log.ts";
import type { AgentOptions } from "../app/agent-options.ts";
import type { Wield, WieldOptions } from "../app/wield.ts";
import { Failure } from "../failure/failure.ts";
import { requireProviderModel } from "../model/model-name.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import type { Claim, Store } from "../store/store.ts";
import type { Asks } from "./asks.ts";
import type { Channel } from "./channel.ts";
import type { CommitIndexes } from "./commit-indexes.ts";
import { LiveEvents } from "./live-events.ts";
import { inTeamWords, withKeyWords } from "./model-words.ts";
import { pacedModel } from "./provider-waits.ts";
import { requestProblem } from "./pull-requests.ts";
import type { Questions } from "./questions.ts";
import type { Repositories } from "./repositories.ts";
import { listSecrets, requireReadable, type SessionKeys } from "./secrets.ts";
import { openSessionWield } from "./session-wield.ts";
import { SessionWorktree } from "./session-worktree.ts";
import { limitOn, limitReached, stepWithoutPrice, withoutPrice } from "./spending.ts";
import { type SentMessage, type TeamMessage, type TeamSession, team } from "./team.ts";
import type { WebhookEvent } from "./webhooks.ts";

/** How a stretch of work ended: nothing left to do; a person is awaited; or this worker must not go on. */
export type RunEnd = "idle" | "parked" | "lost";

export interface RunParts {
  store: Store;
  database: PostgresDatabase;
  channel: Pick<Channel, "tell">;
  repositories: Repositories;
  indexes: CommitIndexes;
  worker: string;
  /** Wield's own folders on this worker, and what models and tools find in the environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** In the transaction that stores the event. */
  notifyWebhooks(
    sql: Sql,
    event: WebhookEvent,
    session: string,
    more?: Record<string, unknown>,
  ): Promise<void>;
  /** Its address; undefined: none is wanted, or `mayGoOn` says no. */
  openPullRequest(session: string, mayGoOn: () => Promise<boolean>): Promise<string | undefined>;
  /** Tries it again later. */
  orderPullRequest(sql: Sql, session: string): Promise<void>;
  keysOf(person: string): Promise<SessionKeys>;
  /** Seconds that a run waits for a person before it frees its place. */
  patience: number;
  /** Instead of the model that settings name: for trials. */
  model?: LanguageModelV4;
  wield?: Pick<WieldOptions, "customTools" | "settings" | "mode">;
  push: boolean;
}

/** A session whose workers died so often without its getting on probably kills them. */
const mostAttempts = 4;
/** The work on one session on this worker, from its claim to its release. */
export class SessionRun {
  readonly session: string;
  readonly #parts: RunParts;
  readonly #claim: Claim;
  readonly #fenced: PostgresDatabase;
  readonly #stop = new AbortController();
  readonly #live: LiveEvents;
  /** Calls under way. */
  readonly #calls = new Map<string, { tool: string }>();
  #asks: Asks | undefined;
  #questions: Questions | undefined;
  /** Why nothing may be written any more. */
  #over: string | undefined;
  #end: RunEnd = "idle";
  #worked = false;
  /** The cost limit that ended the run, in words. */
  #limit: string | undefined;
  /** Why there is no pull request although one is wanted. */
  #noRequest: string | undefined;
  #aroundModel: NonNullable<AgentOptions["aroundModel"]> = (model) => model;
  #draining = false;
  /** Aborts what the person wants stopped, and nothing else. */
  #turn = new AbortController();

  private constructor(claim: Claim, parts: RunParts) {
    this.session = claim.session;
    this.#claim = claim;
    this.#parts = parts;
    this.#fenced = parts.database.fencedBy(claim);
    this.#live = new LiveEvents(claim.session, claim.epoch, parts.channel);
  }

  static async claim(session: string, parts: RunParts): Promise<SessionRun> {
    return new SessionRun(await parts.store.claim(session, parts.worker), parts);
  }

  /** Does all pending work. Never rejects; problems are noted in the session. */
  async work(): Promise<RunEnd> {
    try {
      const row = await team.session(this.#fenced.query, this.session);
      if (!row) return this.#end;
      if (this.#claim.attempts > mostAttempts) {
        await this.#say(
          "waiting",
          "Several workers ended while they worked on this session. Send a message to try again.",
        );
        return this.#end;
      }
      if (await this.#hasWork(row)) {
        this.#limit = await limitReached(this.#fenced.query, row.owner);
        if (this.#limit === undefined) {
          this.#worked = true;
          await this.#say("running", null);
          await this.#inWorktree(row);
        }
      }
      // A worker may have died after the work but before recording it.
      const ended = this.#worked || this.#limit !== undefined || row.state === "running";
      if (this.#over === undefined)
        await this.#say(this.#limit ? "waiting" : "idle", this.#limit ?? this.#noRequest ?? null, ended);
    } catch (error) {
      await this.#failed(error);
    } finally {
      this.#live.close();
      // A worker that does not get this far died with the session; such deaths are counted.
      await this.#claim.release().catch(() => undefined);
      this.#tell("session");
    }
    return this.#end;
  }

  /** A failure that a person can act on is noted in the session; any other is retried, here or elsewhere. */
  async #failed(error: unknown): Promise<void> {
    if (this.#over !== undefined) return;
    const isTold = error instanceof Failure && error.code !== "CONFLICT";
    const told =
      isTold &&
      (await this.#say("waiting", error.message, true).then(
        () => true,
        () => false,
      ));
    if (!told) this.lose("The database could not be reached.");
  }

  /** After two wake-ups the work may already be done; a worker may also have ended before publishing the result. */
  async #hasWork(row: TeamSession): Promise<boolean> {
    if (await team.nextMessage(this.#fenced.query, this.session)) return true;
    const last = await this.#lastKind();
    if (last !== undefined && last !== "end") return true;
    return (await this.#claim.store.keptChanges().list(this.session)).length > row.handed_over;
  }

  /** The last entry of its log; undefined if it has none yet. */
  async #lastKind(): Promise<LogData["kind"] | undefined> {
    return ((await this.#claim.store.entries(this.session)).at(-1)?.data as LogData | undefined)?.kind;
  }

  /** Another worker may have it by now: nothing more is written, and everything that runs is stopped. */
  lose(why: string): void {
    this.#finish("lost", why);
  }

  /** Ends as soon as no call runs; the model's current answer is requested again elsewhere. */
  drain(): void {
    this.#draining = true;
    this.#leaveIfQuiet();
  }

  watch(to: string, fresh: boolean): void {
    this.#live.watch(to, fresh);
  }

  async answered(): Promise<void> {
    await this.#asks?.look().catch(() => undefined);
    await this.#questions?.look().catch(() => undefined);
  }

  async stopIfTold(): Promise<void> {
    const row = await team.session(this.#parts.database.query, this.session).catch(() => undefined);
    if (row?.stop) this.#turn.abort();
  }

  /** Called periodically: finds answers whose notification was lost, and parks the session if nobody answers. */
  async tick(): Promise<void> {
    const [asks, questions] = [this.#asks, this.#questions];
    if (!asks || !questions || this.#over !== undefined) return;
    await this.answered();
    const { waiting } = asks;
    const longest = Math.min(
      ...[...waiting.values()].map(({ since }) => since),
      questions.since ?? Number.POSITIVE_INFINITY,
    );
    // A call that runs beside the question would be cut.
    const isWaiting = (call: string, { tool }: { tool: string }) =>
      waiting.has(call) || tool === "ask_person";
    const isOver = performance.now() - longest > this.#parts.patience * 1000;
    if (isOver && [...this.#calls].every(([call, about]) => isWaiting(call, about))) await this.#park();
  }

  async #park(): Promise<void> {
    // Before it is released: from then on another worker may be running it.
    await this.#say("waiting", null).catch(() => undefined);
    this.#finish("parked", "The session waits for a person.");
  }

  #finish(end: RunEnd, why: string): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    this.#end = end;
    this.#stop.abort(new Failure("ABORTED", why));
  }

  #leaveIfQuiet(): void {
    if (this.#draining && this.#calls.size === 0) this.#finish("lost", "The worker is shutting down.");
  }

  async #inWorktree(row: TeamSession): Promise<void> {
    const { repositories, indexes, env, push } = this.#parts;
    const parts = { claim: this.#claim, fenced: this.#fenced, repositories, indexes, env, push };
    const worktree = await SessionWorktree.checkOut(parts, row);
    try {
      await this.#withWield(row, worktree, (wield) => this.#runChat(wield, row));
      if (this.#over === undefined && !(await worktree.handOver()))
        this.lose("Another worker continues the session.");
      if (this.#over === undefined) await this.#openPullRequest();
    } finally {
      await worktree.remove();
    }
  }

  /** A service that does not answer now is asked again later; the branch is there anyway. */
  async #openPullRequest(): Promise<void> {
    try {
      const url = await this.#parts.openPullRequest(this.session, () => this.#claim.holds());
      if (url !== undefined)
        await this.#fenced.write("UPDATE team_sessions SET pull_request = $2 WHERE session = $1", [
          ...[this.session, url],
        ]);
    } catch (error) {
      this.#noRequest = requestProblem(error);
    }
  }

  async #withWield(
    row: TeamSession,
    worktree: SessionWorktree,
    work: (wield: Wield) => Promise<void>,
  ): Promise<void> {
    const { env, keysOf, notifyWebhooks, database, wield: options } = this.#parts;
    const saved = await keysOf(row.owner);
    const { keys } = saved;
    const listed = await listSecrets(database.query, row.owner);
    const limited = await limitOn(this.#fenced.query, row.owner);
    const { wield, asks, questions } = await openSessionWield({
      ...{ claim: this.#claim, fenced: this.#fenced, row, folder: worktree.folder, env, options },
      ...{ code: worktree.code(), git: worktree.git() },
      keys,
      over: () => this.#over,
      lose: (why) => this.lose(why),
      spent: () => this.#stopAtLimit(row.owner),
      appended: (entries) => {
        this.#live.appended(entries);
        this.#tell("session");
      },
      asksChanged: () => this.#tell("asks"),
      asked: (sql, ask) => notifyWebhooks(sql, "approval.needed", this.session, ask),
    });
    this.#asks = asks;
    this.#questions = questions;
    this.#aroundModel = (model, name) => {
      if (limited !== undefined && wield.cost.priceOf(name) === undefined)
        throw new Failure("LIMIT_EXCEEDED", withoutPrice(name, limited));
      return pacedModel(withKeyWords(model, name, listed), name, { ...env, ...keys }, database);
    };
    wield.on((event) => {
      // A run that ends here continues elsewhere: its end is not announced.
      if (this.#over === undefined) this.#live.add(event);
      if (event.type === "call-start") this.#calls.set(event.callId, { tool: event.tool });
      if (event.type === "call-end") {
        this.#calls.delete(event.callId);
        this.#leaveIfQuiet();
      }
    });
    try {
      // Also what an older version let through: only the operator of the workers names an address.
      if (row.model !== null) requireProviderModel(row.model);
      const chosen = row.model ?? env["WIELD_MODEL"] ?? wield.settings.user().model;
      if (this.#parts.model === undefined) requireReadable(saved, chosen);
      await work(wield);
    } finally {
      await wield.close().catch(() => undefined);
    }
  }

  /** First the interrupted run, then the queued messages, in order. */
  async #runChat(wield: Wield, row: TeamSession): Promise<void> {
    const known = await this.#claim.store.session(this.session);
    if (known) {
      const agent = await this.#open(wield, row, {});
      // With its last words in the log and no end after them, there is nothing left to do but to end.
      if (agent.unfinished || (await this.#lastKind()) !== "end")
        await this.#untilTold((signal) => agent.resume(signal));
    }
    while (this.#over === undefined && !this.#draining && this.#limit === undefined) {
      const message = await team.nextMessage(this.#fenced.query, this.session);
      if (!message) return;
      await this.#hear(wield, row, message);
    }
    this.#leaveIfQuiet();
  }

  async #hear(wield: Wield, row: TeamSession, message: TeamMessage): Promise<void> {
    const entries = await this.#claim.store.entries(this.session);
    const forget = () => this.#fenced.write("DELETE FROM messages WHERE id = $1", [message.id]);
    const heard = entries
      .slice(message.begun ?? entries.length)
      .some(
        ({ data }) =>
          (data as LogData).kind === "user" && (data as { text: string }).text === message.message.text,
      );
    if (heard) {
      await forget();
      return;
    }
    await this.#fenced.write("UPDATE messages SET begun = $2 WHERE id = $1", [message.id, entries.length]);
    const agent = await this.#open(wield, row, message.how);
    const said = wield.on((event) => {
      if (event.type === "message-add" || event.type === "run-start") void forget().catch(() => undefined);
    });
    await this.#untilTold((signal) =>
      message.kind === "resume" ? agent.resume(signal) : agent.send(message.message, signal),
    ).finally(said);
    if (this.#over === undefined) await forget();
  }

  async #open(wield: Wield, row: TeamSession, options: SentMessage["how"]): Promise<Agent> {
    const model = this.#parts.model ?? row.model ?? undefined;
    const known = await this.#claim.store.session(this.session);
    const agent = wield.agent({
      ...options,
      aroundModel: this.#aroundModel,
      ...(known ? { session: this.session } : { newSession: this.session }),
      ...(model !== undefined && { model }),
    });
    return agent.catch((error: unknown) => {
      throw inTeamWords(error);
    });
  }

  /** A step was paid for: the next one only while there is money for it. */
  async #stopAtLimit(owner: string): Promise<void> {
    const { query } = this.#fenced;
    this.#limit = (await limitReached(query, owner)) ?? (await stepWithoutPrice(query, owner, this.session));
    if (this.#limit !== undefined) this.#turn.abort();
  }

  /** Until it is done or somebody stops it; a stop counts for one run. */
  async #untilTold(run: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    this.#turn = new AbortController();
    await this.stopIfTold();
    await run(AbortSignal.any([this.#stop.signal, this.#turn.signal]));
    if ((await this.#lastKind()) !== "end") this.lose("The log of the session could not be written.");
    if (this.#turn.signal.aborted && this.#over === undefined)
      await this.#fenced.write("UPDATE team_sessions SET stop = false WHERE session = $1", [this.session]);
  }

  async #say(state: TeamSession["state"], note: string | null, ended = false): Promise<void> {
    const changed =
      "UPDATE team_sessions SET state = $2, note = $3, stop = stop AND $2 <> 'idle' WHERE session = $1";
    await this.#fenced.transaction(async (sql) => {
      await sql(changed, [this.session, state, note]);
      // A session that was stopped while it waited for an answer needs none any more.
      if (state === "idle")
        for (const asked of ["asks", "questions"])
          await sql(`UPDATE ${asked} SET closed = true WHERE session = $1 AND NOT closed`, [this.session]);
      if (ended) await this.#parts.notifyWebhooks(sql, "session.ended", this.session);
      if (ended && this.#noRequest !== undefined) await this.#parts.orderPullRequest(sql, this.session);
    });
    this.#tell("session");
    if (state === "idle") this.#tell("asks");
  }

  #tell(t: "session" | "asks"): void {
    void this.#parts.channel.tell({ t, session: this.session });
  }
}
