import { createServer, type IncomingMessage } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { Failure } from "../failure/failure.ts";
import { openJobs } from "../jobs/pg-boss-jobs.ts";
import { attachment } from "../server/attachment.ts";
import { readBody, valueIn } from "../server/body.ts";
import { Feed } from "../server/feed.ts";
import { judgeRequest } from "../server/guard.ts";
import { listen, refuse } from "../server/http-server.ts";
import { builtPage, pageRoutes } from "../server/page.ts";
import { openPostgres } from "../store/postgres-database.ts";
import { openPostgresStore } from "../store/postgres-store.ts";
import { type ApiParts, type ApiRoute, scopeOf } from "./api/route.ts";
import { type Hint, openChannel } from "./channel.ts";
import { Followers } from "./followers.ts";
import { hookRoutes } from "./hooks.ts";
import { metricsText } from "./metrics.ts";
import { limitedStreams } from "./open-streams.ts";
import { describeApi } from "./openapi.ts";
import { type Person, requireScope } from "./people.ts";
import { Projects } from "./projects.ts";
import { Schedules } from "./schedules.ts";
import { type SignIn, signInRoutes } from "./sign-in.ts";
import { teamApp } from "./team-app.ts";
import type { TeamLog } from "./team-log.ts";
import { requireRole, TeamSessions } from "./team-sessions.ts";
import { tokens } from "./tokens.ts";
import { apiRoutes } from "./web-api.ts";

export interface WebOptions {
  database: string;
  version: string;
  port?: number;
  /** Default: this machine only. */
  host?: string;
  /** Under which browsers reach it, such as https://wield.example.org; default: the port on this machine. */
  publicUrl?: string | undefined;
  secretKey?: string | undefined;
  /** An identity provider that people may sign in with. */
  signIn?: SignIn | undefined;
  /** The secret that webhooks of GitHub are signed with. */
  githubSecret?: string | undefined;
  /** The token that webhooks of GitLab carry, and the people there who may give tasks. */
  gitlab?: { token: string; users: readonly string[] } | undefined;
  log?: TeamLog;
  /** How long the body of a request may take to arrive. */
  bodyMs?: number;
}

export interface Web {
  origin: string;
  close(): Promise<void>;
}

/** Fewer than for one person: there are many feeds. */
const feedLimits = { events: 4000, bytes: 2 * 1024 * 1024 };
/** Between fetching a session and reading its events. */
const comingMs = 20_000;

interface Reading {
  /** Streams that are open. */
  count: number;
  /** Without an open stream, events are announced until this time. */
  until: number;
}

/** Of one person in this process: each page that is open has one. */
const mostStreams = 100;

/** Lists are fetched again at most so often. */
const announceMs = 400;

