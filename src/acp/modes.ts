import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { type ProfileName, profileNames, profiles } from "../agent/profiles.ts";
import { modeTexts, type PermissionMode, permissionModes } from "../approval/modes.ts";

/** A mode of the protocol is a permission mode: what is asked about from the next call on. */
export function modesOf(current: PermissionMode): SessionModeState {
  const availableModes = permissionModes.map((id) => ({ id, ...describedMode(id) }));
  return { currentModeId: current, availableModes };
}

export function isProfile(id: string): id is ProfileName {
  return Object.hasOwn(profiles, id);
}

/** The same as options, for clients that show those in place of modes; the agent that answers next; and the model. */
export function optionsOf(
  mode: PermissionMode,
  profile: ProfileName,
  model: string,
  models: readonly string[],
): SessionConfigOption[] {
  return [
    {
      ...{ type: "select", id: "mode", name: "Permissions", category: "mode", currentValue: mode },
      options: permissionModes.map((value) => ({ value, ...describedMode(value) })),
    },
    {
      ...{ type: "select", id: "profile", name: "Profile", currentValue: profile },
      options: profileNames.map((value) => ({
        value,
        name: profiles[value].label,
        description: profiles[value].hint,
      })),
    },
    {
      ...{ type: "select", id: "model", name: "Model", category: "model", currentValue: model },
      options: [...new Set([model, ...models])].map((name) => ({ value: name, name })),
    },
  ];
}

function describedMode(mode: PermissionMode): { name: string; description: string } {
  const { label, hint } = modeTexts[mode];
  return { name: label, description: hint };
}
