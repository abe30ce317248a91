import type { LanguageModelV4 } from "@ai-sdk/provider";
import { Failure } from "../failure/failure.ts";

export interface NamedModel {
  model: LanguageModelV4;
  name: string;
}

/**
 * The model of each conversation of this process, for tools that ask one themselves: what a person lets one model read, no other reads.
 * `named` is the model of the person's settings, for calls that belong to no conversation. Nothing is chosen by the keys that are there.
 */
export class ConversationModels {
  readonly #isConversation: (session: string) => boolean;
  readonly #named: () => Promise<NamedModel | undefined>;
  readonly #of = new Map<string, NamedModel>();

  constructor(isConversation: (session: string) => boolean, named: () => Promise<NamedModel | undefined>) {
    this.#isConversation = isConversation;
    this.#named = named;
  }

  set(session: string, model: NamedModel): void {
    this.#of.set(session, model);
  }

  async of(session: string | undefined, purpose: string): Promise<NamedModel> {
    const known = session === undefined ? undefined : this.#of.get(session);
    const isConversation = session !== undefined && this.#isConversation(session);
    const found = known ?? (isConversation ? undefined : await this.#named());
    if (found !== undefined && found.name !== "offline") return found;
    const why =
      found === undefined
        ? isConversation
          ? "its conversation has no model here; ask again in the conversation"
          : 'no model is named; a person can name one with the setting "model" or WIELD_MODEL'
        : "only the built-in offline model is chosen; a person can choose another one";
    throw new Failure("UNAVAILABLE", `${purpose} a language model: ${why}.`);
  }
}
