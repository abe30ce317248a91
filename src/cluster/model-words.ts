import { APICallError, type LanguageModelV4 } from "@ai-sdk/provider";
import type { SavedKeyView } from "../api/team.ts";
import { Failure } from "../failure/failure.ts";
import { modelChoices, providers } from "../model/providers.ts";
import { visibleLine } from "../text/visible.ts";

/** A model whose provider's refusal of the key says whose key it is and where a team changes it. */
export function withKeyWords(
  model: LanguageModelV4,
  name: string,
  keys: readonly SavedKeyView[],
): LanguageModelV4 {
  const explained = async <T>(ask: () => PromiseLike<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw keyRefusal(error, name, keys) ?? error;
    }
  };
  return {
    ...{ specificationVersion: model.specificationVersion, provider: model.provider },
    ...{ modelId: model.modelId, supportedUrls: model.supportedUrls },
    doGenerate: (options) => explained(() => model.doGenerate(options)),
    doStream: (options) => explained(() => model.doStream(options)),
  };
}

/** A server that speaks OpenAI's protocol. */
const byAddress = { label: "The model server", keys: ["WIELD_API_KEY"] };

function keyRefusal(error: unknown, name: string, keys: readonly SavedKeyView[]): Failure | undefined {
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  const provider = name.includes("://") ? byAddress : providers.find(({ id }) => id === name.split("/")[0]);
  if ((status !== 401 && status !== 403) || !provider) return undefined;
  const said = visibleLine((error as Error).message).replace(/\.$/, "");
  const whose = (team: boolean) => keys.some((key) => key.team === team && provider.keys.includes(key.name));
  const place = whose(false)
    ? "It is the own key of the person who started the session: they can replace it under My account"
    : whose(true)
      ? "It is the team's key: an admin can replace it under Team → Keys"
      : "It is the key in the environment of the workers: an admin can set another under Team → Keys";
  const told = new Failure(
    "UNAVAILABLE",
    `${provider.label} rejected the API key (HTTP ${status}: ${said}). ${place}.`,
  );
  // The same request with the same key would be refused again.
  return Object.assign(told, { isRetryable: false });
}

/** A model that is not there, without the advice for one person's machine. */
export function inTeamWords(error: unknown): unknown {
  const isChoice = error instanceof Failure && error.message.includes(modelChoices());
  if (!isChoice) return error;
  const what = error.message.split(/ (?:The c|C)hoices:\n/)[0];
  return new Failure(
    error.code,
    `${what} Choose another model of a provider whose key the team or you have saved, such as ${example}.`,
  );
}

const example = providers.map(({ id, standard }) => `${id}/${standard}`)[0];
