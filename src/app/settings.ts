import { z } from "zod";
import { withRule } from "../approval/remembered-rules.ts";
import type { Rule } from "../approval/rules.ts";
import { requireSwitchable } from "../discovery/switches.ts";
import { Failure } from "../failure/failure.ts";
import { holdBriefly } from "../workspace/lock.ts";
import { readIfThere, writeAtomic } from "../workspace/state-files.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { defaultSettings } from "./default-settings.ts";
import { settingsSchema } from "./settings-schema.ts";

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;

export const workspaceSettingsPath = ".wield/settings.json";

export function readUserSettings(file: string): Settings {
  const text = readIfThere(file)?.toString();
  return text === undefined ? defaultSettings : parseSettings(text, file);
}

/** The workspace's own file. One that cannot be read is refused, not skipped: it may hold a `deny`. */
export async function readWorkspaceSettings(workspace: Workspace): Promise<Settings> {
  const text = await workspace.read(workspaceSettingsPath).then(
    (file) => file.bytes.toString(),
    (error: unknown) => {
      if (error instanceof Failure && error.code === "FILE_NOT_FOUND") return undefined;
      throw error;
    },
  );
  return text === undefined ? defaultSettings : parseSettings(text, workspaceSettingsPath);
}

export function parseSettings(text: string, file: string): Settings {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure(
      "INVALID_INPUT",
      `${file} is not valid JSON: ${(error as Error).message}. Correct it or move it away.`,
    );
  }
  const parsed = settingsSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Failure(
    "INVALID_INPUT",
    `${file} has settings that Wield does not know:\n${z.prettifyError(parsed.error)}`,
  );
}

/** Adds rules to the user's file, each once, and leaves everything else in it as it is. */
export function saveUserRules(file: string, added: readonly Rule[]): Settings {
  return changeUserSettings(file, ({ rules = [], ...settings }) => ({
    ...settings,
    rules: added.reduce(withRule, rules),
  }));
}

/**
 * Changes the user's file, one process at a time; what `change` leaves alone stays as it was written, and a file that would not be valid is not
 * written. The settings as they are then.
 */
export function changeUserSettings(
  file: string,
  change: (settings: SettingsInput) => SettingsInput,
): Settings {
  return holdBriefly(`${file}.lock`, () => {
    const text = readIfThere(file)?.toString() ?? "{}";
    parseSettings(text, file);
    const changed = `${JSON.stringify(change(JSON.parse(text)), null, 2)}\n`;
    const settings = parseSettings(changed, file);
    writeAtomic(file, changed);
    return settings;
  });
}

/** With a tool among the favourites, or no longer. */
export function withFavourite(settings: SettingsInput, name: string, pinned: boolean): SettingsInput {
  const others = (settings.tools?.favourites ?? []).filter((other) => other !== name);
  return { ...settings, tools: { ...settings.tools, favourites: pinned ? [...others, name] : others } };
}

/** With a tool or a category switched on or off. */
export function withSwitch(settings: SettingsInput, name: string, to: "on" | "off"): SettingsInput {
  if (to === "off") requireSwitchable(name);
  const { off = [], on = [], ...rest } = settings.tools ?? {};
  const others = { off: off.filter((other) => other !== name), on: on.filter((other) => other !== name) };
  return { ...settings, tools: { ...rest, ...others, [to]: [...others[to], name] } };
}

/** What a call may cost besides its tool's own limit. */
export function tokensOfCall({ tokensPerCall }: Settings["limits"]): number {
  return tokensPerCall ?? Number.POSITIVE_INFINITY;
}
