import { Failure } from "../failure/failure.ts";

/** Why a Postgres cannot be used, in a sentence without its password; undefined if the error is about something else. */
export function connectFailure(error: unknown, url: string): Failure | undefined {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const { host, user, name } = partsOf(url);
  const cause =
    causes[code] ?? (/timeout|terminated/i.test(message) ? "it did not answer in time" : undefined);
  if (cause !== undefined)
    return told(
      `The database at ${host} cannot be reached: ${cause}. Check its address, and whether Postgres runs there.`,
    );
  if (code === "28P01" || code === "28000")
    return told(
      `The database at ${host} does not let ${user} in: the name or the password is wrong, or it has no access from here.`,
    );
  if (code === "3D000")
    return told(`There is no database ${name} at ${host}. Create it first, for example with createdb.`);
  return undefined;
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was closed",
  ENOTFOUND: "no machine has this name",
  EAI_AGAIN: "the name cannot be resolved now",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ETIMEDOUT: "it did not answer in time",
  // The server is starting up or shutting down.
  "57P03": "it is starting or ending",
};

function told(message: string): Failure {
  return new Failure("UNAVAILABLE", message);
}

function partsOf(url: string): { host: string; user: string; name: string } {
  const { host, username, pathname } = URL.parse(url) ?? { host: "", username: "", pathname: "" };
  return {
    host: host || "this address",
    user: username ? `the user ${username}` : "this user",
    name: pathname.slice(1) || "of that name",
  };
}
