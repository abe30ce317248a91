import type { Effect } from "../tool/effects.ts";
import type { Flow } from "./flow.ts";
import { type AgentNotes, FolderNotes, type NotesPlace, notesFor } from "./notes.ts";

/** The notes that sessions are given. They are private data of the project, like any other of its files. */
export class SessionNotes {
  readonly #place: NotesPlace;
  readonly #flow: Flow | undefined;
  readonly #folders: FolderNotes;
  /** What the person should know about notes that were left out. */
  problems: readonly string[] = [];

  constructor(place: NotesPlace, flow: Flow | undefined) {
    this.#place = place;
    this.#flow = flow;
    this.#folders = new FolderNotes(place, (session, path) => this.#isKnown(session, path));
  }

  /** For the first request of a session; notes of sub-folders follow with the calls that reach them. */
  async begin(session: string): Promise<AgentNotes> {
    const found = await notesFor(this.#place);
    this.problems = found.problems;
    for (const path of found.files) await this.#isKnown(session, path);
    this.#folders.follow(session);
    return found;
  }

  async after(session: string, effects: readonly Effect[]): Promise<string[]> {
    return this.#folders.after(session, effects);
  }

  async #isKnown(session: string, path: string): Promise<void> {
    if (this.#flow && (path.startsWith("..") || !this.#flow.workspace.isPublic(path)))
      await this.#flow.add(session, { private: [path], outside: [] }, []);
  }
}
