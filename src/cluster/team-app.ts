import { Hono } from "hono";
import { Failure } from "../failure/failure.ts";
import { answerFailures } from "../server/body.ts";
import { isAway } from "../store/postgres-database.ts";

/** Routes of a team's web process: without the database they say so, and nothing of how it is reached. */
export function teamApp(): Hono {
  return answerFailures(new Hono(), (error) =>
    isAway(error) ? new Failure("UNAVAILABLE", "The team's database does not answer.") : error,
  );
}
