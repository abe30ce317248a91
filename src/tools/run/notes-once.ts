/** Sessions whose notes are remembered; the oldest is forgotten first. */
const mostSessions = 500;

/**
 * Notes that apply to every run of a session are shown once per session; a caller without a session always gets them.
 */
export function notesOncePerSession(): (session: string | undefined, notes: readonly string[]) => string[] {
  const told = new Map<string, Set<string>>();
  return (session, notes) => {
    if (session === undefined) return [...notes];
    const known = told.get(session) ?? new Set();
    const fresh = notes.filter((note) => !known.has(note));
    for (const note of fresh) known.add(note);
    told.set(session, known);
    const [oldest] = told.keys();
    if (told.size > mostSessions && oldest !== undefined) told.delete(oldest);
    return fresh;
  };
}
