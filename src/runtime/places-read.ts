import { posix } from "node:path";
import type { Effect } from "../tool/effects.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A path to read may go through links and `..`: it is judged by where it leads as well as by its name. */
export async function placesRead(effects: readonly Effect[], workspace: Workspace): Promise<Effect[]> {
  const reads = effects.filter((effect) => effect.kind === "read");
  return Promise.all(
    reads.map(async ({ kind, path }) => {
      const place = await workspace.resolve(path).catch(() => undefined);
      return { kind, path: place?.path ?? posix.normalize(path) };
    }),
  );
}
