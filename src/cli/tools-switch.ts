import { placesFrom } from "../app/places.ts";
import { changeUserSettings } from "../app/settings.ts";
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
    const { off = [], on = [], favourites = [], ...rest } = settings.tools ?? {};
    const without = (list: readonly string[]) => list.filter((other) => other !== name);
    return {
      ...settings,
      tools: {
        ...rest,
        off: verb === "off" ? [...without(off), name] : verb === "on" ? without(off) : off,
        on: verb === "on" ? [...without(on), name] : verb === "off" ? without(on) : on,
        favourites:
          verb === "pin"
            ? [...without(favourites), name]
            : verb === "unpin"
              ? without(favourites)
              : favourites,
      },
    };
  });
  const done = { on: "is on", off: "is off", pin: "is a favourite", unpin: "is no favourite any more" }[verb];
  io.out(`${name} ${done}.`);
  return exit.ok;
}
