import { Failure } from "../failure/failure.ts";
import { realPlace } from "../workspace/state-files.ts";
import type { Places } from "./places.ts";

/** A tool that could write Wield's own settings or journal could allow itself anything. */
export function requireOutside(root: string, places: Places): void {
  const { stateDir, configDir, settingsFile, trustFile, approvedFile, keysFile } = places;
  const under = (path: string, folder: string) =>
    path === folder || path.startsWith(folder === "/" ? folder : `${folder}/`);
  const inside =
    [stateDir, configDir, settingsFile, trustFile, approvedFile, keysFile].find((path) =>
      under(realPlace(path), root),
    ) ?? [stateDir, configDir].find((path) => under(root, realPlace(path)));
  if (inside === undefined) return;
  throw new Failure(
    "INVALID_PATH",
    `${root} holds Wield's own files (${inside}). Open a folder inside it, such as a project.`,
  );
}