/** The page and the API of a team. It keeps nothing: any number of these may run, and any may end. */
export async function startWeb(options: WebOptions): Promise<Web> {
  await using opening = new AsyncDisposableStack();
  const { version, host = "127.0.0.1", publicUrl, secretKey, bodyMs, log = () => undefined } = options;
  const database = openPostgres(options.database, { connections: 10, name: "wield web" });
  opening.defer(() => database.close());
  const store = await openPostgresStore(database);
  const jobs = await openJobs({ database });
  opening.defer(() => jobs.close());
  const feeds = new Map<string, Feed>();
  const announced = new Map<string, NodeJS.Timeout>();
  const owners = new Map<string, string>();
  const readers = new Map<string, Map<Feed, Reading>>();
  const feedOf = ({ id }: Pick<Person, "id">) => {
    const feed = feeds.get(id) ?? new Feed(feedLimits);
    feeds.set(id, feed);
    return feed;
  };
  const toReaders = (session: string, tell: (feed: Feed) => void) => {
    const those = readers.get(session);
    for (const [feed, { count, until }] of those ?? []) {
      if (count > 0 || until > performance.now()) tell(feed);
      else those?.delete(feed);
    }
    if (those?.size === 0) readers.delete(session);
  };
  const readingOf = (person: Person, session: string): Reading => {
    const feed = feedOf(person);
    const those = readers.get(session) ?? new Map<Feed, Reading>();
    readers.set(session, those);
    const reading = those.get(feed) ?? { count: 0, until: 0 };
    those.set(feed, reading);
    return Object.assign(reading, { until: performance.now() + comingMs });
  };
  const announce = async (session: string, type: "sessions-change" | "approvals-change") => {
    if (feeds.size === 0) return;
    const owner = owners.get(session) ?? String((await database.query(ownerOf, [session]))[0]?.["owner"]);
    owners.set(session, owner);
    announceTo(owner, type);
  };
  const announceTo = (owner: string, type: "sessions-change" | "approvals-change") => {
    const key = `${owner} ${type}`;
    if (announced.has(key)) return;
    const later = setTimeout(() => {
      announced.delete(key);
      const told = owner === everybody ? [...feeds.values()] : [feeds.get(owner)];
      for (const feed of told) {
        feed?.announce(type);
        if (type === "sessions-change") feed?.announce("queue-change");
      }
    }, announceMs);
    announced.set(key, later);
  };
  let followers: Followers | undefined;
  const hear = (hint: Hint) => {
    if (hint.t === "events") followers?.take(hint);
    if (hint.t === "session") {
      followers?.touched(hint.session);
      void announce(hint.session, "sessions-change").catch(() => undefined);
    }
    if (hint.t === "shared") {
      owners.delete(hint.session);
      announceTo(everybody, "sessions-change");
    }
    if (hint.t === "team") for (const feed of feeds.values()) feed.announce("settings-change");
    if (hint.t === "asks") void announce(hint.session, "approvals-change").catch(() => undefined);
  };
  const everythingAgain = () => {
    for (const feed of feeds.values()) feed.add({ type: "resync" });
  };
  const channel = await openChannel(database, hear, everythingAgain);
  opening.defer(() => channel.close());
  const following = new Followers({
    ...{ store, channel },
    stateOf: async (session) => JSON.stringify(await database.query(stateOf, [session])),
    chunk: (session, chunk) => toReaders(session, (feed) => feed.add({ type: "chunk", chunk }, session)),
    resync: (session) => toReaders(session, (feed) => feed.add({ type: "resync" }, session)),
  });
  opening.defer(() => {
    following.close();
    for (const timer of announced.values()) clearTimeout(timer);
    for (const feed of feeds.values()) feed.close();
  });
  // Hints may come as soon as there is a channel.
  followers = following;
  const sessions = new TeamSessions({ database, jobs, channel });
  const parts: ApiParts = {
    ...{ database, store, sessions, followers: following, feedOf, secretKey, version },
    schedules: new Schedules({ database, jobs }),
    projects: new Projects({ database, jobs }),
    teamChanged: () => void channel.tell({ t: "team" }),
    willRead: readingOf,
    openStream: limitedStreams(mostStreams),
    counts: jobs.counts,
  };

  const read = (person: Person, session: string | undefined) => {
    if (session === undefined) return () => {};
    const reading = readingOf(person, session);
    reading.count++;
    return () => {
      reading.count--;
      reading.until = performance.now() + comingMs;
    };
  };
  const personOf = async (c: Context): Promise<Person | undefined> => {
    const token = /^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "")?.[1];
    return token === undefined ? undefined : tokens.person(database.query, token);
  };

  const bodyLimits = bodyMs === undefined ? {} : { ms: bodyMs };
  const api = teamApp();
  api.notFound((c) =>
    c.json({ error: { code: "FILE_NOT_FOUND", message: "Not part of a team's page." } }, 404),
  );
  for (const route of apiRoutes)
    api[route.method](route.path, async (c) => {
      const sender = await personOf(c);
      if (!sender) return c.json({ error: notSignedIn }, 401);
      // Also before the body: nobody else can make this process keep one.
      requireReach(sender, route);
      const hasBody = c.req.raw.body !== null;
      const body = await readBody(c.req.raw, bodyLimits);
      // While the body arrived, the token may have been revoked, or the role changed.
      const person = hasBody ? await personOf(c) : sender;
      if (!person) return c.json({ error: notSignedIn }, 401);
      requireReach(person, route);
      const leaving: (() => void)[] = [];
      const reply = await route.run(parts, {
        person,
        param: (name) => c.req.param(name as never) ?? "",
        query: (name) => c.req.query(name),
        header: (name) => c.req.header(name),
        body: async (schema) => valueIn(body.toString("utf8"), schema),
        onLeave: (left) => leaving.push(left),
      });
      if ("json" in reply) return c.json(reply.json as never, (reply.status ?? 200) as never);
      if ("file" in reply) return attachment(reply.file);
      leaving.push(read(person, c.req.query("session")));
      const { stream, leave } = untilLeft(reply.stream, leaving);
      // Of a connection that closed before the first event, nothing is read and nothing cancelled.
      const { outgoing } = c.env as HttpBindings;
      if (outgoing.destroyed) leave();
      else outgoing.once("close", leave);
      return c.body(stream, 200, {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
      });
    });
  api.get("/openapi.json", (c) => c.json(describeApi(apiRoutes, version) as never));

  const app = teamApp();
  app.use(async (c, next) => {
    const began = performance.now();
    await next();
    const { method, path } = c.req;
    // Checks of whoever watches the process, and files of the page, would be most of it.
    if (c.res.status < 400 && !/^\/(?:api|hooks|sign-in)\b/.test(path)) return;
    const ms = Math.round(performance.now() - began);
    log("request", { method, path, status: c.res.status, ms });
  });
  app.get("/health", (c) => c.text("ok"));
  app.get("/ready", async (c) => {
    const isReady = await database.query("SELECT 1").then(
      () => true,
      () => false,
    );
    return isReady ? c.text("ready") : c.text("The database does not answer.", 503);
  });
  app.get("/metrics", async (c) => {
    const person = await personOf(c);
    if (!person) return c.text("This needs the token of an admin or a bot.", 401);
    requireRole(person, "admin", "bot");
    requireScope(person, "read");
    return c.text(await metricsText(database, jobs, following.count));
  });
  // Before anybody is signed in.
  app.get("/sign-in/ways", (c) => c.json({ provider: options.signIn !== undefined }));
  app.route("/api", api);
  app.route(
    "/hooks",
    hookRoutes({ database, sessions, githubSecret: options.githubSecret, gitlab: options.gitlab }),
  );
  app.route("/", pageRoutes(builtPage()));

  const hosts = new Set<string>();
  const listener = getRequestListener(app.fetch);
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl);
  const http = createServer((request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    const refusal = isNavigation(request)
      ? undefined
      : judgeRequest(request, {
          ...{ hosts, unknownHost, tokensFor: () => undefined },
          ...(publicHost && { origins: new Set([publicHost.origin]) }),
        });
    if (refusal) refuse(response, refusal);
    else void listener(request, response);
  });
  const port = await listen(http, options.port ?? 0, host);
  opening.defer(() => {
    http.close();
    http.closeAllConnections();
  });
  const isEvery = host === "0.0.0.0" || host === "::";
  const own = isEvery ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  for (const name of ["127.0.0.1", "localhost", own]) hosts.add(`${name}:${port}`);
  if (publicHost) hosts.add(publicHost.host);
  const origin = publicHost?.origin ?? `http://${own}:${port}`;
  if (options.signIn) app.route("/", signInRoutes({ ...options.signIn, database, origin, secretKey }));

  log("web.started", { origin, version });
  const opened = opening.move();
  return { origin, close: () => opened.disposeAsync() };
}

