import { Failure } from "../failure/failure.ts";
import { type Price, priceOf, pricesDate } from "../model/prices.ts";
import { fileState, readIfThere, writeAtomic } from "../workspace/state-files.ts";

/** A list of model prices that is kept up to date in public: one object for each model. */
export const defaultPriceList =
  "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json";

interface SavedPrices {
  from: string;
  /** ISO 8601. */
  at: string;
  prices: Record<string, Price>;
}

/** Prices by model: the person's own, then a list that was refreshed on demand, then the shipped ones. */
export class PriceList {
  readonly #file: string;
  readonly #own: () => Readonly<Record<string, Price>>;
  #saved: { state: string; prices: SavedPrices | undefined } = { state: "", prices: undefined };

  constructor(file: string, own: () => Readonly<Record<string, Price>>) {
    this.#file = file;
    this.#own = own;
  }

  of(model: string): Price | undefined {
    return priceOf(model, this.#own(), this.#refreshed()?.prices ?? {});
  }

  /** How old the list is: a date. */
  get date(): string {
    return this.#refreshed()?.at.slice(0, 10) ?? pricesDate;
  }

  /** Fetches the list; nothing else does. How many prices it has. */
  async refresh(address: string, signal: AbortSignal): Promise<number> {
    const prices = pricesIn(await fetchList(address, signal));
    const count = Object.keys(prices).length;
    if (count === 0) throw new Failure("NETWORK_ERROR", `${address} holds no price of a known provider.`);
    const saved: SavedPrices = { from: address, at: new Date().toISOString(), prices };
    writeAtomic(this.#file, JSON.stringify(saved));
    return count;
  }

  #refreshed(): SavedPrices | undefined {
    const state = fileState(this.#file);
    if (state !== this.#saved.state) this.#saved = { state, prices: read(this.#file) };
    return this.#saved.prices;
  }
}

function read(file: string): SavedPrices | undefined {
  try {
    const text = readIfThere(file)?.toString();
    return text === undefined ? undefined : (JSON.parse(text) as SavedPrices);
  } catch {
    return undefined;
  }
}

const mostBytes = 30_000_000;

async function fetchList(address: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const text = await response.text();
    if (text.length > mostBytes) throw new Error("the list is too large");
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure("NETWORK_ERROR", `The prices could not be fetched from ${address}: ${why}.`);
  }
}

const providersThere: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  openai: "openai",
  gemini: "google",
  openrouter: "openrouter",
};

function pricesIn(list: unknown): Record<string, Price> {
  if (typeof list !== "object" || list === null) return {};
  return Object.fromEntries(
    Object.entries(list).flatMap(([name, about]) => {
      if (typeof about !== "object" || about === null) return [];
      const given = about as Record<string, unknown>;
      const provider = providersThere[String(given["litellm_provider"])];
      const input = perMillion(given["input_cost_per_token"]);
      const output = perMillion(given["output_cost_per_token"]);
      if (provider === undefined || input === undefined || output === undefined) return [];
      const cached = perMillion(given["cache_read_input_token_cost"]);
      const written = perMillion(given["cache_creation_input_token_cost"]);
      const price: Price = {
        ...{ input, output },
        ...(cached !== undefined && { cached }),
        ...(written !== undefined && { written }),
      };
      return [[`${provider}/${name.replace(/^(?:gemini|openrouter)\//, "")}`, price]];
    }),
  );
}

function perMillion(perToken: unknown): number | undefined {
  if (typeof perToken !== "number" || !Number.isFinite(perToken) || perToken < 0) return undefined;
  return Number((perToken * 1_000_000).toPrecision(6));
}
