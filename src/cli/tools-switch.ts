import { placesFrom } from "../app/places.ts";
import { changeUserSettings, withFavourite, withSwitch } from "../app/settings.ts";
import { nearestNames } from "../text/nearest.ts";
import { exit, type Given } from "./command.ts";
import { openWield } from "./open.ts";
import type { Io } from "./terminal.ts";

/** Switches tools or categories on or off in the user's settings. */
export async function switchTools(
  verb: "on" | "off" | "pin" | "unpin",
  words: readonly string[],
  given: Given,
  io: Io,
): Promise<number> {
  const name = words.join(" ");
  const unknown = verb === "off" || verb === "pin" ? await unknownName(name, given, io) : undefined;
  if (unknown !== undefined) {
    io.err(unknown);
    return exit.failed;
  }
  changeUserSettings(placesFrom(io.env).settingsFile, (settings) => {
    if (verb === "on" || verb === "off") return withSwitch(settings, name, verb);
    return withFavourite(settings, name, verb === "pin");
  });
  const done = { on: "is on", off: "is off", pin: "is pinned", unpin: "is no longer pinned" }[verb];
  io.out(`${name} ${done}.`);
  return exit.ok;
}

/**
 * The error for a name that no tool or category has; a name that is already off or pinned may belong to an
 * unreachable server.
 */
async function unknownName(name: string, given: Given, io: Io): Promise<string | undefined> {
  const wield = await openWield(given, io);
  try {
    await wield.tools.ready();
    const known = [...wield.tools.list().map((tool) => tool.name), ...wield.tools.discovery.categories()];
    if (known.includes(name) || wield.tools.registry.get(name)) return undefined;
    const near = nearestNames(name, known);
    const tip = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "List all: wield tools";
    return `No tool or category is named ${JSON.stringify(name)}. ${tip}`;
  } finally {
    await wield.close();
  }
}
