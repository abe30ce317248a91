import { indexFolderOf } from "../app/code-index.ts";
import { Failure } from "../failure/failure.ts";
import type { PostgresDatabase, Sql } from "../store/postgres-database.ts";
import type { Claim } from "../store/store.ts";
import { journalFolder } from "../workspace/open-workspace.ts";
import { realPlace, removeFolder } from "../workspace/state-files.ts";
import type { CommitIndexes, SessionCode } from "./commit-indexes.ts";
import { type Person, people } from "./people.ts";
import type { Project, Repositories } from "./repositories.ts";
import { holdsSecret } from "./session-secrets.ts";
import { savePatch, type TeamSession, team } from "./team.ts";

interface WorktreeParts {
  claim: Claim;
  /** Writes only while the claim holds. */
  fenced: PostgresDatabase;
  repositories: Repositories;
  indexes: CommitIndexes;
  env: Readonly<Record<string, string | undefined>>;
  push: boolean;
}

/** The files of a session on this worker, from its base commit to the result that is handed over. */
export class SessionWorktree {
  readonly folder: string;
  readonly #parts: WorktreeParts;
  readonly #row: TeamSession;
  readonly #project: Project;
  readonly #base: string;

  private constructor(
    parts: WorktreeParts,
    row: TeamSession,
    { project, base, folder }: { project: Project; base: string; folder: string },
  ) {
    this.#parts = parts;
    this.#row = row;
    this.#project = project;
    this.#base = base;
    this.folder = folder;
  }

  static async checkOut(parts: WorktreeParts, row: TeamSession): Promise<SessionWorktree> {
    const { claim, fenced, repositories } = parts;
    const project = await team.project(fenced.query, row.project);
    if (!project) throw new Failure("FILE_NOT_FOUND", "The project of this session was removed.");
    const base = row.base ?? (await chooseBase(parts, project));
    const folder = await repositories.checkOut(project, base, `${claim.session}-${claim.epoch}`);
    return new SessionWorktree(parts, row, { project, base, folder });
  }

  /**
   * Stores what the session changed as a patch in the database and, where it may be pushed, as a branch. False: another
   * worker continues the session.
   */
  async handOver(): Promise<boolean> {
    const { claim, fenced, repositories, push } = this.#parts;
    const { session } = claim;
    const changes = (await claim.store.keptChanges().list(session)).length;
    if (changes === this.#row.handed_over) return true;
    const [project, folder, base] = [this.#project, this.folder, this.#base];
    const result = await repositories.result(project, folder, base);
    await savePatch(fenced, session, result.patch);
    const branch = `wield/${session}`;
    let pushed: string | null = null;
    if (push) {
      const title = (await claim.store.session(session))?.title ?? "";
      const isSecret = await holdsSecret({ database: fenced, store: claim.store, repositories }, session);
      const subject = title === "" || isSecret(title) ? "Work of a session" : title;
      const message = `${subject}\n\nSession ${session}`;
      const author = authorOf(await people.byId(fenced.query, this.#row.owner));
      if (!(await claim.holds())) return false;
      const known = pushedBefore(this.#row);
      const announce = (commit: string) => fenced.write(announced, [session, commit]);
      pushed = await result.push({ branch, message, author, known, announce });
    }
    const handedOver = `UPDATE team_sessions SET branch = $2, handed_over = $3, pushed_changes = $3,
      pushed = CASE WHEN $4::text IS NULL THEN pushed ELSE ARRAY[$4::text] END WHERE session = $1`;
    await fenced.write(handedOver, [session, push ? branch : null, changes, pushed]);
    return true;
  }

  /** Where git finds its repository. */
  git(): { gitDir: string; commonDir: string } {
    return this.#parts.repositories.gitOf(this.#project, this.folder);
  }

  /** The index of the code that it began with. */
  code(): SessionCode {
    return this.#parts.indexes.of(this.#project, this.#base);
  }

  async remove(): Promise<void> {
    const { repositories, env } = this.#parts;
    forgetWorkspace(env, this.folder);
    await repositories.remove(this.#project, this.folder).catch(() => undefined);
  }
}

/** A worker that ends before it notes what it pushed leaves the branch at one of these. */
const announced = `UPDATE team_sessions
  SET pushed = array_append(array_remove(coalesce(pushed, '{}'), $2), $2) WHERE session = $1`;

/** The commits that the branch may be at; undefined: not known. */
function pushedBefore({ branch, pushed, pushed_changes, handed_over }: TeamSession): string[] | undefined {
  return branch === null || pushed_changes === handed_over ? (pushed ?? []) : undefined;
}

/** A person's name; their address only if it is their name, as after signing in with an identity provider. */
function authorOf({ id, name }: Person): { name: string; email: string } {
  const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(name);
  return { name, email: isAddress ? name : `${id}@users.noreply.invalid` };
}

/** Removes the folders of runs whose worker was killed; those that a worker may still use stay. */
export async function removeLeftWorktrees(
  sql: Sql,
  { repositories, env }: Pick<WorktreeParts, "repositories" | "env">,
): Promise<void> {
  await repositories.removeOldPassing();
  const found = repositories.worktrees().flatMap(({ name, folder }) => {
    const [, session, epoch] = /^(.+)-(\d+)$/.exec(name) ?? [];
    return session === undefined ? [] : [{ session, epoch: Number(epoch), folder }];
  });
  if (found.length === 0) return;
  const rows = await sql(
    `SELECT w.folder FROM unnest($1::text[], $2::int[], $3::text[]) AS w (session, epoch, folder)
     JOIN claims c ON c.session = w.session WHERE c.epoch > w.epoch`,
    [found.map(({ session }) => session), found.map(({ epoch }) => epoch), found.map(({ folder }) => folder)],
  );
  for (const { folder } of rows) {
    forgetWorkspace(env, String(folder));
    await repositories.removeLeft(String(folder));
  }
}

/** A folder is used once: its journal and its index are of no use to anybody else. */
function forgetWorkspace(env: WorktreeParts["env"], folder: string): void {
  const root = realPlace(folder);
  removeFolder(journalFolder(stateDirOf(env), root));
  removeFolder(indexFolderOf(stateDirOf(env), root));
}

async function chooseBase({ claim, fenced, repositories }: WorktreeParts, project: Project): Promise<string> {
  const base = await repositories.newest(project);
  await fenced.write("UPDATE team_sessions SET base = $2 WHERE session = $1", [claim.session, base]);
  return base;
}

function stateDirOf(env: WorktreeParts["env"]): string {
  return `${env["XDG_STATE_HOME"] ?? `${env["HOME"]}/.local/state`}/wield`;
}
