import type { PermissionMode } from "../approval/modes.ts";
import { isPermissionMode } from "../approval/modes.ts";
import type { SessionStates } from "../store/session-states.ts";
import type { Lineage } from "./lineage.ts";

/** Where the mode of a folder is kept. */
export interface FolderMode {
  get(): PermissionMode | undefined;
  set(mode: PermissionMode): void;
}

/** Which permission mode holds: the session's own, else what the program was started with, else the folder's, else `ask`. */
export class PermissionModes {
  readonly #states: () => SessionStates;
  readonly #folder: FolderMode;
  readonly #given: PermissionMode | undefined;
  readonly #ofSession = new Map<string, PermissionMode>();
  /** A session that another one delegated to works in its mode. */
  readonly #lineage: Lineage;

  constructor(
    states: () => SessionStates,
    lineage: Lineage,
    folder: FolderMode,
    given: PermissionMode | undefined,
  ) {
    this.#states = states;
    this.#lineage = lineage;
    this.#folder = folder;
    this.#given = given;
  }

  /** Of a session whose mode was loaded; without one, of the folder. */
  of(session?: string): PermissionMode {
    const own = session === undefined ? undefined : this.#ofSession.get(this.#lineage.top(session));
    return own ?? this.#given ?? this.#folder.get() ?? "ask";
  }

  /** Takes up the mode that a session has in the store, where another process may have changed it. */
  async load(session: string): Promise<void> {
    const top = this.#lineage.top(session);
    const mode = (await this.#states().get(top))?.["mode"];
    if (typeof mode === "string" && isPermissionMode(mode)) this.#ofSession.set(top, mode);
  }

  async set(mode: PermissionMode, session: string): Promise<void> {
    this.#ofSession.set(session, mode);
    await this.#states().change(session, (known) => ({ ...known, mode }));
  }

  /** For sessions that have set no mode, now and later. */
  setFolder(mode: PermissionMode): void {
    this.#folder.set(mode);
  }
}
