import { Hono } from "hono";
import { Failure } from "../failure/failure.ts";
import { answerErrors } from "../server/body.ts";
import { isAway } from "../store/postgres-database.ts";

/** Routes of a team's web process: without the database they say so, and nothing of how it is reached. */
export function teamApp(maxSize?: number): Hono {
  return answerErrors(new Hono(), maxSize, (error) =>
    isAway(error) ? new Failure("UNAVAILABLE", "The team's database does not answer.") : error,
  );
}
