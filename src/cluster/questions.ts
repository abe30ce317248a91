import type { QuestionAnswer, QuestionView } from "../api/approvals.ts";
import { type Elicit, type Elicitation, type ElicitationAnswer, theAgent } from "../mcp/elicitation.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import { digestOf } from "../text/digest.ts";

interface QuestionsParts {
  session: string;
  title(): Promise<string>;
  /** Behind the fence of the session. */
  database: PostgresDatabase;
  /** Whether the questions stay open for another worker. */
  over(): boolean;
  /** A new question, in the transaction that writes it. */
  asked(sql: Sql, ask: { ask: string; tool: string; reason: string }): Promise<void>;
  /** A question was asked or closed. */
  changed(): void;
}

interface OpenQuestion {
  since: number;
  resolve(answer: ElicitationAnswer): void;
}

/** Of a server, whose connection waits for the answer. */
const serverPatienceMs = 10 * 60 * 1000;

/**
 * The questions of one session, shown to people through the database. A question is known by its words: asked again after its
 * session was parked or taken over, it finds the answer that was given in the meantime.
 */
export class Questions {
  readonly #parts: QuestionsParts;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(parts: QuestionsParts) {
    this.#parts = parts;
  }

  /** Since when (`performance.now()`) the oldest one waits for a person. */
  get since(): number | undefined {
    return this.#open.size === 0
      ? undefined
      : Math.min(...[...this.#open.values()].map(({ since }) => since));
  }

  readonly elicit: Elicit = async (question, signal) => {
    const isOfAgent = question.server === theAgent;
    const ended = isOfAgent ? signal : AbortSignal.any([signal, AbortSignal.timeout(serverPatienceMs)]);
    if (ended.aborted) return { action: "cancel" };
    const id = `q_${digestOf([this.#parts.session, question]).slice(0, 32)}`;
    const { promise, resolve } = Promise.withResolvers<ElicitationAnswer>();
    const withdraw = () => resolve({ action: "cancel" });
    ended.addEventListener("abort", withdraw, { once: true });
    this.#open.set(id, { since: performance.now(), resolve });
    try {
      await this.#save(id, question);
      await this.look();
      return await promise;
    } finally {
      ended.removeEventListener("abort", withdraw);
      this.#open.delete(id);
      if (!this.#parts.over()) await this.#close(id);
      this.#parts.changed();
    }
  };

  /** Takes up answers that were given. */
  async look(): Promise<void> {
    if (this.#open.size === 0) return;
    const rows = await this.#parts.database.query(
      "SELECT id, answer FROM questions WHERE session = $1 AND answer IS NOT NULL AND NOT closed",
      [this.#parts.session],
    );
    for (const { id, answer } of rows)
      this.#open.get(String(id))?.resolve(JSON.parse(String(answer)) as QuestionAnswer);
  }

  /** One that is still open keeps the answer that it has; asked once more later, it needs a new one. */
  async #save(id: string, question: Elicitation): Promise<void> {
    const { session, title, database, asked, changed } = this.#parts;
    const chat = { id: session, title: await title() };
    const body = JSON.stringify({ ...question, chat } satisfies Omit<QuestionView, "id">);
    await database.transaction(async (sql) => {
      const [known] = await sql("SELECT closed FROM questions WHERE id = $1", [id]);
      if (known?.["closed"] === false) return;
      await sql(
        `INSERT INTO questions (id, session, body) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET answer = NULL, answered_by = NULL, closed = false, at = now()`,
        [id, session, body],
      );
      await asked(sql, { ask: id, tool: "ask_person", reason: question.message });
    });
    changed();
  }

  async #close(id: string): Promise<void> {
    await this.#parts.database.write("UPDATE questions SET closed = true WHERE id = $1", [id]);
  }
}
