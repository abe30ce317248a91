/** What is remembered of a session besides its log, whether or not it has begun: small values that their owners understand. */
export interface SessionStates {
  get(session: string): Promise<SessionState | undefined>;
  /** One atomic change; the state as it is then. */
  change(session: string, change: (known: SessionState) => SessionState): Promise<SessionState>;
}

export type SessionState = Readonly<Record<string, unknown>>;
