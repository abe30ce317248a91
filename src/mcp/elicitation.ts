/** A question of a server to the person, in the middle of a call. */
export interface Elicitation {
  server: string;
  message: string;
  /** A flat object of plain fields. */
  schema: Record<string, unknown>;
}
export type ElicitationAnswer =
  | { action: "accept"; content: Record<string, string | number | boolean | string[]> }
  | { action: "decline" | "cancel" };
export type Elicit = (request: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
