import { placesFrom } from "../app/places.ts";
import { changeUserSettings, withFavourite, withSwitch } from "../app/settings.ts";
import { discoveryTools } from "../discovery/switches.ts";
import { exit } from "./command.ts";
import type { Io } from "./terminal.ts";

/** Switches tools or categories in the user's own settings. */
export async function switchTools(
  verb: "on" | "off" | "pin" | "unpin",
  words: readonly string[],
  io: Io,
): Promise<number> {
  const name = words.join(" ");
  if (verb === "off" && discoveryTools.has(name)) {
    io.err(`${name} stays on: without it no other tool could be found.`);
    return exit.failed;
  }
  changeUserSettings(placesFrom(io.env).settingsFile, (settings) => {
    if (verb === "on" || verb === "off") return withSwitch(settings, name, verb);
    return withFavourite(settings, name, verb === "pin");
  });
  const done = { on: "is on", off: "is off", pin: "is a favourite", unpin: "is no favourite any more" }[verb];
  io.out(`${name} ${done}.`);
  return exit.ok;
}
