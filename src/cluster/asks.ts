import type { AskAnswer, AskView } from "../api/approvals.ts";
import type { Asker } from "../approval/approval.ts";
import { Failure } from "../failure/failure.ts";
import { ApprovalQueue } from "../server/approval-queue.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import { digestOf } from "../text/digest.ts";
import type { Tool } from "../tool/tool.ts";

export interface AsksParts {
  session: string;
  title(): Promise<string>;
  /** Behind the fence of the session. */
  database: PostgresDatabase;
  toolOf(name: string): Tool | undefined;
  /** Whether the questions stay open for another worker. */
  over(): boolean;
  /** A new question, in the transaction that writes it. */
  asked(sql: Sql, ask: { ask: string; tool: string; reason: string }): Promise<void>;
  /** A question was asked or closed. */
  changed(): void;
}

/**
 * The approval requests of one session, shown to people through the database. A question has the id of its call; asked again after its
 * session was parked or taken over, it finds the answer that was given in the meantime, if it is still the same question.
 */
export class Asks {
  readonly #parts: AsksParts;
  readonly #queue: ApprovalQueue;
  /** The ids of this process, by call. */
  readonly #open = new Map<string, { id: string; since: number }>();
  #looking: Promise<void> = Promise.resolve();
  /** Questions were asked or closed since they were last written. */
  #isUnsaved = false;

  constructor(parts: AsksParts) {
    this.#parts = parts;
    this.#queue = new ApprovalQueue({
      toolOf: parts.toolOf,
      chatOf: async () => ({ id: parts.session, title: await parts.title() }),
      changed: () => {
        this.#isUnsaved = true;
        void this.look().catch(() => undefined);
      },
    });
  }

  readonly asker: Asker = (asks, signal) => this.#queue.asker(asks, signal);

  /** The calls that wait for a person, with the time since when (`performance.now()`). */
  get waiting(): ReadonlyMap<string, { since: number }> {
    return this.#open;
  }

  /** Writes questions that are new, and takes up answers that were given. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(
      () => this.#look(),
      () => this.#look(),
    );
    return this.#looking;
  }

  async #put(): Promise<void> {
    const views = await this.#queue.list();
    const now = new Set(views.map(({ callId }) => callId));
    for (const call of [...this.#open.keys()]) {
      if (now.has(call)) continue;
      this.#open.delete(call);
      if (!this.#parts.over())
        await this.#parts.database.write("UPDATE asks SET closed = true WHERE id = $1", [call]);
    }
    for (const view of views) {
      if (this.#open.get(view.callId)?.id === view.id) continue;
      await this.#save(view);
      this.#open.set(view.callId, { id: view.id, since: performance.now() });
    }
    this.#parts.changed();
  }

  /** The same question keeps the answer that it has. */
  async #save({ id: _, remember: __, stepId: ___, ...view }: AskView): Promise<void> {
    const { again: ____, ...asked } = view;
    const values = [view.callId, this.#parts.session, digestOf(asked), JSON.stringify(view)];
    await this.#parts.database.transaction(async (sql) => {
      const [known] = await sql("SELECT digest FROM asks WHERE id = $1", [view.callId]);
      await sql(insertAsk, values);
      if (known?.["digest"] === values[2]) return;
      await this.#parts.asked(sql, { ask: view.callId, tool: view.tool, reason: view.reason });
    });
  }

  async #look(): Promise<void> {
    if (this.#isUnsaved) {
      this.#isUnsaved = false;
      await this.#put().catch((error: unknown) => {
        this.#isUnsaved = true;
        throw error;
      });
    }
    if (this.#open.size === 0) return;
    const rows = await this.#parts.database.query(
      "SELECT id, answer FROM asks WHERE session = $1 AND answer IS NOT NULL AND NOT closed",
      [this.#parts.session],
    );
    for (const { id, answer } of rows) {
      const open = this.#open.get(String(id));
      if (!open) continue;
      try {
        this.#queue.answer(open.id, JSON.parse(String(answer)) as AskAnswer);
      } catch (error) {
        // An answer that does not fit is no answer: the question stays, with the reason.
        const why = error instanceof Failure ? error.message : "This answer could not be used.";
        await this.#parts.database.write("UPDATE asks SET answer = NULL, problem = $2 WHERE id = $1", [
          id,
          why,
        ]);
        this.#parts.changed();
        continue;
      }
      await this.#parts.database.write("UPDATE asks SET closed = true WHERE id = $1", [id]);
    }
  }
}

const insertAsk = `INSERT INTO asks (id, session, digest, body) VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET body = excluded.body, digest = excluded.digest, closed = false,
    answer = CASE WHEN asks.digest = excluded.digest THEN asks.answer END`;
