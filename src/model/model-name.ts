import { Failure } from "../failure/failure.ts";
import { providers } from "./providers.ts";

/** What a setting for the model says. Whoever must know whether it is an address asks here: keys are sent to addresses. */
export type ModelName =
  | { kind: "offline" }
  | { kind: "address"; address: string; model: string }
  /** `model` is empty if only the provider is named. */
  | { kind: "named"; provider: string; model: string };

/** In one spelling only: a URL parser also takes `http:host`, `http:/host` and `http:\\host` for addresses. */
const addressForm = /^https?:\/\/[^/\\]/;

export function readModelName(setting: string): ModelName {
  if (setting === "offline") return { kind: "offline" };
  if (addressForm.test(setting)) {
    const [address = "", model = ""] = setting.split("#");
    return { kind: "address", address, model };
  }
  const [provider = "", ...rest] = setting.split("/");
  return { kind: "named", provider, model: rest.join("/") };
}

/** Some providers make the name part of the path that they are asked under. */
export function isPlainName(model: string): boolean {
  const isPath = model.split("/").some((part) => part === "" || /^\.+$/.test(part));
  return !isPath && !/[\s\\?#%\p{C}]/u.test(model);
}

export const providerModelOnly = "Name a model of a provider: provider/model.";

/** A model of a known provider, whose address and key are the operator's, or the built-in one. */
export function isProviderModel(setting: string): boolean {
  const name = readModelName(setting);
  if (name.kind !== "named") return name.kind === "offline";
  return providers.some(({ id }) => id === name.provider) && (name.model === "" || isPlainName(name.model));
}

/** To an address of their own choice a person could send the team's key. */
export function requireProviderModel(setting: string): void {
  if (!isProviderModel(setting)) throw new Failure("INVALID_INPUT", providerModelOnly);
}
