import { hostname } from "node:os";
import { join } from "node:path";
import type { Web, WebOptions } from "../cluster/web.ts";
import type { Worker } from "../cluster/worker.ts";
import { exit, type Given, UsageError } from "./command.ts";
import { databaseFrom, inDatabase } from "./database-option.ts";
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
  const { requireSecretKey } = await import("../cluster/secret-key.ts");
  await inDatabase(given, io, ({ query }) => requireSecretKey(query, io.env["WIELD_SECRET_KEY"]));
  const running: (Web | Worker)[] = [];
  try {
    if (role !== "worker") {
      const { startWeb } = await import("../cluster/web.ts");
      const port = portFrom(given.value("port")) ?? usualPort;
      const web = await startWeb({ ...{ database, version, port, log }, ...webSettings(given, io) });
      running.push(web);
      io.out(`${paint("bold", "Wield")} for a team: ${paint("cyan", web.origin)}`);
      io.out(paint("dim", `Sign in with ${web.origin}/#token=… (wield users add NAME prints a token).`));
      const hint = publicUrlHint(given.value("host"), io.env, web.origin);
      if (hint !== undefined) io.out(paint("yellow", hint));
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

/** What is missing where browsers of other machines reach the page but do not know its name. */
export function publicUrlHint(host: string | undefined, env: Io["env"], origin: string): string | undefined {
  const isForOthers = host === "0.0.0.0" || host === "::";
  if (!isForOthers || env["WIELD_PUBLIC_URL"]) return undefined;
  const example = `http://${hostname()}:${new URL(origin).port}`;
  return `Browsers on other machines are refused until WIELD_PUBLIC_URL names the address that they use, such as ${example}. Set it and start this again.`;
}

function publicUrlFrom(env: Io["env"]): string | undefined {
  const url = env["WIELD_PUBLIC_URL"] || undefined;
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  throw new UsageError(
    "WIELD_PUBLIC_URL is the address that browsers use, such as https://wield.example.org.",
  );
}

function webSettings(given: Given, { env }: Io): Omit<WebOptions, "database" | "version" | "port"> {
  const host = given.value("host");
  const { WIELD_OIDC_ISSUER: issuer, WIELD_OIDC_CLIENT_ID: clientId } = env;
  return {
    ...(host !== undefined && { host }),
    publicUrl: publicUrlFrom(env),
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
