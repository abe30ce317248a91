import type { KeyView } from "../api/keys.ts";
import { Failure } from "../failure/failure.ts";
import { checkKey, type KeyCheck } from "../model/check-key.ts";
import { type Env, providers } from "../model/providers.ts";
import { nearestNames } from "../text/nearest.ts";
import {
  ensurePrivateFile,
  fileState,
  readIfThere,
  removeFile,
  writeAtomic,
} from "../workspace/state-files.ts";
import { keyPages } from "./key-pages.ts";

interface KeyOwner extends Omit<KeyView, "source"> {
  /** Every variable that may hold it; the first is used to store it. */
  variables: readonly string[];
  probe?(
    key: string,
    env: Env,
    model: string | undefined,
  ): { address: string; headers: Record<string, string> } | undefined;
}

/** The variables that may hold a key, and nothing else: no address, no folder. */
export const keyVariables = (): ReadonlySet<string> => new Set(owners.flatMap(({ variables }) => variables));

/** What can be given a key, models first. */
export const knownKeys = (): Omit<KeyView, "source">[] =>
  owners.map(({ variables: _, probe: __, ...known }) => known);

/** Everything that has a key, models first. */
const owners: readonly KeyOwner[] = [
  ...providers.flatMap(({ id, label, keys, standard, probe }): KeyOwner[] => {
    const [variable] = keys;
    if (variable === undefined) return [];
    const needs = `an account with credit at ${label}; the usual model is ${id}/${standard}`;
    return [{ ...of(id, label, "model", variable, needs), variables: keys, ...(probe && { probe }) }];
  }),
  {
    ...of(
      "server",
      "An OpenAI-compatible server",
      "model",
      "WIELD_API_KEY",
      "the model set to http://host:port/v1#<name>",
    ),
    variables: ["WIELD_API_KEY"],
    probe: (key, _env, model) => {
      const address = /^https?:/.test(model ?? "") ? (model ?? "").split("#")[0] : undefined;
      if (address === undefined) return undefined;
      return {
        address: `${address.replace(/\/+$/, "")}/models`,
        headers: { authorization: `Bearer ${key}` },
      };
    },
  },
  ...[
    of("tavily", "Tavily", "search", "TAVILY_API_KEY", "nothing else"),
    of("exa", "Exa", "search", "EXA_API_KEY", "nothing else"),
    of("brave", "Brave Search", "search", "BRAVE_API_KEY", "nothing else"),
  ].map((owner) => ({ ...owner, variables: [owner.variable] })),
  {
    ...of(
      "github",
      "GitHub",
      "github",
      "GITHUB_TOKEN",
      "its permission to read the repositories you work with",
    ),
    variables: ["GITHUB_TOKEN", "GH_TOKEN"],
    probe: (key, env) => ({
      address: `${(env["GITHUB_API_URL"] || "https://api.github.com").replace(/\/+$/, "")}/rate_limit`,
      headers: { authorization: `Bearer ${key}`, "user-agent": "wield" },
    }),
  },
];

function of(provider: string, label: string, kind: KeyView["kind"], variable: string, needs: string) {
  const page = keyPages[provider];
  return { provider, label, kind, variable, needs, ...(page !== undefined && { page }) };
}

/** Keys that a person gave: in a file that only they can read, never in a workspace. The environment comes first. */
export class Keys {
  readonly #file: string;
  readonly #env: Env;
  #known: { state: string; env: Env } | undefined;

  constructor(file: string, env: Env) {
    this.#file = file;
    this.#env = env;
  }

  /** The environment, with stored keys where it has none. */
  get env(): Env {
    const state = fileState(this.#file);
    if (this.#known?.state !== state) {
      const given = Object.entries(this.#env).filter(([, value]) => value !== undefined && value !== "");
      this.#known = { state, env: { ...this.#env, ...this.#stored(), ...Object.fromEntries(given) } };
    }
    return this.#known.env;
  }

  list(): KeyView[] {
    const stored = this.#stored();
    return owners.map((owner) => this.#view(owner, stored));
  }

  /** One small request first, unless that is not wanted: a rejected key is not stored. */
  async set(
    provider: string,
    key: string,
    {
      check = true,
      signal = new AbortController().signal,
      model,
    }: { check?: boolean; signal?: AbortSignal; model?: string | undefined } = {},
  ): Promise<KeyView> {
    const owner = ownerOf(provider);
    const trimmed = key.trim();
    if (trimmed === "" || /[\s\p{C}]/u.test(trimmed) || trimmed.length > 4096)
      throw new Failure("INVALID_INPUT", "A key is one word without spaces or control characters.");
    if (check) requireValid(owner, await this.#check(owner, trimmed, signal, model));
    ensurePrivateFile(this.#file);
    writeAtomic(this.#file, `${JSON.stringify({ ...this.#stored(), [owner.variable]: trimmed }, null, 2)}\n`);
    return this.#view(owner, this.#stored());
  }

  remove(provider: string): KeyView & { wasStored: boolean } {
    const owner = ownerOf(provider);
    const all = Object.entries(this.#stored());
    const rest = all.filter(([name]) => !owner.variables.includes(name));
    if (rest.length === 0) removeFile(this.#file);
    else writeAtomic(this.#file, `${JSON.stringify(Object.fromEntries(rest), null, 2)}\n`);
    return { ...this.#view(owner, this.#stored()), wasStored: rest.length < all.length };
  }

  async #check(
    owner: KeyOwner,
    key: string,
    signal: AbortSignal,
    model: string | undefined,
  ): Promise<KeyCheck> {
    const probe = owner.probe?.(key, this.#env, model);
    return probe ? checkKey(probe, owner.label, signal) : { valid: true };
  }

  #view({ variables, probe: _, ...owner }: KeyOwner, stored: Record<string, string>): KeyView {
    const isIn = (env: Env) => variables.some((name) => env[name]);
    return { ...owner, source: isIn(this.#env) ? "environment" : isIn(stored) ? "stored" : "none" };
  }

  #stored(): Record<string, string> {
    const text = readIfThere(this.#file)?.toString();
    if (text === undefined || text.trim() === "") return {};
    try {
      const json = JSON.parse(text) as Record<string, unknown>;
      return Object.fromEntries(
        Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
      );
    } catch {
      // Not shown: what is in it may be a key.
      throw new Failure(
        "INVALID_INPUT",
        `${this.#file} is not valid JSON. Correct it, or remove it and run: wield login`,
      );
    }
  }
}

function ownerOf(provider: string): KeyOwner {
  const owner = owners.find((known) => known.provider === provider);
  if (owner) return owner;
  const names = owners.map((known) => known.provider);
  const [near] = nearestNames(provider, names);
  const tip = near ? ` Did you mean ${near}?` : "";
  throw new Failure(
    "INVALID_INPUT",
    `Unknown provider ${JSON.stringify(provider)}.${tip} Known: ${names.join(", ")}.`,
  );
}

function requireValid({ label }: KeyOwner, check: KeyCheck): void {
  if (check.valid) return;
  const next = check.rejected
    ? "Nothing was stored. Copy the key again; a key may also have been revoked."
    : `Nothing was stored. Try again, or store the key of ${label} without the check.`;
  throw new Failure(check.rejected ? "PERMISSION_DENIED" : "UNAVAILABLE", `${check.message} ${next}`);
}
