import type { ProviderView } from "../api/settings.ts";
import { Failure } from "../failure/failure.ts";
import { type Env, keyOf, ollamaModels, type Provider, providers } from "../model/providers.ts";
import { realHostProgram } from "../process/host-programs.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { withoutPassword } from "../text/without-password.ts";
import type { SearchProvider } from "../web/search/provider.ts";
import { type SearchSettings, type WebParts, webParts } from "../web/web-settings.ts";
import { keyPages } from "./key-pages.ts";
import type { Settings } from "./settings.ts";
import { checkCollector } from "./telemetry.ts";

/** What Wield can use from outside, and what it finds on this machine. Nothing here uses the network but `checkProviders`. */

const searchProviders = [
  { id: "tavily", label: "Tavily", variable: "TAVILY_API_KEY" },
  { id: "exa", label: "Exa", variable: "EXA_API_KEY" },
  { id: "brave", label: "Brave Search", variable: "BRAVE_API_KEY" },
  { id: "searxng", label: "SearXNG", variable: "SEARXNG_URL" },
] as const satisfies readonly { id: keyof SearchSettings; label: string; variable: string }[];

export interface ProviderParts {
  env: Env;
  web: Settings["web"];
  telemetry: Settings["telemetry"];
  /** As the settings name it. */
  model: string | undefined;
}

export function listProviders({ env, web, telemetry, model }: ProviderParts): ProviderView[] {
  return [
    ...models(env, model),
    ...searches(webParts(web, env).search, web.search),
    ...others(env, web),
    ...collectors(telemetry),
  ];
}

/** The model that is used where none is named, and why that one. Asks Ollama where there is no key. */
export async function defaultModel({
  env,
  model,
}: Pick<ProviderParts, "env" | "model">): Promise<{ name: string; from: string }> {
  const { chooseModel } = await import("../model/model.ts");
  const { name } = await chooseModel(model, env);
  if (model !== undefined) {
    const from = env["WIELD_MODEL"]
      ? "chosen by WIELD_MODEL in the environment"
      : "chosen by the setting model";
    return { name, from };
  }
  const first = providers.find((provider) => keyOf(provider, env) !== undefined);
  if (first) return { name, from: `no model is chosen, and the first key found is that of ${first.label}` };
  return name === "offline"
    ? { name, from: "no model is chosen, and neither a key nor Ollama was found; it is not a language model" }
    : { name, from: "no model is chosen and no key is found, but Ollama runs on this machine" };
}

function models(env: Env, wanted: string | undefined): ProviderView[] {
  const first = providers.find((provider) => keyOf(provider, env) !== undefined);
  const used = wanted === undefined ? first?.id : wanted.split("/")[0];
  const views = providers.map((provider): ProviderView => {
    const { id, label, keys } = provider;
    const variable = keys.find((name) => env[name]);
    const isReady = keys.length === 0 ? used === id : variable !== undefined;
    const state = !isReady ? "missing" : used === id ? "used" : "ready";
    return { group: "Model", name: label, state, ...(variable && { by: variable }), how: howToGet(provider) };
  });
  const address = wanted !== undefined && /^https?:/.test(wanted) ? wanted : undefined;
  const ownServer: ProviderView = {
    group: "Model",
    name: "Any OpenAI-compatible server",
    state: address === undefined ? "missing" : "used",
    ...(address !== undefined && { by: "the setting model" }),
    how: "set the model to http://host:port/v1#<name>; if it needs a key, run wield login server",
  };
  return [...views, ownServer];
}

function howToGet({ id, keys }: Provider): string {
  if (keys.length === 0)
    return "install it from https://ollama.com and start it with a model; no key is needed";
  return `run wield login ${id}, or set ${keys.join(" or ")}; keys: ${keyPages[id]}`;
}

function searches(found: SearchSettings, set: SearchSettings): ProviderView[] {
  const first = searchProviders.find(({ id }) => found[id]);
  const views = searchProviders.map(({ id, label, variable }): ProviderView => {
    const state = !found[id] ? "missing" : id === first?.id ? "used" : "ready";
    const by = !found[id] ? {} : { by: set[id] ? `the setting web.search.${id}` : variable };
    return { group: "Search", name: label, state, ...by, how: `set ${variable}; get it at ${keyPages[id]}` };
  });
  const how = "no key is needed; it may block searches for a while";
  return [...views, { group: "Search", name: "DuckDuckGo", state: first ? "ready" : "used", how }];
}

