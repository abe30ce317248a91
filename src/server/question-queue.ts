import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { QuestionAnswer, QuestionView } from "../api/approvals.ts";
import { Failure } from "../failure/failure.ts";
import type { Elicit, Elicitation, ElicitationAnswer } from "../mcp/elicitation.ts";

export const questionAnswerSchema: z.ZodType<QuestionAnswer> = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("accept"),
    content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  }),
  z.strictObject({ action: z.enum(["decline", "cancel"]) }),
]);

interface OpenQuestion {
  question: Elicitation;
  resolve(answer: ElicitationAnswer): void;
}

/** Questions of MCP servers during a call, for the page. */
export class QuestionQueue {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  readonly elicit: Elicit = async (question, signal) => {
    // A signal that fired already fires no event: the question would stay open for ever.
    if (signal.aborted) return { action: "cancel" };
    const { promise, resolve } = Promise.withResolvers<ElicitationAnswer>();
    const id = randomBytes(16).toString("base64url");
    const withdraw = () => resolve({ action: "cancel" });
    signal.addEventListener("abort", withdraw, { once: true });
    this.#open.set(id, { question, resolve });
    this.#changed();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#open.delete(id);
      this.#changed();
    }
  };

  list(): QuestionView[] {
    return [...this.#open].map(([id, { question }]) => ({ id, ...question }));
  }

  answer(id: string, answer: QuestionAnswer): void {
    const open = this.#open.get(id);
    if (!open) throw new Failure("CONFLICT", "This question was already answered or withdrawn.");
    if (answer.action === "accept") requireFitting(open.question, answer.content);
    this.#open.delete(id);
    open.resolve(answer);
  }
}

/** Missing or unknown fields are reported to the person; the MCP server checks the values. */
export function requireFitting(
  { schema }: Pick<Elicitation, "schema">,
  content: Readonly<Record<string, unknown>>,
): void {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
  const foreign = Object.keys(content).find((name) => !Object.hasOwn(properties, name));
  if (foreign !== undefined) throw new Failure("INVALID_INPUT", `Unknown field ${JSON.stringify(foreign)}.`);
  const missing = required.find((name) => content[name] === undefined);
  if (missing !== undefined) throw new Failure("INVALID_INPUT", `${missing} is required.`);
}