function requireReach(person: Person, route: ApiRoute): void {
  requireScope(person, scopeOf(route));
  if (route.reach === "admin" && person.role !== "admin")
    throw new Failure("PERMISSION_DENIED", "This needs the role admin.");
}

const unknownHost =
  "The page does not answer under this address. Whoever runs it must set WIELD_PUBLIC_URL to the address that browsers use, and start wield serve again.";
const notSignedIn = {
  code: "PERMISSION_DENIED",
  message: "Sign in: the token is missing, wrong or expired.",
};
/** Instead of an owner: shared sessions and those of bots concern all. */
const everybody = "";
const ownerOf = `SELECT CASE WHEN p.role = 'bot' OR t.shared THEN '' ELSE t.owner END AS owner
  FROM team_sessions t JOIN people p ON p.id = t.owner WHERE t.session = $1`;
const stateOf =
  "SELECT state, (SELECT count(*) FROM entries WHERE session = $1) AS entries FROM team_sessions WHERE session = $1";

const headers: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
  ["x-frame-options", "DENY"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
];

/** Coming back from an identity provider is a request from another site; it carries its own proof. */
function isNavigation({ method, url = "" }: IncomingMessage): boolean {
  return method === "GET" && (url === "/sign-in" || url.startsWith("/sign-in/callback?"));
}

interface LeftStream {
  stream: ReadableStream<Uint8Array>;
  leave(): void;
}

function untilLeft(inner: ReadableStream<Uint8Array>, leaving: (() => void)[]): LeftStream {
  const reader = inner.getReader();
  // Once: when a page goes away, the read that waited for the next event ends as well.
  const leave = () => {
    for (const left of leaving.splice(0)) left();
    void reader.cancel().catch(() => undefined);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = await reader.read();
        if (done) {
          leave();
          controller.close();
        } else controller.enqueue(value);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return { stream, leave };
}
