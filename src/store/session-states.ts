/**
 * Small values that are stored for a session besides its log, even before it has started; only their owners interpret
 * them.
 */
export interface SessionStates {
  get(session: string): Promise<SessionState | undefined>;
  /** One atomic change; the state as it is then. */
  change(session: string, change: (known: SessionState) => SessionState): Promise<SessionState>;
}

export type SessionState = Readonly<Record<string, unknown>>;
