import { Failure } from "../failure/failure.ts";

export function lostClaim(session: string): Failure {
  return new Failure("CONFLICT", `Another worker continues the session ${session}; nothing was written.`);
}
