import { APICallError } from "@ai-sdk/provider";
import { visibleLine } from "../text/visible.ts";
import { providers } from "./providers.ts";

/** A provider's error in plain words: what went wrong, and what a person can do about it. */
export function explainModelError(error: unknown, modelName: string): string {
  const { id, label, key } = providerOf(modelName);
  const said = visibleLine(messageIn(error)).replace(/\.$/, "");
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  const what = status === undefined ? said : `HTTP ${status}: ${said}`;
  if (status === 401 || status === 403) {
    const login = id === undefined ? "" : ` or store a new one with: wield login ${id}`;
    const check = key
      ? `Check ${key} in the environment,${login || " then restart Wield."}`
      : "Check its settings.";
    return `${label} rejected the API key (${what}). ${check}`;
  }
  if (status === 402) return `Your account at ${label} has no credit left (${what}).`;
  if (status === 404)
    return `${label} does not have the model ${visibleLine(modelName)} (${what}). Choose another model.`;
  if (status === 429) {
    const waitMs = askedToWait(error);
    const wait = waitMs === undefined ? "Wait a while" : `Wait ${Math.ceil(waitMs / 1000)} s`;
    return `${label} limits how much you can send (${what}). ${wait}, then continue.`;
  }
  if (status !== undefined && status >= 500)
    return `${label} is overloaded or not working (${what}). Continue later.`;
  if (status === undefined && isLostConnection(error))
    return `The connection to ${label} failed (${what}). Check the network, then continue.`;
  return what;
}

/** How long the provider asks to wait, in milliseconds. */
export function askedToWait(error: unknown): number | undefined {
  const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
  const seconds = Number(headers?.["retry-after"]);
  const ms = Number(headers?.["retry-after-ms"]);
  return ms > 0 ? ms : seconds > 0 ? seconds * 1000 : undefined;
}

function providerOf(modelName: string): { id?: string; label: string; key: string | undefined } {
  if (/^https?:/.test(modelName)) {
    const host = URL.canParse(modelName) ? new URL(modelName).host : modelName;
    return { id: "server", label: visibleLine(host), key: "WIELD_API_KEY" };
  }
  const provider = providers.find(({ id }) => id === modelName.split("/")[0]);
  return {
    ...(provider && { id: provider.id }),
    label: provider?.label ?? "The model's provider",
    key: provider?.keys[0],
  };
}

/** The cause says more than "fetch failed". */
function messageIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const { cause } = error;
  if (APICallError.isInstance(error) || !(cause instanceof Error)) return error.message;
  return isLostConnection(cause) ? cause.message || error.message : error.message;
}

function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|UND_ERR)/.test(code) ||
    /fetch failed|terminated|cannot connect|socket hang up|other side closed/i.test(error.message) ||
    isLostConnection(error.cause)
  );
}
