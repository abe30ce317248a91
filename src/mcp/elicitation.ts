/** Who asks where no server does; no server can have a name with a space. */
export const theAgent = "The agent";

/** A question from a server to the person, during a call. */
export interface Elicitation {
  server: string;
  message: string;
  /** A flat object schema. */
  schema: Record<string, unknown>;
}
export type ElicitationAnswer =
  | { action: "accept"; content: Record<string, string | number | boolean | string[]> }
  | { action: "decline" | "cancel" };
export type Elicit = (request: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