function others(env: Env, { research }: Settings["web"]): ProviderView[] {
  const variable = ["GITHUB_TOKEN", "GH_TOKEN"].find((name) => env[name]);
  const by = research?.token ? "the setting web.research.token" : variable;
  return [
    { group: "Weather", name: "Open-Meteo", state: "used", how: "no key is needed" },
    {
      group: "GitHub",
      name: "Token",
      state: by === undefined ? "missing" : "used",
      ...(by !== undefined && { by }),
      how: `for private repositories, pull requests and more requests an hour: set GITHUB_TOKEN; tokens: ${keyPages["github"]}`,
    },
    {
      group: "GitHub",
      name: "Research repository",
      state: research ? "used" : "missing",
      ...(research && { by: `${research.repository}, the setting web.research` }),
      how: 'set {"web": {"research": {"repository": "owner/name"}}} in the settings file',
    },
  ];
}

/** Nothing is missing while telemetry is off. */
function collectors({ endpoint }: Settings["telemetry"]): ProviderView[] {
  if (endpoint === undefined) return [];
  const by = `${withoutPassword(endpoint)}, the setting telemetry`;
  return [{ group: "Telemetry", name: "Collector", state: "used", by, how: "" }];
}

export interface ProviderCheck {
  name: string;
  ok: boolean;
  message: string;
}

/** Asks everything that is set up for something small. */
export async function checkProviders(parts: ProviderParts, signal: AbortSignal): Promise<ProviderCheck[]> {
  const web = webParts(parts.web, parts.env);
  return Promise.all([
    ...providers
      .filter((provider) => provider.keys.length === 0 || keyOf(provider, parts.env) !== undefined)
      .map((provider) => checkModels(provider, parts.env)),
    ...(await searchChecks(web, signal)),
    check("Open-Meteo", async () => {
      const { createWeather } = await import("../web/weather.ts");
      const { temperature } = await createWeather({})({ latitude: 52.5, longitude: 13.4 }, signal);
      return `${temperature.value} ${temperature.unit} in Berlin`;
    }),
    ...(web.research ? [checkGitHub(web.research, signal)] : []),
    ...collectors(parts.telemetry).map(({ name }) =>
      check(name, () => checkCollector(parts.telemetry, parts.env)),
    ),
  ]);
}

function checkModels(provider: Provider, env: Env): Promise<ProviderCheck> {
  return check(provider.label, async () => {
    const names = await (provider.keys.length === 0
      ? ollamaModels(env)
      : provider.models(keyOf(provider, env) ?? "", env));
    if (names.length > 0) return `${names.length} models`;
    if (provider.keys.length === 0) return "not running on this machine";
    throw new Failure("UNAVAILABLE", "it lists no models: the key is rejected, or it cannot be reached");
  });
}

async function searchChecks({ search }: WebParts, signal: AbortSignal): Promise<Promise<ProviderCheck>[]> {
  const { chooseSearch } = await import("../web/search/search.ts");
  const set = searchProviders.filter(({ id }) => search[id]);
  const each: SearchProvider[] = set.map(({ id }) => chooseSearch({ [id]: search[id] }));
  const chosen = each.length > 0 ? each : [chooseSearch({ duckduckgo: search.duckduckgo })];
  return chosen.map((provider) =>
    check(provider.name, async () => {
      const results = await provider.search("open source", 1, signal);
      return `${results.length} ${results.length === 1 ? "result" : "results"}`;
    }),
  );
}

function checkGitHub(
  settings: NonNullable<WebParts["research"]>,
  signal: AbortSignal,
): Promise<ProviderCheck> {
  return check(`GitHub ${settings.repository}`, async () => {
    const { createGitHub } = await import("../web/research/github.ts");
    const { entries } = await createGitHub(settings).contents("", signal);
    return `${entries.length} entries`;
  });
}

async function check(name: string, work: () => Promise<string>): Promise<ProviderCheck> {
  return work().then(
    (message) => ({ name, ok: true, message }),
    (error: unknown) => ({
      name,
      ok: false,
      message: error instanceof Error ? error.message : String(error),
    }),
  );
}

/** Programs of this machine that tools use. */
export function listPrograms(env: Env, web: Settings["web"]): ProviderView[] {
  const path = env["PATH"] ?? "";
  const view = (name: string, file: string | undefined, how: string): ProviderView => ({
    ...{ group: "Machine", name, state: file === undefined ? "missing" : "used", how },
    ...(file !== undefined && { by: file }),
  });
  const browsers = webParts(web, env).browser.executables;
  const browser = browsers.find((file) => realHostProgram(file, "") !== undefined);
  return [
    view("Node", process.execPath, ""),
    view("git", realHostProgram("git", path), "install git"),
    view("Browser", browser, "install Chromium, or set web.browser.executable"),
    view("Python", realHostProgram("/usr/bin/python3", ""), "install python3"),
  ];
}

/** Whether code can be run confined here. */
export async function describeSandbox(open: () => Promise<Sandbox>): Promise<ProviderView> {
  const about = { group: "Machine", name: "Sandbox" } as const;
  try {
    const by = await (await open()).describe();
    return { ...about, state: "used", by, how: "" };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...about, state: "missing", how: error.message };
  }
}
