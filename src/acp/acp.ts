import { isAbsolute } from "node:path";
import {
  type AgentContext,
  agent,
  type ClientCapabilities,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type Stream,
} from "@agentclientprotocol/sdk";
import { chatPrefix, removeSession } from "../agent/log.ts";
import { messageOf } from "../agent/retry.ts";
import { placesFrom } from "../app/places.ts";
import { Failure } from "../failure/failure.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { realPlace } from "../workspace/state-files.ts";
import { AcpSession, type SessionStart } from "./session.ts";

export interface AcpOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** As in the settings; left out: that of the settings, or what is found. */
  model?: string;
  /** The folder whose sessions are listed where the client names none. */
  cwd: string;
  report(problem: string): void;
}

const sessionsPerPage = 50;

/** Serves one client of the Agent Client Protocol until it closes the stream. */
export async function serveAcp(stream: Stream, options: AcpOptions, signal: AbortSignal): Promise<void> {
  const sessions = new Map<string, AcpSession>();
  let capabilities: ClientCapabilities = {};
  const session = (id: string) => {
    const found = sessions.get(id);
    if (!found) throw RequestError.sessionNotFound(id);
    return found;
  };
  const start = async (client: AgentContext, asked: Omit<SessionStart, "client" | "capabilities">) => {
    if (!isAbsolute(asked.cwd)) throw RequestError.invalidParams(undefined, "cwd must be an absolute path");
    const started = await refusing(() => AcpSession.start({ ...options, ...asked, client, capabilities }));
    await sessions.get(started.id)?.close();
    sessions.set(started.id, started);
    return started;
  };

  const app = agent({ name: "wield" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: "wield", title: "Wield", version: process.env["WIELD_VERSION"] ?? "development" },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          mcpCapabilities: { http: true },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
        },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const started = await start(client, { cwd: params.cwd, servers: params.mcpServers });
      started.announceSoon();
      return { sessionId: started.id, ...(await started.state()) };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const { cwd, sessionId, mcpServers: servers } = params;
      const started = await start(client, { cwd, servers, session: sessionId });
      await started.replay();
      started.announceSoon();
      return started.state();
    })
    .onRequest(methods.agent.session.resume, async ({ params, client }) => {
      const { cwd, sessionId, mcpServers: servers = [] } = params;
      const started = await start(client, { cwd, servers, session: sessionId });
      started.announceSoon();
      return started.state();
    })
    .onRequest(methods.agent.session.list, ({ params }) => listSessions(options, params))
    .onRequest(methods.agent.session.close, async ({ params }) => {
      await session(params.sessionId).close();
      sessions.delete(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.delete, async ({ params }) => {
      await sessions.get(params.sessionId)?.close();
      sessions.delete(params.sessionId);
      await withStore(options, (store) => removeSession(store, params.sessionId));
      return {};
    })
    .onRequest(methods.agent.session.setMode, async ({ params }) => {
      await refusing(() => session(params.sessionId).setMode(params.modeId));
      return {};
    })
    .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
      const changed = session(params.sessionId);
      if (typeof params.value !== "string") throw RequestError.invalidParams(undefined, "value must be text");
      const { value } = params;
      if (params.configId === "mode") await refusing(() => changed.setMode(value));
      else if (params.configId === "profile") await refusing(() => changed.setProfile(value));
      else if (params.configId === "model") await refusing(() => changed.setModel(value));
      else throw RequestError.invalidParams(undefined, `There is no option ${params.configId}`);
      return { configOptions: (await changed.state()).configOptions };
    })
    .onRequest(methods.agent.session.prompt, ({ params, signal: cancelled }) =>
      refusing(() => session(params.sessionId).prompt(params.prompt, cancelled)),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());

  const connection = app.connect(stream);
  const end = () => connection.close();
  signal.addEventListener("abort", end);
  await connection.closed.catch((error) => options.report(messageOf(error)));
  signal.removeEventListener("abort", end);
  for (const open of sessions.values()) await open.close();
}

/** The sessions of a folder, newest first. */
async function listSessions(
  options: AcpOptions,
  { cwd, cursor }: { cwd?: string | null; cursor?: string | null },
) {
  const from = cursor ? Number.parseInt(cursor, 10) : 0;
  if (!Number.isInteger(from) || from < 0) throw RequestError.invalidParams(undefined, "unknown cursor");
  const workspace = realPlace(cwd ?? options.cwd);
  const limit = from + sessionsPerPage + 1;
  const all = await withStore(options, (store) => store.sessions({ workspace, prefix: chatPrefix, limit }));
  const found = all.slice(from);
  const sessions = found
    .slice(0, sessionsPerPage)
    // A session without a title has no message yet.
    .filter(({ title }) => title !== "")
    .map(({ id, title, updated }) => ({ sessionId: id, cwd: workspace, title, updatedAt: updated }));
  return { sessions, ...(found.length > sessionsPerPage && { nextCursor: `${from + sessionsPerPage}` }) };
}

async function withStore<T>({ env }: AcpOptions, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore(placesFrom(env).storeFile);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** A refusal by Wield reaches the client with its message, not as an internal error. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (error instanceof Failure) throw new RequestError(-32602, error.message, { code: error.code });
    throw new RequestError(-32603, messageOf(error));
  }
}
