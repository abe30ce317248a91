import type { ProjectView } from "../../../src/api/team.ts";
import { visible } from "../parts/visible.ts";

/** The projects of a team, in a `select`; those that no worker can read cannot be chosen. */
export function ProjectOptions({ projects }: { projects: readonly ProjectView[] }) {
  return projects.map(({ id, name, ref, readable }) => (
    <option key={id} value={id} title={`Begins at ${ref}`} disabled={!readable}>
      {visible(name)}
      {!readable && " (cannot be read)"}
    </option>
  ));
}
