import { placesFrom } from "../app/places.ts";
import { changeUserSettings, withFavourite, withSwitch } from "../app/settings.ts";
import { exit } from "./command.ts";
import type { Io } from "./terminal.ts";

/** Switches tools or categories on or off in the user's settings. */
export async function switchTools(
  verb: "on" | "off" | "pin" | "unpin",
  words: readonly string[],
  io: Io,
): Promise<number> {
  const name = words.join(" ");
  changeUserSettings(placesFrom(io.env).settingsFile, (settings) => {
    if (verb === "on" || verb === "off") return withSwitch(settings, name, verb);
    return withFavourite(settings, name, verb === "pin");
  });
  const done = { on: "is on", off: "is off", pin: "is pinned", unpin: "is no longer pinned" }[verb];
  io.out(`${name} ${done}.`);
  return exit.ok;
}
