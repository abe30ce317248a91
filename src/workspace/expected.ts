import { Failure } from "../failure/failure.ts";
import { captureShallow } from "./capture.ts";
import { conflict } from "./conflict.ts";
import type { ExactPlaces } from "./folder-cursor.ts";
import type { Jail } from "./jail.ts";
import { fingerprintOf } from "./node.ts";
import { osFailure } from "./os-failure.ts";
import type { Fingerprint } from "./workspace.ts";

/** Fails with `CONFLICT` at the first path that is not in its expected state. */
export async function expectStates(jail: Jail, states: ReadonlyMap<string, Fingerprint>): Promise<void> {
  using places = jail.cursor();
  for (const [path, expected] of states) {
    const actual = await fingerprintAt(jail, places, path, expected);
    if (actual !== expected) throw conflict(path, expected, actual);
  }
}

/** Plans name paths without symlinks; only a file that was read may have been read through them. */
async function fingerprintAt(
  jail: Jail,
  places: ExactPlaces,
  path: string,
  expected: Fingerprint,
): Promise<Fingerprint> {
  try {
    using exact = places.findExact(path);
    const state = exact && (await captureShallow(exact.directory, exact.name, path));
    if (state?.type === "file" || !expected.startsWith("file:")) return fingerprintOf(state);
    using place = jail.find(path);
    return fingerprintOf(await captureShallow(place.directory, place.name, path));
  } catch (error) {
    if (error instanceof Failure && ["FILE_NOT_FOUND", "INVALID_PATH"].includes(error.code)) return "absent";
    throw osFailure(error, path);
  }
}
