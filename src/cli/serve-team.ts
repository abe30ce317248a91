import { join } from "node:path";
import type { Web, WebOptions } from "../cluster/web.ts";
import type { Worker } from "../cluster/worker.ts";
import { exit, type Given, UsageError } from "./command.ts";
import { databaseFrom } from "./database-option.ts";
import { type Io, painter } from "./terminal.ts";

const usualPort = 8080;

/** `wield serve --role …`: a process of a team. */
export async function serveTeam(
  role: string,
  given: Given,
  io: Io,
  portFrom: (given: string | undefined) => number | undefined,
): Promise<number> {
  if (role !== "web" && role !== "worker" && role !== "all")
    throw new UsageError("--role takes web, worker or all.");
  const database = databaseFrom(given, io);
  const version = process.env["WIELD_VERSION"] ?? "development";
  const paint = painter(io);
  const { jsonLines } = await import("../cluster/team-log.ts");
  const log = jsonLines(io.err);
  const running: (Web | Worker)[] = [];
  try {
    if (role !== "worker") {
      const { startWeb } = await import("../cluster/web.ts");
      const port = portFrom(given.value("port")) ?? usualPort;
      const web = await startWeb({ ...{ database, version, port, log }, ...webSettings(given, io) });
      running.push(web);
      io.out(`${paint("bold", "Wield")} for a team: ${paint("cyan", web.origin)}`);
      io.out(paint("dim", `Sign in with ${web.origin}/#token=… (wield users add NAME prints a token).`));
    }
    if (role !== "web") {
      const { startWorker } = await import("../cluster/worker.ts");
      const folder =
        io.env["WIELD_WORKER_FOLDER"] ?? join(io.env["HOME"] ?? "/tmp", ".cache", "wield-worker");
      const places = placesFrom(given.value("places"));
      const worker = await startWorker({
        ...{ database, version, folder, env: io.env, log },
        ...(places && { places }),
      });
      running.push(worker);
      io.out(`Worker ${worker.id} takes sessions.`);
    }
    await new Promise<void>((stopped) => {
      if (io.signal.aborted) stopped();
      io.signal.addEventListener("abort", () => stopped(), { once: true });
      // Not once: service managers may send it to each process and to the group.
      process.on("SIGTERM", () => stopped());
    });
    return exit.ok;
  } finally {
    for (const one of running) await one.close();
  }
}

function webSettings(given: Given, { env }: Io): Omit<WebOptions, "database" | "version" | "port"> {
  const host = given.value("host");
  const { WIELD_OIDC_ISSUER: issuer, WIELD_OIDC_CLIENT_ID: clientId } = env;
  return {
    ...(host !== undefined && { host }),
    publicUrl: env["WIELD_PUBLIC_URL"],
    secretKey: env["WIELD_SECRET_KEY"],
    githubSecret: env["WIELD_GITHUB_SECRET"],
    ...(env["WIELD_GITLAB_TOKEN"] && {
      gitlab: { token: env["WIELD_GITLAB_TOKEN"], users: namesIn(env["WIELD_GITLAB_USERS"]) },
    }),
    ...(issuer &&
      clientId && { signIn: { issuer, clientId, clientSecret: env["WIELD_OIDC_CLIENT_SECRET"] ?? "" } }),
  };
}

function namesIn(list = ""): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

function placesFrom(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(given)) return Number(given);
  throw new UsageError("--places takes a number from 1 to 999.");
}
