import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { type ProfileName, profileNames, profiles } from "../agent/profiles.ts";

/** A mode is the profile of the agent that answers next. */
export function modesOf(current: ProfileName): SessionModeState {
  const availableModes = profileNames.map((id) => ({ id, ...described(id) }));
  return { currentModeId: current, availableModes };
}

export function isMode(id: string): id is ProfileName {
  return Object.hasOwn(profiles, id);
}

/** The same as options, for clients that show those in place of modes; and the model. */
export function optionsOf(
  mode: ProfileName,
  model: string,
  models: readonly string[],
): SessionConfigOption[] {
  return [
    {
      ...{ type: "select", id: "mode", name: "Mode", category: "mode", currentValue: mode },
      options: profileNames.map((value) => ({ value, ...described(value) })),
    },
    {
      ...{ type: "select", id: "model", name: "Model", category: "model", currentValue: model },
      options: [...new Set([model, ...models])].map((name) => ({ value: name, name })),
    },
  ];
}

function described(name: ProfileName): { name: string; description: string } {
  const { label, hint } = profiles[name];
  return { name: label, description: hint };
}
